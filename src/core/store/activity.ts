/** Counts and sums of earlier payments, for rules and limits. */
import { failedStates } from '../lifecycle.ts'
import { LONGEST_HISTORY } from '../model/journal.ts'
import type { Currency } from '../model/money.ts'
import type { PaymentKind } from '../model/payment.ts'
import type { InstantUs } from '../model/time.ts'
import type { Sql, SqlValue, Statement } from '../sql.ts'
import { FirstSince } from './conditions.ts'

export interface Spender {
  organisationId?: number
  party?: string
}

export class Activity {
  readonly #sql: Sql
  readonly #outcomes: Statement<{ status: string; count: number }>
  readonly #firstSince: FirstSince

  constructor(sql: Sql) {
    this.#sql = sql
    this.#outcomes = sql.prepare(
      `SELECT status, count(*) AS count FROM
         (SELECT status FROM payment WHERE party = ? AND kind = ? ORDER BY seq DESC LIMIT ${LONGEST_HISTORY})
       GROUP BY status`,
    )
    this.#firstSince = new FirstSince(sql, 'payment', 'created_at_us')
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
        .get(who ?? null, kind, this.#firstSince.find(since))?.n ?? 0
    )
  }

  /** Minor units since an instant, without payments that failed. */
  spent(kinds: readonly PaymentKind[], currency: Currency, since: InstantUs, by: Spender = {}): number {
    const parts = [
      `kind IN (${kinds.map(() => '?').join(', ')})`,
      '+currency = ?',
      'seq >= ?',
      `+status NOT IN ('${failedStates.join("', '")}')`,
    ]
    const values: SqlValue[] = [...kinds, currency, this.#firstSince.find(since)]
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
}
