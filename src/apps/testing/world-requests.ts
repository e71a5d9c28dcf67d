/** The journal of a world, for tests. */
import type { Control, RequestEntry } from '../../client/control.ts'
import { must } from '../../core/model/must.ts'
import { type Verification, type Verified, verify, type WaitOptions, type Where, waitFor } from './verification.ts'
import type { PaymentExample } from './world-payments.ts'

export interface RequestFilter {
  /** The operation's name in the contract, such as `createSendMoney`. */
  operation?: string
  status?: number
  method?: string
  /** Without its query. */
  path?: string
  /** World time; both included. */
  since?: string
  until?: string
  /** A condition in CEL over the request and its payment. */
  where?: string
  /** Only those with fields that nobody read. */
  unread?: boolean
  /** From an answer's `requestId`. */
  requestId?: string
  /** At most 1000. Default 100. */
  limit?: number
}

/** Example of a request, for waiting. */
export interface RequestExample {
  requestId?: string
  /** The operation's name in the contract, such as `createSendMoney`. */
  operation?: string
  method?: string
  /** Without its query. */
  path?: string
  query?: Readonly<Record<string, string>>
  headers?: Readonly<Record<string, string>>
  body?: Readonly<Record<string, unknown>>
  status?: number
  response?: Readonly<Record<string, unknown>>
  rule?: string
  organisationId?: string
  replayed?: boolean
  /** The payment that it made: its uuid, or an example. */
  payment?: string | PaymentExample
}

/** The journal: what your app really sent, and the answers. */
export class WorldRequests {
  readonly #control: Control

  constructor(control: Control) {
    this.#control = control
  }

  /**
   * Oldest first. Secrets are masked.
   *
   * @example
   * ```ts
   * await using mfano = await startMfano()
   * const world = await mfano.world()
   * const client = await world.client()
   * await client.listPaybillPayments()
   * const sent = await world.requests.list()
   * assert.deepEqual(sent.map(({ operation, status }) => [operation, status]), [['getToken', 200], ['listPaybillPayments', 200]])
   * ```
   */
  async list(filter: RequestFilter = {}): Promise<RequestEntry[]> {
    const { requests } = await this.#control('GET', '/requests', { query: { order: 'oldest-first', ...filter } })
    return requests
  }

  /**
   * Waits until your app has sent a matching request, and returns the newest.
   *
   * @example
   * ```ts
   * await using mfano = await startMfano()
   * const world = await mfano.world()
   * const sent = world.requests.waitFor({ operation: 'getTillPayment', status: 404, query: { requestId: 'lost' } })
   * const client = await world.client()
   * await client.getTillPayment({ requestId: 'lost', companyId: world.credentials.companyId }).catch(() => {})
   * assert.equal((await sent).method, 'GET')
   * ```
   */
  async waitFor(where: Where<RequestExample> = {}, options: WaitOptions = {}): Promise<RequestEntry> {
    const [request] = await waitFor<RequestEntry>(this.#control, 'request', where, options)
    return must(request)
  }

  /**
   * Fails unless your app has sent what is wanted: how many, in which order, and nothing after. Says what came nearest.
   *
   * @example
   * ```ts
   * await using mfano = await startMfano()
   * const world = await mfano.world()
   * const client = await world.client()
   * await client.listPaybillPayments()
   * await world.requests.verify({ operation: 'createSendMoney' }, { exactly: 0 })
   * await world.requests.verify({}, { inOrder: [{ operation: 'getToken' }, { operation: 'listPaybillPayments' }] })
   * const error = await world.requests.verify({ operation: 'listTillPayments' }).catch((error) => error)
   * assert.match(error.message, /found 0, expected at least 1; the nearest: request.operation is "listPaybillPayments"/)
   * ```
   */
  verify(where: Where<RequestExample>, wanted: Verification<RequestExample> = {}): Promise<Verified<RequestEntry>> {
    return verify(this.#control, 'request', where, wanted)
  }

  /** Removes all entries, so that a later part of a test starts clean. */
  async clear(): Promise<void> {
    await this.#control('DELETE', '/requests')
  }
}
