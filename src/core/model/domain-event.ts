/** What happens in a world, as it is told to logs, streams and those who wait. */
import type { Attempt, CallbackState } from './callback.ts'
import type { MomentBy } from './moments.ts'
import type { Currency } from './money.ts'
import type { PaymentKind } from './payment.ts'
import type { ClockMode, InstantUs } from './time.ts'

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
