import type { Control } from './errors.ts'
import type { RequestEntry } from './shapes.ts'

/** Which requests to list. */
export interface RequestFilter {
  /** The operation's name in the contract, such as `createSendMoney`. */
  operation?: string
  status?: number
  method?: string
  /** From an answer's `requestId`. */
  requestId?: string
  /** At most so many, up to 1000; 100 unless given. */
  limit?: number
}

/** The journal: what the app under test really sent, and what it was answered. */
export class WorldRequests {
  readonly #control: Control

  constructor(control: Control) {
    this.#control = control
  }

  /**
   * Oldest first; secrets masked.
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
    const { requests } = await this.#control<{ requests: RequestEntry[] }>('GET', '/requests', {
      query: { order: 'oldest-first', ...filter },
    })
    return requests
  }

  /** Forgets them, so that a later part of a test starts clean. */
  async clear(): Promise<void> {
    await this.#control('DELETE', '/requests')
  }
}
