/** The columns of a stored payment. */

import type { Moment } from '../model/moments.ts'
import type { Currency } from '../model/money.ts'
import type { PaymentKind } from '../model/payment.ts'

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
  asked: string
  plan: string
  details: string
  history: string
  last_callback_id: number | null
}

/** Columns of `PaymentRow`, without `party`, which is derived from the request and only used in queries. */
export const COLUMNS = `seq, kind, id, organisation_id, counterparty_id, payment.reference_id, currency, amount_minor, status,
  created_at_us, updated_at_us, asked, plan, details, history,
  last_callback_id`

/** A tuple, because the names of its fields would take most of the space. */
type StoredMoment = [atUs: Moment['atUs'], event: string, status: string, by: Moment['by'], detail?: string]

export function storedMoments(history: readonly Moment[]): string {
  return JSON.stringify(
    history.map(({ atUs, event, status, by, detail }): StoredMoment => {
      return detail === undefined ? [atUs, event, status, by] : [atUs, event, status, by, detail]
    }),
  )
}

export function readMoments(text: string): Moment[] {
  const stored: StoredMoment[] = JSON.parse(text)
  return stored.map(([atUs, event, status, by, detail]) => {
    return detail === undefined ? { atUs, event, status, by } : { atUs, event, status, by, detail }
  })
}
