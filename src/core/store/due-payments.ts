/** Payments that fall due, read many at once. */
import type { InstantUs } from '../model/time.ts'
import type { Sql, Statement } from '../sql.ts'
import { BEGINNING, DUE_FROM } from './due-columns.ts'
import type { PaymentRow } from './payment-row.ts'

/** What payments that fall due together mostly share. */
type Shared = Pick<PaymentRow, 'kind' | 'currency' | 'status' | 'due_event' | 'plan' | 'details'>
type Found = Omit<PaymentRow, keyof Shared> & { [Column in keyof Shared]: PaymentRow[Column] | null }

/**
 * Those of `COLUMNS`; the shared ones are NULL where they are as in the payment that was read last, because each text that
 * is read is made anew. None of them is NULL in a payment that is due.
 */
const DUE_COLUMNS = `seq, nullif(kind, ?) AS kind, id, organisation_id, counterparty_id, reference_id,
  nullif(currency, ?) AS currency, amount_minor, nullif(status, ?) AS status, created_at_us, updated_at_us, due_at_us, due_seq,
  nullif(ifnull(due_event, ''), ?) AS due_event, asked, nullif(plan, ?) AS plan, nullif(details, ?) AS details, history, last_callback_id`

const NONE = { kind: null, currency: null, status: null, due_event: null, plan: null, details: null }

export class DuePayments {
  readonly #due: Statement<Found>
  #last: Shared | typeof NONE = NONE

  constructor(sql: Sql) {
    this.#due = sql.prepare(`SELECT ${DUE_COLUMNS} FROM payment WHERE ${DUE_FROM}`)
  }

  /** Those that are due by an instant, the earliest first, so many at most. */
  read(byUs: InstantUs, limit: number): PaymentRow[] {
    const { kind, currency, status, due_event, plan, details } = this.#last
    const { dueAtUs, seq } = BEGINNING
    const found = this.#due.all(kind, currency, status, due_event, plan, details, byUs, dueAtUs, seq, limit)
    for (const row of found) {
      row.kind ??= kind
      row.currency ??= currency
      row.status ??= status
      row.due_event ??= due_event
      row.plan ??= plan
      row.details ??= details
    }
    const rows = found as PaymentRow[]
    this.#last = rows.at(-1) ?? this.#last
    return rows
  }
}
