/** Counts and sums of earlier payments, for rules and limits. */
import { LONGEST_HISTORY } from '../model/filters.ts'
import type { Currency } from '../model/money.ts'
import type { PaymentKind } from '../model/payment.ts'
import type { InstantUs } from '../model/time.ts'
import type { Sql, SqlValue, Statement } from '../sql.ts'

/** States in which a payment moved no money, so it counts towards no limit. */
const VAIN = "('FAILED', 'EXPIRED', 'CANCELLED')"

export interface Spender {
  organisationId?: number
  party?: string
}

export class Activity {
  readonly #sql: Sql
  readonly #outcomes: Statement<{ status: string; count: number }>
  readonly #last: Statement<{ seq: number }>
  readonly #createdAt: Statement<{ seq: number; created_at_us: number }>

  constructor(sql: Sql) {
    this.#sql = sql
    this.#outcomes = sql.prepare(
      `SELECT status, count(*) AS count FROM
         (SELECT status FROM payment WHERE party = ? AND kind = ? ORDER BY seq DESC LIMIT ${LONGEST_HISTORY})
       GROUP BY status`,
    )
    this.#last = sql.prepare('SELECT seq FROM payment ORDER BY seq DESC LIMIT 1')
    this.#createdAt = sql.prepare('SELECT seq, created_at_us FROM payment WHERE seq >= ? ORDER BY seq LIMIT 1')
  }

  /** By state: how many of the party's last thousand payments of a kind are in it. */
  outcomes(kind: PaymentKind, party: string): ReadonlyMap<string, number> {
    return new Map(this.#outcomes.all(party, kind).map(({ status, count }) => [status, count]))
  }

  made(kind: PaymentKind, since: InstantUs, by: Spender): number {
    const [column, who] = by.party === undefined ? ['organisation_id', by.organisationId] : ['party', by.party]
    return (
      this.#sql
        .prepare<{ n: number }>(`SELECT count(*) AS n FROM payment WHERE ${column} = ? AND kind = ? AND seq >= ?`)
        .get(who ?? null, kind, this.#firstSince(since))?.n ?? 0
    )
  }

  /** Minor units since an instant, without payments that failed. */
  spent(kinds: readonly PaymentKind[], currency: Currency, since: InstantUs, by: Spender = {}): number {
    const parts = [
      `kind IN (${kinds.map(() => '?').join(', ')})`,
      '+currency = ?',
      'seq >= ?',
      `+status NOT IN ${VAIN}`,
    ]
    const values: SqlValue[] = [...kinds, currency, this.#firstSince(since)]
    if (by.organisationId !== undefined) {
      parts.push('organisation_id = ?')
      values.push(by.organisationId)
    }
    if (by.party !== undefined) {
      parts.push('party = ?')
      values.push(by.party)
    }
    return (
      this.#sql
        .prepare<{ total: number | null }>(
          `SELECT sum(amount_minor) AS total FROM payment WHERE ${parts.join(' AND ')}`,
        )
        .get(...values)?.total ?? 0
    )
  }

  /** The first payment at or after an instant, by binary search, because stamps rise with the order. */
  #firstSince(since: InstantUs): number {
    let low = 1
    let high = (this.#last.get()?.seq ?? 0) + 1
    while (low < high) {
      const middle = Math.floor((low + high) / 2)
      const found = this.#createdAt.get(middle)
      if (!found || found.created_at_us >= since) high = middle
      else low = found.seq + 1
    }
    return low
  }
}
