/** Payments that wait for the float of their rail. */
import type { Currency } from '../model/money.ts'
import type { Sql, Statement } from '../sql.ts'
import type { Counters } from './counter-table.ts'

export interface QueuedPayment {
  paymentSeq: number
  float: string
  currency: Currency
  amountMinor: number
  /** Reserved to the float by the ledger, although the float cannot cover it. */
  reservedMinor: number
}

interface Row {
  payment_seq: number
  float: string
  currency: Currency
  amount_minor: number
  reserved_minor: number
}

export class FloatQueue {
  readonly #counters: Counters
  readonly #insert: Statement<never>
  readonly #delete: Statement<never>
  readonly #bySeq: Statement<Row>
  readonly #of: Statement<Row>
  readonly #floats: Statement<{ float: string; currency: Currency }>
  readonly #totals: Statement<{ payments: number; amount_minor: number | null }>

  constructor(sql: Sql, counters: Counters) {
    this.#counters = counters
    this.#insert = sql.prepare(
      'INSERT INTO waiting (payment_seq, float, currency, amount_minor, reserved_minor) VALUES (?, ?, ?, ?, ?)',
    )
    this.#delete = sql.prepare('DELETE FROM waiting WHERE payment_seq = ?')
    this.#bySeq = sql.prepare('SELECT * FROM waiting WHERE payment_seq = ?')
    this.#of = sql.prepare('SELECT * FROM waiting WHERE float = ? AND currency = ? ORDER BY payment_seq')
    this.#floats = sql.prepare('SELECT DISTINCT float, currency FROM waiting ORDER BY float, currency')
    this.#totals = sql.prepare(
      'SELECT count(*) AS payments, sum(amount_minor) AS amount_minor FROM waiting WHERE float = ? AND currency = ?',
    )
  }

  add(one: QueuedPayment): void {
    this.#insert.run(one.paymentSeq, one.float, one.currency, one.amountMinor, one.reservedMinor)
    this.#count(one, one.reservedMinor)
  }

  remove(paymentSeq: number): boolean {
    const row = this.#bySeq.get(paymentSeq)
    if (!row) return false
    this.#delete.run(paymentSeq)
    this.#count(row, -row.reserved_minor)
    return true
  }

  has(paymentSeq: number): boolean {
    return this.#bySeq.get(paymentSeq) !== undefined
  }

  of(float: string, currency: Currency): QueuedPayment[] {
    return this.#of.all(float, currency).map((row) => ({
      paymentSeq: row.payment_seq,
      float: row.float,
      currency: row.currency,
      amountMinor: row.amount_minor,
      reservedMinor: row.reserved_minor,
    }))
  }

  floats(): { float: string; currency: Currency }[] {
    return this.#floats.all()
  }

  totals(float: string, currency: Currency): { payments: number; amountMinor: number } {
    const row = this.#totals.get(float, currency)
    return { payments: row?.payments ?? 0, amountMinor: row?.amount_minor ?? 0 }
  }

  reservedMinor(float: string, currency: Currency): number {
    return this.#counters.current(`waiting:${currency}:${float}`)
  }

  #count({ float, currency }: { float: string; currency: Currency }, changeMinor: number): void {
    this.#counters.set(`waiting:${currency}:${float}`, this.reservedMinor(float, currency) + changeMinor)
  }
}
