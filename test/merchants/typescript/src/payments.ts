/**
 * How money moves and nothing is paid twice. A payment is written down, then asked for, then followed to its end. What
 * nobody answered for is looked up before it is asked for again, under the same reference. A callback is a hint to look:
 * what the service's record says is so, and looking twice changes nothing.
 */
import type { Book, Payment } from './book.ts'
import { type Clock, DAY_MS, MINUTE_MS } from './clock.ts'
import { type Recorded, railOf, rails, recordOf, type Way } from './rails.ts'
import { type Answer, LoginRefused, NoAnswer, type PaymentsService } from './service.ts'
import type { Settings } from './settings.ts'

/** What the service has not heard of after so long never reached it. */
const ARRIVES_WITHIN_MS = 10 * MINUTE_MS
/** Between two tries at what was refused for now. */
const AGAIN_AFTER_MS = 15 * MINUTE_MS
/** Long enough to see a success that is taken back. */
const WATCHED_FOR_MS = 4 * DAY_MS

const PAID = ['SUCCESS', 'SUCCEEDED']
/** Any other word, known or not, says that it is not over yet. */
const OVER = ['FAILED', 'EXPIRED']

const TOO_LITTLE_MONEY = 402
const REFUSED_FOR_NOW = [TOO_LITTLE_MONEY, 423, 429]

export class Payments {
  readonly #book: Book
  readonly #service: PaymentsService
  readonly #settings: Settings
  readonly #clock: Clock
  readonly #publicUrl: string
  #turn: Promise<unknown> = Promise.resolve()
  /** Second payments of requests of ours, by their ids: the service made them, and nobody here asked. */
  readonly strays = new Map<string, { asked: Payment; record: Recorded }>()

  constructor(parts: { book: Book; service: PaymentsService; settings: Settings; clock: Clock; publicUrl: string }) {
    this.#book = parts.book
    this.#service = parts.service
    this.#settings = parts.settings
    this.#clock = parts.clock
    this.#publicUrl = parts.publicUrl
  }

  /** One round: look into what we were told, find what nobody answered for, ask for what is due. */
  work(): Promise<void> {
    return this.#inTurn(async () => {
      for (const { id, reference } of this.#book.heard()) {
        const payment = this.#book.payment(reference)
        if (!payment || (await this.#look(payment)) !== 'unknown') this.#book.lookedInto(id)
      }
      for (const payment of this.#book.inState('asked')) await this.#find(payment)
      for (const payment of this.#book.due(this.#clock.now())) await this.#ask(payment)
    })
  }

  /** Holds the book against the service's records, both ways: for whatever nobody told us. */
  reconcile(): Promise<void> {
    return this.#inTurn(async () => {
      for (const payment of this.#book.watched(this.#clock.now() - WATCHED_FOR_MS)) await this.#look(payment)
      for (const way of Object.keys(rails) as Way[]) await this.#findStrangers(way)
    })
  }

  /** One after another: two that look before either has acted would both act. */
  #inTurn(job: () => Promise<void>): Promise<void> {
    const done = this.#turn.then(job)
    this.#turn = done.catch(() => {})
    return done
  }

