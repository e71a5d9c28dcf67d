/** Payments as they are stored. */
import type { Currency } from '../model/money.ts'
import type { PaymentKind } from '../model/payment.ts'

/** A payment as it is stored. */
export interface PaymentRow {
  seq: number
  kind: PaymentKind
  id: number
  organisation_id: number
  counterparty_id: number | null
  reference_id: string | null
  currency: Currency
  amount_minor: number
  status: string
  created_at_us: number
  updated_at_us: number
  due_at_us: number | null
  due_seq: number | null
  due_event: string | null
  /** An `Asked`. */
  asked: string
  /** A `Plan`. */
  plan: string
  /** A `JsonObject`. */
  details: string
  /** `Moments`. */
  history: string
  last_callback_id: number | null
}

/** Of `PaymentRow`: whom a payment is with stands in its request, and is a column to look it up by. */
export const COLUMNS = `seq, kind, id, organisation_id, counterparty_id, payment.reference_id, currency, amount_minor, status,
  created_at_us, updated_at_us, due_at_us, due_seq, due_event, asked, plan, details, history,
  last_callback_id`
