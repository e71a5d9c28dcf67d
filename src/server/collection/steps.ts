/**
 * Lists requests for every operation so that they run from top to bottom: with example values, or with what earlier
 * answers gave.
 */
import type { Contract, ContractOperation } from '../../http/contract.ts'

/** Texts may hold variables: `{{token}}`. */
export interface CollectionStep {
  folder: string
  name: string
  method: string
  path: string
  /** `baseUrl`: the world that the collection makes. */
  to: 'baseUrl' | 'server'
  query: Record<string, string>
  headers: Record<string, string>
  body?: unknown
  authorised: boolean
  status: number
  /** Variables from its answer, each with its path in the body. */
  gives: Record<string, readonly (string | number)[]>
}

/** The only variable to set before a run: where mfano is. */
export const SERVER = 'server'

const world = 'The sandbox'

function operator(name: string, path: string, body: object, gives: CollectionStep['gives'] = {}): CollectionStep {
  const status = path === '/worlds' || path.startsWith('/collections') ? 201 : 200
  const to = path === '/worlds' ? 'server' : 'baseUrl'
  return {
    folder: world,
    name,
    method: 'POST',
    path: `/_mfano${path}`,
    to,
    query: {},
    headers: {},
    body,
    authorised: false,
    status,
    gives,
  }
}

const tanzania = { phoneNumber: '255754362174', amount: 1000 }
const tanzanianPayout = {
  ...tanzania,
  currencyCode: 'TZS',
  narration: 'Invoice 2042',
  firstName: 'Asha',
  lastName: 'Example',
  serviceCode: 'TZ-TIGO-B2C',
  channel: 'TZ-TIGO-C2B',
  referenceId: 'INV-2042',
}

interface Before {
  step(contract: Contract): CollectionStep
  parameter: string
}

const BEFORE: Readonly<Record<string, Before>> = {
  getTanzaniaPayout: {
    parameter: 'requestId',
    step: (contract) => {
      const { operation, path, method } = operationOf(contract, 'createSendMoney')
      const step = stepOf(method, path, operation)
      const body = Object.assign({}, step.body, tanzanianPayout)
      return { ...step, name: 'Pay out in Tanzania', body, gives: { tanzaniaPayout: ['data', 'requestId'] } }
    },
  },
  getTanzaniaCollection: {
    parameter: 'requestId',
    step: () =>
      operator('A customer in Tanzania pays in', '/collections/tz', tanzania, { tanzaniaCollection: ['uuid'] }),
  },
  getBankCollection: {
    parameter: 'requestId',
    step: () =>
      operator('A customer pays in by bank', '/collections/bank', { amount: 10_000 }, { bankCollection: ['uuid'] }),
  },
  cancelAllocation: {
    parameter: 'allocationId',
    step: (contract) => {
      const { operation, path, method } = operationOf(contract, 'createAllocation')
      const gives = { allocationToCancel: ['data', 'requestId'] }
      return { ...stepOf(method, path, operation), name: 'Allocate once more, to cancel it', gives }
    },
  },
}

export function collectionSteps(contract: Contract): CollectionStep[] {
  const steps: CollectionStep[] = [
    operator('Make a world for this run', '/worlds', {}, { world: ['id'], baseUrl: ['baseUrl'] }),
    ...Object.entries(contract.paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, operation]) => {
        const before = BEFORE[operation.operationId]
        const step = stepOf(method, path, operation)
        if (!before) return [step]
        const first = before.step(contract)
        return [first, { ...step, query: { ...step.query, [before.parameter]: `{{${Object.keys(first.gives)[0]}}}` } }]
      }),
    ),
    operator('Let time pass until all is done', '/clock/settle', { within: '1h' }),
    { ...operator('What callbacks told', '/inbox/docs', {}), method: 'GET', body: undefined },
    { ...operator('What happened, and why', '/report', {}), method: 'GET', body: undefined, query: { format: 'text' } },
  ]
  return chained(steps, exampleAnswers(contract))
}

export function operationOf(contract: Contract, id: string) {
  for (const [path, methods] of Object.entries(contract.paths))
    for (const [method, operation] of Object.entries(methods))
      if (operation.operationId === id) return { path, method, operation }
  throw new Error(`the contract has no operation "${id}"`)
}

export function stepOf(
  method: string,
  path: string,
  { parameters = [], ...operation }: ContractOperation,
): CollectionStep {
  const given = (place: string) =>
    Object.fromEntries(parameters.filter((one) => one.in === place).map((one) => [one.name, String(one.example ?? '')]))
  const body = operation.requestBody?.content['application/json'].example
  return {
    folder: operation.tags[0] ?? '',
    name: operation.summary,
    method: method.toUpperCase(),
    path: Object.entries(given('path')).reduce((text, [name, value]) => text.replace(`{${name}}`, value), path),
    to: 'baseUrl',
    query: given('query'),
    headers: given('header'),
    ...(body !== undefined && { body }),
    authorised: operation.security.length > 0,
    status: Number(Object.keys(operation.responses).find((status) => status < '300')),
    gives: {},
  }
}

function exampleAnswers(contract: Contract): Map<string, { id: string; answer: unknown }> {
  const all = Object.values(contract.paths).flatMap((methods) => Object.values(methods))
  return new Map(
    all.map(({ summary, operationId: id, responses }) => {
      const [, response] = Object.entries(responses).find(([status]) => status < '300') ?? []
      return [summary, { id, answer: response?.content?.['application/json'].example }]
    }),
  )
}

/** Ids and tokens, which differ in each run. */
const MADE_UP = /^[0-9a-f]{8}-[0-9a-f-]{27}$/
/** Every world has it, so it needs no variable. */
const GIVEN = '00000000-0000-4000-8000-000000000001'

function chained(
  steps: readonly CollectionStep[],
  answers: ReadonlyMap<string, { id: string; answer: unknown }>,
): CollectionStep[] {
  const variables = new Map<string, string>()
  return steps.map((step, i) => {
    const used = withVariables(step, variables)
    const example = answers.get(step.name)
    if (!example) return used
    const later = JSON.stringify(steps.slice(i + 1))
    const gives: Record<string, readonly (string | number)[]> = { ...used.gives }
    for (const [at, value] of textsOf(example.answer)) {
      if (at.at(-1) === 'access_token') gives['token'] = at
      if (!MADE_UP.test(value) || value === GIVEN || variables.has(value) || !later.includes(value)) continue
      variables.set(value, example.id)
      gives[example.id] = at
    }
    return { ...used, gives }
  })
}

function withVariables(step: CollectionStep, variables: ReadonlyMap<string, string>): CollectionStep {
  let text = JSON.stringify(step)
  for (const [value, name] of variables) text = text.replaceAll(value, `{{${name}}}`)
  return JSON.parse(text)
}

function textsOf(value: unknown, at: readonly (string | number)[] = []): [readonly (string | number)[], string][] {
  if (typeof value === 'string') return [[at, value]]
  if (Array.isArray(value)) return value.flatMap((one, i) => textsOf(one, [...at, i]))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, one]) => textsOf(one, [...at, name]))
}