  async #ask(payment: Payment): Promise<void> {
    const { reference, way } = payment
    const now = this.#clock.now()
    // Before it is sent: whoever finds the book after a power cut looks first, and does not send it again.
    this.#book.change(reference, { state: 'asked', askedAt: now, note: null })
    const callbackUrl = `${this.#publicUrl}/callbacks/${reference}`
    let answer: Answer
    try {
      answer = await this.#service.post(railOf(way).path, railOf(way).body(payment, callbackUrl))
    } catch (error) {
      if (error instanceof LoginRefused) return this.#later(payment, error.message, MINUTE_MS)
      if (error instanceof NoAnswer) return this.#noteUnknown(payment, 'There was no answer.')
      throw error
    }
    const { status, body } = answer
    const requestId = body?.data?.requestId ?? body?.id
    if (status >= 500) this.#noteUnknown(payment, `The service answered ${status}.`)
    else if (status === 201 && requestId)
      this.#book.change(reference, { state: 'pending', requestId, pageUrl: body.checkoutUrl ?? null })
    else if (status < 400) this.#noteUnknown(payment, 'The answer names no payment.')
    else await this.#takeRefusal(payment, answer)
  }

  /** A 5xx and a time-out say nothing about what was done. */
  #noteUnknown({ reference, way, requestId }: Payment, why: string): void {
    if (way === 'checkout' && requestId === null)
      this.#book.change(reference, { state: 'failed', note: `${why} Open another page.` })
    else this.#book.change(reference, { note: `${why} Looking for it.` })
  }

  async #takeRefusal(payment: Payment, { status, body, retryAfterMs }: Answer): Promise<void> {
    const { reference, purpose, way, askedAt } = payment
    const reason = reasonOf(body) ?? `The service answered ${status}.`
    // "Used before" about what we ask for again means that it was made.
    if (askedAt !== null && (await this.#look(payment)) === 'found') return
    if (!railOf(way).incoming && REFUSED_FOR_NOW.includes(status)) {
      this.#later(payment, reason, retryAfterMs ?? AGAIN_AFTER_MS)
      if (status === TOO_LITTLE_MONEY) this.#task(`Put money into the wallet: ${purpose} waits for it.`)
    } else {
      this.#book.change(reference, { state: 'refused', note: reason })
      if (!railOf(way).incoming) this.#task(`${purpose} was refused: ${reason}`)
    }
  }

  /** Nothing was done, so the same can be asked for again. */
  #later({ reference }: Payment, note: string, afterMs: number): void {
    this.#book.change(reference, { state: 'due', note, notBefore: this.#clock.now() + afterMs })
  }

  /** Looks for what nobody answered for. What is not there after a while never arrived. */
  async #find(payment: Payment): Promise<void> {
    const found = await this.#look(payment)
    if (found !== 'absent' || this.#clock.now() - (payment.askedAt ?? 0) < ARRIVES_WITHIN_MS) return
    // A payee waits for money; a customer has walked away, and is not startled by a prompt ten minutes late.
    if (railOf(payment.way).incoming)
      this.#book.change(payment.reference, { state: 'failed', note: 'It never arrived.' })
    else this.#later(payment, 'It never arrived.', 0)
  }

  /** Reads the service's record, and takes over what it says. */
  async #look(payment: Payment): Promise<'found' | 'absent' | 'unknown'> {
    const where = railOf(payment.way).read(payment, this.#settings)
    if (!where) return 'absent'
    const answer = await this.#read(where.path, where.query)
    if (answer?.status === 200) this.#learn(payment.reference, recordOf(answer.body))
    return answer?.status === 200 ? 'found' : answer?.status === 404 ? 'absent' : 'unknown'
  }

  /** Undefined where nobody answers: the next round asks again. */
  async #read(path: string, query: Record<string, string>): Promise<Answer | undefined> {
    try {
      return await this.#service.get(path, query)
    } catch (error) {
      if (error instanceof NoAnswer || error instanceof LoginRefused) return undefined
      throw error
    }
  }

  /** State and consequence change together or not at all, so that however often it is told, it happens once. */
  #learn(reference: string, record: Recorded): void {
    this.#book.atomically(() => {
      const payment = this.#book.payment(reference) as Payment
      const { purpose, state, amount, way } = payment
      if (payment.requestId === null) this.#book.change(reference, { requestId: record.id })
      if (record.amount !== amount)
        this.#task(`${reference} is ${inShillings(amount)}, and the service says ${inShillings(record.amount)}.`)
      if (PAID.includes(record.status)) {
        if (state === 'paid') return
        this.#book.change(reference, { state: 'paid', fee: record.fee, note: null })
        if (railOf(way).incoming) this.#dispatchIfPaid(purpose)
      } else if (OVER.includes(record.status)) {
        if (state === 'failed' || state === 'returned') return
        const wasPaid = state === 'paid'
        this.#book.change(reference, { state: wasPaid ? 'returned' : 'failed', note: record.reason ?? null })
        if (wasPaid) this.#task(`${purpose}: the money was taken back (${reference}).`)
        else if (!railOf(way).incoming) this.#task(`${purpose} failed: ${record.reason ?? 'no reason given'}`)
      } else if (state === 'asked' || state === 'due') this.#book.change(reference, { state: 'pending', note: null })
    })
  }

  /** A delivery is paid by the sum of its payments. */
  #dispatchIfPaid(number: string): void {
    const delivery = this.#book.delivery(number)
    if (!delivery) return
    const tries = this.#book.tries(number)
    const received = tries.reduce((sum, { state, amount }) => (state === 'paid' ? sum + amount : sum), 0)
    if (received >= delivery.price) this.#book.dispatch(number, this.#clock.now())
    if (received > delivery.price)
      this.#task(`${number}: give ${inShillings(received - delivery.price)} back to ${delivery.customerPhone}.`)
  }

  /** Records that are in no book of ours: money that moved, and nobody here asked for. */
  async #findStrangers(way: Way): Promise<void> {
    const { list } = railOf(way)
    if (!list) return
    const answer = await this.#read(list, { companyId: this.#settings.companyId })
    if (answer?.status !== 200) return
    for (const record of answer.body.data.map((data: object) => recordOf({ data }))) {
      if (this.#book.knows(record.id)) continue
      const asked = this.#book.payment(record.text)
      if (asked && asked.requestId === null) this.#learn(asked.reference, record)
      else {
        // Of a payment without an id it may be the first.
        if (asked && asked.requestId !== null) this.strays.set(record.id, { asked, record })
        this.#task(
          `The service has ${record.id} of ${inShillings(record.amount)} (${record.text}). Nobody asked for it.`,
        )
      }
    }
  }

  #task(text: string): void {
    this.#book.addTask(text, this.#clock.now())
  }
}

const inShillings = (cents: number) => `${cents / 100} shillings`

/** The reason in any of the three published forms of an error. */
function reasonOf(body: Record<string, unknown> | null): string | undefined {
  const { code, errorCode, message, details } = { ...body, ...(body?.['error'] as object | undefined) } as Record<
    string,
    string | undefined
  >
  const words = [code ?? errorCode, message, details].filter(Boolean)
  return words.length > 0 ? words.join(': ') : undefined
}
