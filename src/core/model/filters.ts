/** Filters of lists. */
import type { Currency } from './money.ts'
import type { PaymentKind } from './payment.ts'
import type { InstantUs } from './time.ts'

export interface PaymentFilter {
  kinds?: readonly PaymentKind[]
  organisationIds?: readonly number[]
  counterpartyId?: number
  status?: string
  statuses?: readonly string[]
  leastMinor?: number | undefined
  mostMinor?: number | undefined
  currency?: Currency
  notCurrency?: Currency
  referenceId?: string
  party?: string
  texts?: readonly string[] | undefined
  sinceUs?: InstantUs | undefined
  untilUs?: InstantUs | undefined
  fromSeq?: number
  throughSeq?: number
}

/** The part of a table for one page: between two instants (both included) and after or before a number. */
export interface Stretch {
  sinceUs?: InstantUs | undefined
  untilUs?: InstantUs | undefined
  after?: number | undefined
  before?: number | undefined
  texts?: readonly string[] | undefined
}

/** Limits the count of a party's earlier payments, so that a payment costs the same however many there are. */
export const LONGEST_HISTORY = 1000
