import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type { Core } from '../../src/core/core.ts'
import { must } from '../../src/core/model/must.ts'
import type { Fact } from '../../src/http/contract.ts'
import type { HttpService } from '../../src/http/operation.ts'

interface Contract {
  /** JSON pointers into the document, by what they describe. */
  answers: Map<string, Map<string, string>>
  callbacks: Map<string, string>
  /** By operation and status. */
  codes: Map<string, readonly string[]>
  compiled: Map<string, ValidateFunction>
}

/** One for all contracts, because each would compile the schema of schemas anew. */
const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false })
let made = 0

/** Whose contract is meant. */
export interface Judged {
  core: { service: unknown; scenario: Pick<Core['scenario'], 'assumptions'> }
}

const contracts = new WeakMap<HttpService, Map<string, Contract>>()

function serviceOf({ core }: Judged): HttpService {
  return core.service as HttpService
}

/** The OpenAPI document of a world's assumptions, ready to judge. */
function judgeOf(world: Judged): Contract {
  const { assumptions } = world.core.scenario
  const key = JSON.stringify(assumptions)
  const service = serviceOf(world)
  const ofService = contracts.get(service) ?? new Map<string, Contract>()
  contracts.set(service, ofService)
  const known = ofService.get(key)
  if (known) return known
  const document = service.contract({ baseUrl: 'http://localhost', version: 'test', assumptions })
  const id = `contract-${++made}`
  ajv.addSchema(document, id)
  const contract: Contract = { answers: new Map(), callbacks: new Map(), codes: new Map(), compiled: new Map() }
  const step = (text: string) =>
    text
      .replaceAll('~', '~0')
      .replaceAll('/', '~1')
      .replaceAll('{', '%7B')
      .replaceAll('}', '%7D')
      .replaceAll('$', '%24')
      .replaceAll('#', '%23')
  for (const [path, item] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(item)) {
      const at = `${id}#/paths/${step(path)}/${method}`
      const answers = new Map<string, string>()
      for (const [status, response] of Object.entries(operation.responses)) {
        const target = response.$ref === undefined ? `${at}/responses/${status}` : `${id}${response.$ref}`
        const { 'x-codes': codes } = document.components.responses[response.$ref?.split('/').at(-1) ?? ''] ?? response
        if (codes) contract.codes.set(`${operation.operationId} ${status}`, codes)
        answers.set(status, `${target}/content/application~1json/schema`)
      }
      contract.answers.set(operation.operationId, answers)
      for (const [name, addresses] of Object.entries(operation.callbacks ?? {})) {
        for (const address of Object.keys(addresses)) {
          contract.callbacks.set(
            operation.operationId,
            `${at}/callbacks/${step(name)}/${step(address)}/post/requestBody/content/application~1json/schema`,
          )
        }
      }
    }
  }
  for (const name of Object.keys(document.webhooks ?? {})) {
    contract.callbacks.set('webhook', `${id}#/webhooks/${step(name)}/post/requestBody/content/application~1json/schema`)
  }
  ofService.set(key, contract)
  return contract
}

/** What an answer does that its contract does not say; empty when it keeps to it. */
export function againstContract(
  world: Judged,
  method: string,
  path: string,
  { status, body }: { status: number; body: unknown },
  byScenario = false,
): string[] {
  const operation = serviceOf(world).operations.find(
    (one) =>
      one.method.toUpperCase() === method && new RegExp(`^${one.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path),
  )
  const { assumptions } = world.core.scenario
  if (!operation || (operation.only && assumptions[operation.only.assumption] !== operation.only.is)) return []
  const contract = judgeOf(world)
  const answers = must(contract.answers.get(operation.id))
  const code = codeIn(body)
  const isListed = code === undefined || contract.codes.get(`${operation.id} ${status}`)?.includes(code) === true
  const pointer = byScenario ? answers.get('default') : isListed ? answers.get(String(status)) : undefined
  if (pointer === undefined) return [`${method} ${path}: the contract has no answer ${status} ${code ?? ''}`]
  return judge(contract, pointer, body, `${method} ${path} ${status}`)
}

/** The code of an error, in forms of bodies that have one of the general codes. */
function codeIn(body: unknown): string | undefined {
  const { error, errorCode } = (body ?? {}) as { error?: { code?: string }; errorCode?: string }
  return error?.code ?? errorCode
}

/** Headers of an answer or of a callback that are on no list of what the service sends. */
export function unlistedHeaders(
  facts: readonly Fact[],
  about: 'answer header' | 'callback header',
  sent: Iterable<string>,
): string[] {
  const listed = new Set(facts.filter((fact) => fact.about === about).map(({ name }) => name))
  return Array.from(sent).flatMap((name) => (listed.has(name) ? [] : [`${about} ${name}: it is on no list`]))
}

/** What the callbacks of a world do that the contract does not say. */
export function callbacksAgainstContract(world: { core: Core }): string[] {
  const contract = judgeOf(world)
  return world.core.store.callbacks.page({ limit: 1000, newestFirst: true }).flatMap((callback) => {
    const { extra, set, without, status } = callback.fault ?? {}
    // Changed on purpose.
    if (extra || set || without || status !== undefined) return []
    const operation = serviceOf(world).operations.find(({ opens }) => opens === callback.topic)?.id ?? 'webhook'
    const pointer = contract.callbacks.get(operation)
    if (pointer === undefined) return [`callback of ${callback.topic}: the contract has none`]
    return judge(contract, pointer, JSON.parse(callback.body), `callback of ${callback.topic}`)
  })
}

function judge(contract: Contract, pointer: string, body: unknown, what: string): string[] {
  let validate = contract.compiled.get(pointer)
  if (!validate) {
    validate = ajv.compile({ $ref: pointer })
    contract.compiled.set(pointer, validate)
  }
  if (validate(body)) return []
  return (validate.errors ?? []).map(
    (error) => `${what}: ${error.instancePath} ${error.message} ${JSON.stringify(error.params)}`,
  )
}
