/** Domain events of a world, for logs, streams and everybody who waits. */
import type { Clock } from './clock/clock.ts'
import type { Attempt, Callback } from './model/callback.ts'
import type { DomainEvent, JournalEntry } from './model/journal.ts'
import type { MomentBy, Payment } from './model/payment.ts'
import type { InstantUs } from './model/time.ts'

interface Emitter {
  readonly clock: Clock
  emit(domainEvent: DomainEvent): void
}

export function emitPaymentEvent(core: Emitter, payment: Payment, from: string | null, by: MomentBy): void {
  const { seq, kind, uuid, status: to, updatedAtUs } = payment
  core.emit({ type: 'payment', atUs: core.clock.now(), seq, kind, uuid, from, to, by, updatedAtUs })
}

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

export function emitRequestEvent(core: Emitter, entry: JournalEntry): void {
  const { seq, requestId, operation, method, path, status, rule } = entry
  core.emit({ type: 'request', atUs: core.clock.now(), seq, requestId, operation, method, path, status, rule })
}

export function emitClockEvent(core: Emitter, fromUs: InstantUs): void {
  const { mode, rate } = core.clock
  core.emit({ type: 'clock', atUs: core.clock.now(), mode, rate, fromUs })
}
