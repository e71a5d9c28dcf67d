/** Domain events, for logs, streams and waiting clients. */
import type { Attempt, CallbackState } from './callback.ts'
import type { MomentBy } from './moments.ts'
import type { Currency } from './money.ts'
import type { PaymentKind } from './payment.ts'
import type { ClockMode, InstantUs } from './time.ts'

/** Streams and waits name events by these words. */
export const domainEventTypes = ['payment', 'callback', 'request', 'inbox', 'clock', 'scenario', 'wallet'] as const

/** Kept small because every world remembers its newest ones: it has ids and what may change later. Look up the rest. */
export type DomainEvent = {
  /** World time. Stamps of records may be microseconds later, because no two are equal. */
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

/** A payment was made or changed its state. */
export interface PaymentDomainEvent {
  type: 'payment'
  seq: number
  kind: PaymentKind
  uuid: string
  /** Null for a new payment. */
  from: string | null
  to: string
  by: MomentBy
  updatedAtUs: InstantUs
}

/** A callback was written, sent, released or requested again. */
export interface CallbackDomainEvent {
  type: 'callback'
  id: number
  uid: string
  url: string
  state: CallbackState
  attempts: number
  settledAtUs: InstantUs | null
  /** When the next attempt is due. */
  nextAtUs: InstantUs | null
  /** Set when the event is about an attempt. */
  attempt: Pick<Attempt, 'number' | 'status' | 'error' | 'diagnosis' | 'tookMs'> | null
}

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
