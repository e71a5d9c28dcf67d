/** What lists are filtered by. */
import type { Currency } from './money.ts'
import type { PaymentKind } from './payment.ts'
import type { InstantUs } from './time.ts'

/** Which payments a list wants. */
export interface PaymentFilter {
  kinds?: readonly PaymentKind[]
  organisationIds?: readonly number[]
  counterpartyId?: number
  status?: string
  currency?: Currency
  notCurrency?: Currency
  referenceId?: string
  /** Whom it is with, in one spelling. */
  party?: string
  /** One of these stands in its uuid, its request, or what its record adds to that; whatever the case. */
  texts?: readonly string[] | undefined
  /** Made between these instants, both of them in. */
  sinceUs?: InstantUs | undefined
  untilUs?: InstantUs | undefined
  /** From this number on. */
  fromSeq?: number
}

/** Which part of a table a page is of: between instants, both of them in, and behind or before a number. */
export interface Stretch {
  sinceUs?: InstantUs | undefined
  untilUs?: InstantUs | undefined
  /** Only higher numbers. */
  after?: number | undefined
  /** Only lower numbers. */
  before?: number | undefined
  /** Only rows in which one of these stands, whatever its case. */
  texts?: readonly string[] | undefined
}

/** How far back the count of a party's payments goes, so that it costs the same however many there are. */
export const LONGEST_HISTORY = 1000
