/** Domain events, for logs, streams and waiting clients. */
import type { Attempt, CallbackState } from './callback.ts'
import type { MomentBy } from './moments.ts'
import type { Currency } from './money.ts'
import type { PaymentKind } from './payment.ts'
import type { ClockMode, InstantUs } from './time.ts'

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

export interface PaymentDomainEvent {
  type: 'payment'
  seq: number
  kind: PaymentKind
  uuid: string
  from: string | null
  to: string
  by: MomentBy
  updatedAtUs: InstantUs
}

export interface CallbackDomainEvent {
  type: 'callback'
  id: number
  uid: string
  url: string
  state: CallbackState
  attempts: number
  settledAtUs: InstantUs | null
  nextAtUs: InstantUs | null
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
