/** A small merchant: it pays and is paid, keeps a book of that, and takes callbacks at an endpoint of its own. */
import { listenForPosts, type Receiver } from '../../hosts/node/receiver.ts'
import { amount } from '../words.ts'

/** What the merchant's book says of one payment, before and after a callback told the end. */
export interface Entry {
  /** In plain words: `KES 1,500.00 to phone 254712345678`. */
  what: string
  status: string
  /** A callback about it was answered badly. */
  missed: boolean
}

/** A callback as the merchant met it. */
export interface Told {
  entry: Entry
  /** What the book said before. */
  before: string
  /** It was told before, and not heard. */
  again: boolean
  body: Record<string, unknown>
  /** What the merchant answered. */
  answered: number
}

export class Merchant {
  readonly #book = new Map<string, Entry>()
  readonly #heard: (told: Told) => Promise<void>
  #receiver: Receiver | undefined
  /** So many of the next callbacks are answered 503, as by a server that is just being deployed. */
  stumbles = 0

  /** @param heard gets every callback, before the merchant answers it */
  constructor(heard: (told: Told) => Promise<void>) {
    this.#heard = heard
  }

  async open(): Promise<void> {
    this.#receiver = await listenForPosts((text) => this.#take(text))
  }

  async close(): Promise<void> {
    await this.#receiver?.close()
  }

  get url(): string {
    return `${this.#receiver?.url}/callbacks`
  }

  /** Writes down a payment by the id that callbacks will name. */
  note(id: string, what: string): void {
    this.#book.set(id, { what, status: 'PENDING', missed: false })
  }

  /** Payments by what the book says of them. */
  count(status: string): number {
    return [...this.#book.values()].filter((entry) => entry.status === status).length
  }

  async #take(text: string): Promise<number> {
    const body = JSON.parse(text) as Record<string, unknown>
    const entry = this.#entryOf(body)
    if (!entry) return 404
    const { status: before, missed: again } = entry
    const stumbles = this.stumbles > 0
    entry.missed = stumbles
    if (stumbles) this.stumbles--
    // A bank collection's record has no status: that it is told is its success.
    else entry.status = String(body['status'] ?? 'SUCCESS')
    const answered = stumbles ? 503 : 200
    await this.#heard({ entry, before, again, body, answered })
    return answered
  }

  /** Payouts and STK collections are told by requestId, checkout sessions by id. */
  #entryOf(body: Record<string, unknown>): Entry | undefined {
    const { requestId, id, uuid, transactionref, amount: paid } = body
    const known = this.#book.get(String(requestId)) ?? this.#book.get(String(uuid)) ?? this.#book.get(String(id))
    // What somebody pays at the bank is news: the callback is the first that the merchant hears of it.
    if (known || transactionref === undefined) return known
    this.note(String(uuid), `KES ${amount(Number(paid))} into the bank account`)
    return this.#book.get(String(uuid))
  }
}
