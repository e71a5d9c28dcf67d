/** What a question is put to: its values, looked up when it names them. */
import type { Core } from '../engine/core.ts'
import type { DomainEvent } from '../engine/domain-events.ts'
import type { Callback } from '../model/callback.ts'
import type { Payment } from '../model/payment.ts'
import type { InboxMessage } from '../store/inbox-table.ts'
import type { JournalEntry } from '../store/journal-table.ts'
import { CallbackValue, EventValue, MessageValue, PaymentValue, PendingValue, RequestValue } from './values.ts'

/** What a question is put to: one of these, or something that happened to one. */
export interface Seen {
  payment?: Payment | undefined
  callback?: Callback | undefined
  entry?: JournalEntry | undefined
  message?: InboxMessage | undefined
  domainEvent?: DomainEvent
}

/** The values that a question's parts see. Each is made when the first of them asks for it. */
export class EvaluationContext {
  static readonly #latest = new WeakMap<Core, EvaluationContext>()
  readonly #core: Core
  readonly seen: Seen
  readonly #made: Record<string, object> = {}

  constructor(core: Core, seen: Seen) {
    this.#core = core
    this.seen = seen
  }

  /** What happened, with what it is about as it was then. Many ask in turn about the same. */
  static of(core: Core, domainEvent: DomainEvent): EvaluationContext {
    const latest = EvaluationContext.#latest.get(core)
    if (latest?.seen.domainEvent === domainEvent) return latest
    const made = EvaluationContext.#of(core, domainEvent)
    EvaluationContext.#latest.set(core, made)
    return made
  }

  static #of(core: Core, domainEvent: DomainEvent): EvaluationContext {
    const { payments, callbacks, journal, inbox } = core.store
    switch (domainEvent.type) {
      case 'payment': {
        const payment = payments.bySeq(domainEvent.seq)
        if (payment) Object.assign(payment, { status: domainEvent.to, updatedAtUs: domainEvent.updatedAtUs })
        return new EvaluationContext(core, { domainEvent, payment })
      }
      case 'callback': {
        const { state, attempts, settledAtUs } = domainEvent
        const callback = callbacks.byId(domainEvent.id)
        if (callback) Object.assign(callback, { state, attempts, settledAtUs })
        return new EvaluationContext(core, { domainEvent, callback })
      }
      case 'request':
        return new EvaluationContext(core, { domainEvent, entry: journal.bySeq(domainEvent.seq) })
      case 'inbox':
        return new EvaluationContext(core, { domainEvent, message: inbox.byId(domainEvent.id) })
      default:
        return new EvaluationContext(core, { domainEvent })
    }
  }

  get payment() {
    return this.#make('payment', () => new PaymentValue({ core: this.#core, payment: this.#payment() }))
  }
  get callback() {
    return this.#make('callback', () => new CallbackValue({ core: this.#core, callback: this.seen.callback }))
  }
  get request() {
    return this.#make('request', () => new RequestValue({ core: this.#core, entry: this.seen.entry }))
  }
  get message() {
    return this.#make('message', () => new MessageValue({ message: this.seen.message }))
  }
  get event() {
    return this.#make('event', () => new EventValue({ domainEvent: this.seen.domainEvent }))
  }
  get pending() {
    return this.#make('pending', () => new PendingValue({ core: this.#core }))
  }
  get body(): unknown {
    if (this.seen.callback) return this.callback.body
    if (this.seen.entry) return this.request.body
    return this.message.body
  }
  get now() {
    return new Date(Math.floor((this.seen.domainEvent?.atUs ?? this.#core.clock.now()) / 1000))
  }

  /** The payment itself, or the one that a callback is about or that a request made. */
  #payment(): Payment | undefined {
    const { payment, callback, entry } = this.seen
    const seq = callback?.paymentSeq ?? entry?.paymentSeq ?? null
    return payment ?? (seq === null ? undefined : this.#core.store.payments.bySeq(seq))
  }

  #make<T extends object>(name: string, make: () => T): T {
    this.#made[name] ??= make()
    return this.#made[name] as T
  }
}
