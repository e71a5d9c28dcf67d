/** Records what a world answers to a request of every operation. */
import { type AnyControl, controlOf } from '../../src/client/control.ts'
import { ServiceCaller } from '../../src/client/service-client.ts'
import { parseWire } from '../../src/core/model/json.ts'
import type { World } from '../../src/core/world.ts'
import { paymentsService } from '../../src/service/service.ts'

/** A world of this process, with a frozen clock. */
export interface AskedWorld {
  baseUrl: string
  credentials: Credentials
  inside: World
}
interface Credentials {
  apiKey: string
  apiSecret: string
  companyId: string
}

/** The assumptions under which every operation exists. */
export const everyOperation = { 'unlisted-operations': 'on', 'refresh-token': 'on' }

interface Noted {
  parameters?: Record<string, string>
  request?: unknown
  answer: unknown
  callback?: unknown
}

interface Asked {
  parameters?: Record<string, string>
  /** Fields of the example request that are others here. */
  changes?: object
  token?: string | undefined
}

const device = { 'Device-Id': 'example-device' }
const tanzania = {
  phoneNumber: '255754362174',
  currencyCode: 'TZS',
  narration: 'Invoice 2041',
  firstName: 'Asha',
  lastName: 'Example',
  serviceCode: 'TZ-TIGO-B2C',
  channel: 'TZ-TIGO-C2B',
  referenceId: 'INV-2042',
}

class Recorder {
  readonly noted = new Map<string, Noted>()
  readonly world: AskedWorld
  readonly control: AnyControl
  readonly #client: ServiceCaller

  constructor(world: AskedWorld) {
    this.world = world
    this.control = controlOf(world.baseUrl)
    this.#client = new ServiceCaller(world.baseUrl)
  }

  /** Notes one answer, and gives its body. */
  async note(id: string, asked: Asked = {}) {
    const { answer, request } = await this.ask(id, asked)
    this.noted.set(id, {
      ...(asked.parameters && { parameters: asked.parameters }),
      ...(request && { request }),
      answer: parseWire(answer.text),
    })
    return answer.body
  }

