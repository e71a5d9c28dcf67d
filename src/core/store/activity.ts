/** Totals of what parties were paid, kept beside the payments. */
import { LONGEST_HISTORY } from '../model/filters.ts'
import type { Currency } from '../model/money.ts'
import type { PaymentKind } from '../model/payment.ts'
import type { InstantUs } from '../model/time.ts'
import type { Sql, SqlValue, Statement } from '../sql.ts'

/** A payment that ended so has moved no money, so it does not use up anything. */
const VAIN = "('FAILED', 'EXPIRED', 'CANCELLED')"

/** Whose payments are added up: one organisation's, one party's, or all. */
export interface Spender {
  organisationId?: number
  party?: string
}

/** What was going on in a world: questions of rules and limits about earlier payments, all of them by an index. */
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

  /** How many of a party's last thousand payments of a kind are in which state. */
  outcomes(kind: PaymentKind, party: string): ReadonlyMap<string, number> {
    return new Map(this.#outcomes.all(party, kind).map(({ status, count }) => [status, count]))
  }

  /** How many payments of a kind were made since an instant. */
  made(kind: PaymentKind, since: InstantUs, by: Spender): number {
    const [column, who] = by.party === undefined ? ['organisation_id', by.organisationId] : ['party', by.party]
    return (
      this.#sql
        .prepare<{ n: number }>(`SELECT count(*) AS n FROM payment WHERE ${column} = ? AND kind = ? AND seq >= ?`)
        .get(who as SqlValue, kind, this.#firstSince(since))?.n ?? 0
    )
  }

  /** Minor units of what was paid since an instant, all but what came to nothing. */
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

  /** The first payment made at an instant or after it. Stamps rise with the order, so a search by halves finds it. */
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
