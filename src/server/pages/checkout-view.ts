/** What a checkout page shows. */
import type { Zone } from '../../core/model/calendar.ts'
import type { CardOutcome } from '../../core/model/card.ts'
import type { PageDetails } from '../../core/model/kind.ts'
import type { Payment } from '../../core/model/payment.ts'
import type { InstantUs } from '../../core/model/time.ts'
import type { PayerProblems } from '../control/checkout/payer.ts'

/** Why a page is shown in answer to a form. */
export type Notice = 'under-way' | 'not-offered' | 'foreign' | 'check-fields'

export interface CheckoutView {
  payment: Payment
  merchant: string
  session: PageDetails
  /** Why it failed, without a full stop; undefined where the record does not say. */
  failure: string | undefined
  /** The reference that the merchant was told. */
  publicRef: string
  /** Where the payer goes, with what is added to it. */
  successUrl: string
  cancelUrl: string
  notice: Notice | undefined
  /** What was wrong with what the payer entered, and what of it may be shown again. */
  entered: Entry | undefined
  /** Cards of the scenario that do something else than pay. */
  cards: readonly { number: string; outcome: CardOutcome }[]
  /** What waits for its payer ends then by itself. */
  dueAtUs: InstantUs | undefined
  frozen: boolean
  /** World seconds in a real one. */
  rate: number
  nowUs: InstantUs
  /** In which times are shown. */
  zone: Zone
  baseUrl: string
}

/** A form that came back: the card's number and code are never sent again. */
export interface Entry {
  method: string
  problems: PayerProblems
  expiry: string
  name: string
  phoneNumber: string
}