  async ask(id: string, { parameters = {}, changes, token }: Asked = {}) {
    const operation = paymentsService.operations.find((one) => one.id === id)
    if (!operation) throw new Error(`There is no operation "${id}"`)
    const request = operation.body && { ...operation.example?.(this.world.baseUrl), ...changes }
    const path = operation.path.replace(/\{(\w+)\}/, (_all, name) => parameters[name] ?? '')
    const isHeader = (name: string) => operation.headers?.some((header) => header.name === name)
    const query = Object.entries(parameters).filter(([name]) => !isHeader(name) && !operation.path.includes(name))
    const headers = Object.fromEntries(Object.entries(parameters).filter(([name]) => isHeader(name)))
    if (this.#client.token === undefined) await this.#client.login(this.world.credentials)
    const answer = await this.#client.request(
      operation.method.toUpperCase(),
      query.length > 0 ? `${path}?${new URLSearchParams(query)}` : path,
      {
        headers,
        token: operation.auth === 'bearer' ? (token ?? this.#client.token) : null,
        ...(request && { body: request }),
      },
    )
    if (answer.status >= 300) throw new Error(`${id} was refused: ${answer.text}`)
    return { answer, request }
  }

  /** Moves the world's clock, and waits for what is due. */
  advance(by: string) {
    return this.control('POST', '/clock/advance', { body: { by } })
  }
}

/** Every operation's answer and every callback, as the text of the examples. */
export async function recordExamples(world: AskedWorld, placeholder: string): Promise<string> {
  const recorder = new Recorder(world)
  const { refresh_token: refreshToken } = (await recorder.note('getToken')).data
  await recorder.note('refreshToken', { changes: { refreshToken } })
  await organisations(recorder)
  await payments(recorder)
  const webhooks = callbacks(recorder)
  const operations = Object.fromEntries(recorder.noted)
  return linesOf({ operations, webhooks }, 3).replaceAll(world.baseUrl, placeholder)
}

/** JSON with a line for each request, answer and callback, so that a change shows whose it is. */
function linesOf(value: unknown, levels: number): string {
  if (levels === 0 || typeof value !== 'object' || value === null) return JSON.stringify(value)
  const parts = Object.entries(value).map(([name, one]) => `${JSON.stringify(name)}: ${linesOf(one, levels - 1)}`)
  return `{${parts.join(',\n')}}`
}

async function organisations(recorder: Recorder) {
  const { baseUrl, credentials } = recorder.world
  const { uuid } = (await recorder.note('createSubAccount')).data
  for (const id of ['subscribeSubAccounts', 'deactivateSubAccounts', 'activateSubAccounts']) await recorder.note(id)
  const down = { changes: { toOrganisationId: uuid } }
  const up = { changes: { fromOrganisationId: uuid, amount: 2500 } }
  await recorder.note('createAllocation', down)
  await recorder.note('createDeallocation', up)
  const parent = { parameters: { parentOrganisationId: credentials.companyId } }
  const receiver = new ServiceCaller(baseUrl)
  await receiver.login(await recorder.control<Credentials>('POST', `/organisations/${uuid}/credentials`))
  for (const one of ['Allocations', 'Deallocations']) {
    await recorder.note(`list${one}`)
    await recorder.note(`list${one}OfParent`, parent)
  }
  await recorder.note('listReceivedAllocations', { token: receiver.token })
  await recorder.note('listReceivedDeallocations')
  const second = (await recorder.ask('createAllocation', down)).answer.body.data
  await recorder.note('cancelAllocation', { parameters: { allocationId: second.requestId } })
  for (const id of ['listSubAccounts', 'getWalletBreakdown', 'getWalletDetails']) await recorder.note(id)
}

async function payments(recorder: Recorder) {
  const { baseUrl, credentials } = recorder.world
  await recorder.control('PATCH', `/organisations/${credentials.companyId}`, {
    body: { collectionCallbackUrl: `${baseUrl}/_mfano/inbox/docs` },
  })
  const made = new Map<string, string>()
  for (const { id, opens, path } of paymentsService.operations) {
    if (opens === undefined || recorder.noted.has(id)) continue
    const body = await recorder.note(id)
    made.set(path.replace(/\/new$/, ''), body.id ?? body.data.requestId)
  }
  const session = made.get('/api/sandbox/v1/checkout-sessions') as string
  await recorder.control('POST', `/checkout/${session}/pay`, { body: { method: 'CARD' } })
  const collection = { amount: 10_000, description: 'Invoice 2041' }
  const { uuid } = await recorder.control<{ uuid: string }>('POST', '/collections/bank', { body: collection })
  made.set('/api/sandbox/v1/bank/collection', uuid)
  await recorder.advance('1m')
  for (const operation of paymentsService.operations) await read(recorder, operation, made)
  await inTanzania(recorder)
}

/** Reads what was made below the same path. */
async function read(
  recorder: Recorder,
  { id, path, method, query, headers }: (typeof paymentsService.operations)[number],
  made: ReadonlyMap<string, string>,
) {
  if (method !== 'get' || headers || recorder.noted.has(id)) return
  const [, requestId = ''] = [...made].find(([base]) => path.startsWith(`${base}/`)) ?? []
  const known: Record<string, string> = { requestId, companyId: recorder.world.credentials.companyId }
  if (path.endsWith('{checkoutSessionId}')) {
    await recorder.note(id, { parameters: { checkoutSessionId: requestId } })
    return
  }
  const names = Object.keys((query as { shape?: object } | undefined)?.shape ?? {})
  const parameters = Object.fromEntries(names.map((name) => [name, known[name] ?? '']))
  await recorder.note(id, names.length > 0 ? { parameters } : {})
}

async function inTanzania(recorder: Recorder) {
  const payout = (await recorder.ask('createSendMoney', { changes: tanzania })).answer.body.data
  const collection = (await recorder.ask('createStkCollection', { changes: tanzania })).answer.body.data
  await recorder.advance('1m')
  await recorder.note('getTanzaniaPayout', { parameters: { requestId: payout.requestId, ...device } })
  await recorder.note('getTanzaniaCollection', { parameters: { requestId: collection.requestId, ...device } })
}

/** Puts beside each answer the callback that it led to; gives those that nothing led to. */
function callbacks(recorder: Recorder): Record<string, unknown> {
  const webhooks: Record<string, unknown> = {}
  for (const { topic, body } of recorder.world.inside.core.store.callbacks.page({ limit: 100, newestFirst: false })) {
    const operation = paymentsService.operations.find(({ opens }) => opens === topic)
    const noted = operation && recorder.noted.get(operation.id)
    if (noted) noted.callback ??= parseWire(body)
    else for (const { name } of paymentsService.webhooks) webhooks[name] ??= parseWire(body)
  }
  return webhooks
}
