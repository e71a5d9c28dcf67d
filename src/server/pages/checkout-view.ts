/** The data of a checkout page. */
import type { Zone } from '../../core/model/calendar.ts'
import type { CardOutcome } from '../../core/model/card.ts'
import type { PageDetails } from '../../core/model/kind.ts'
import type { Payment } from '../../core/model/payment.ts'
import type { InstantUs } from '../../core/model/time.ts'
import type { PayerProblems } from '../control/checkout/payer.ts'

export type Notice = 'under-way' | 'not-offered' | 'foreign' | 'check-fields'

export interface CheckoutView {
  payment: Payment
  merchant: string
  session: PageDetails
  failure: string | undefined
  publicRef: string
  successUrl: string
  cancelUrl: string
  notice: Notice | undefined
  entered: CheckoutEntry | undefined
  cards: readonly { number: string; outcome: CardOutcome }[]
  dueAtUs: InstantUs | undefined
  /** The session's end is what is due. */
  expires: boolean
  frozen: boolean
  rate: number
  nowUs: InstantUs
  zone: Zone
  baseUrl: string
}

/** The payer's entry. The card's code is never sent back. */
export interface CheckoutEntry {
  method: string
  problems: PayerProblems
  number: string
  expiry: string
  name: string
  phoneNumber: string
}
