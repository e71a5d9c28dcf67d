/** What happens in a world, as it is told to logs, streams and those who wait. */
import type { Clock, ClockMode } from '../clock/clock.ts'
import type { Attempt, Callback, CallbackState } from '../model/callback.ts'
import type { MomentBy } from '../model/moments.ts'
import type { Currency } from '../model/money.ts'
import type { Payment, PaymentKind } from '../model/payment.ts'
import type { InstantUs } from '../model/time.ts'
import type { JournalEntry } from '../store/journal-table.ts'

/** What can happen in a world. Each is the word by which streams and questions ask for it. */
export const domainEventTypes = ['payment', 'callback', 'request', 'inbox', 'clock', 'scenario', 'wallet'] as const

/**
 * Something that happened in a world. Small on purpose, because every world keeps its newest ones: it names what it is
 * about and says what may be different later; the rest is looked up when somebody wants to see it.
 */
export type DomainEvent = {
  /** The world's clock when it happened. Stamps of records may be microseconds later, because no two are the same. */
  atUs: InstantUs
} & (
  | PaymentDomainEvent
  | CallbackDomainEvent
  | RequestDomainEvent
  | { type: 'inbox'; id: number; name: string }
  | { type: 'clock'; mode: ClockMode; rate: number; fromUs: InstantUs }
  | { type: 'scenario'; name: string }
  | { type: 'wallet'; organisationId: number; currency: Currency; amountMinor: number }
)

/** A payment came to be, or went from one state to another. */
export interface PaymentDomainEvent {
  type: 'payment'
  seq: number
  kind: PaymentKind
  uuid: string
  /** Null when it has just been made. */
  from: string | null
  to: string
  by: MomentBy
  updatedAtUs: InstantUs
}

/** A callback was written, tried, set free, or asked for again. */
export interface CallbackDomainEvent {
  type: 'callback'
  id: number
  uid: string
  url: string
  state: CallbackState
  attempts: number
  settledAtUs: InstantUs | null
  /** When it is tried next, if it is. */
  nextAtUs: InstantUs | null
  /** The try that it is about, if it is about one. */
  attempt: Pick<Attempt, 'number' | 'status' | 'error' | 'diagnosis' | 'tookMs'> | null
}

/** A request to the service was answered. */
export interface RequestDomainEvent {
  type: 'request'
  seq: number
  requestId: string
  operation: string | null
  method: string
  path: string
  status: number
  rule: string | null
}

/** What tells of events: the core of a world. */
interface Emitter {
  readonly clock: Clock
  emit(domainEvent: DomainEvent): void
}

/** Tells of a payment as it is now. */
export function emitPaymentEvent(core: Emitter, payment: Payment, from: string | null, by: MomentBy): void {
  const { seq, kind, uuid, status: to, updatedAtUs } = payment
  core.emit({ type: 'payment', atUs: core.clock.now(), seq, kind, uuid, from, to, by, updatedAtUs })
}

/** Tells of a callback as it is now, when it is tried next, and of the try that made it so. */
export function emitCallbackEvent(
  core: Emitter,
  callback: Callback,
  nextAtUs: InstantUs | null,
  tried: Attempt | null = null,
): void {
  const { id, uid, url, state, attempts, settledAtUs } = callback
  const attempt = tried && {
    number: tried.number,
    status: tried.status,
    error: tried.error,
    diagnosis: tried.diagnosis,
    tookMs: tried.tookMs,
  }
  core.emit({
    type: 'callback',
    atUs: core.clock.now(),
    id,
    uid,
    url,
    state,
    attempts,
    settledAtUs,
    nextAtUs,
    attempt,
  })
}

/** Tells of a request that was answered. */
export function emitRequestEvent(core: Emitter, entry: JournalEntry): void {
  const { seq, requestId, operation, method, path, status, rule } = entry
  core.emit({ type: 'request', atUs: core.clock.now(), seq, requestId, operation, method, path, status, rule })
}

/** Tells that the clock was set or moved, from an instant to now. */
export function emitClockEvent(core: Emitter, fromUs: InstantUs): void {
  const { mode, rate } = core.clock
  core.emit({ type: 'clock', atUs: core.clock.now(), mode, rate, fromUs })
}
