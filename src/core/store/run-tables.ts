/** Test runs, and the scenarios that were in force during each. */

import { failedStates } from '../lifecycle.ts'
import { LONGEST_HISTORY, type ScenarioPeriod, type TestRun } from '../model/journal.ts'
import type { Currency } from '../model/money.ts'
import type { PaymentKind } from '../model/payment.ts'
import type { InstantUs } from '../model/time.ts'
import { insertRecord, type Sql, type SqlValue } from '../sql.ts'
import { Table } from './counter-table.ts'
import { Conditions, firstSince } from './queries.ts'

interface Row {
  id: number
  name: string
  doc: string
}

export class Runs extends Table {
  save({ id, name, ...document }: TestRun): void {
    insertRecord(this.sql, 'run', { id, name, doc: JSON.stringify(document) }, 'REPLACE')
  }

  remove(id: number): void {
    this.run('DELETE FROM run WHERE id = ?', id)
    this.run('UPDATE scenario_period SET runId = NULL WHERE runId = ?', id)
  }

  byId(id: number): TestRun | undefined {
    return this.#found('WHERE id = ?', id)[0]
  }

  byName(name: string): TestRun | undefined {
    return this.#found('WHERE name = ? ORDER BY id DESC LIMIT 1', name)[0]
  }

  open(): TestRun | undefined {
    const [newest] = this.#found('ORDER BY id DESC LIMIT 1')
    return newest?.end === null ? newest : undefined
  }

  all(): TestRun[] {
    return this.#found('ORDER BY id DESC')
  }

  #found(which: string, ...values: SqlValue[]): TestRun[] {
    const rows = this.rows<Row>(`SELECT * FROM run ${which}`, ...values)
    return rows.map(({ id, name, doc }) => ({ id, name, ...JSON.parse(doc) }))
  }

  addPeriod(runId: number | null, period: ScenarioPeriod): void {
    insertRecord(this.sql, 'scenario_period', { runId, doc: JSON.stringify(period) })
  }

  periods(runId?: number): ScenarioPeriod[] {
    const { where, values } = new Conditions().add('runId = ?', runId)
    const rows = this.rows<{ doc: string }>(`SELECT doc FROM scenario_period ${where} ORDER BY id`, ...values)
    return rows.map(({ doc }): ScenarioPeriod => JSON.parse(doc))
  }
}

// The recording: everything that came to a world from outside, in the order in which it was worked on.

const RECORDED_MAX = { entries: 50_000, characters: 64 * 1024 ** 2 }

/**
 * Entries are written in the commit of their work. Refused work rolls back, but its entry stays, because a refusal is
 * part of the recording.
 */
export class RecordedTable extends Table {
  readonly pending: { n: number; entry: string }[] = []
  #counted: { last: number; characters: number } | undefined

  /** Written at the end of the batch. Gives its number. Beyond the limits it only counts. */
  append(entry: object): number {
    const counts = this.#counts
    const n = ++counts.last
    if (this.full) return n
    const text = JSON.stringify(entry)
    const { valueMaxBytes = Number.POSITIVE_INFINITY } = this.sql
    // Three bytes are the most that a character takes. What cannot be stored ends the recording as what is too much does.
    const fits = text.length * 3 <= valueMaxBytes || new TextEncoder().encode(text).length <= valueMaxBytes
    counts.characters += fits ? text.length : Number.POSITIVE_INFINITY
    if (fits) this.pending.push({ n, entry: text })
    return n
  }

  get full(): boolean {
    const { last, characters } = this.#counts
    return last > RECORDED_MAX.entries || characters > RECORDED_MAX.characters
  }

  /** Counted on demand, because most worlds are not recorded. */
  get #counts(): { last: number; characters: number } {
    const text = 'SELECT coalesce(max(n), 0) AS last, coalesce(sum(length(entry)), 0) AS characters FROM recorded'
    this.#counted ??= this.row(text) ?? { last: 0, characters: 0 }
    return this.#counted
  }

  flush(): void {
    for (const one of this.pending) insertRecord(this.sql, 'recorded', one)
    this.pending.length = 0
  }

  all(): { n: number; entry: string }[] {
    return this.rows('SELECT n, entry FROM recorded ORDER BY n')
  }
}

export function clearRecorded(sql: Sql): void {
  sql.exec('DELETE FROM recorded')
}

// Counts and sums of earlier payments, for rules and limits.

export interface Spender {
  organisationId?: number
  party?: string
}

function conditionsOf({ organisationId, party }: Spender): Conditions {
  return new Conditions().add('organisationId = ?', organisationId).add('party = ?', party)
}

export class Activity extends Table {
  /** By state: how many of the party's last thousand payments of a kind are in it. */
  outcomes(kind: PaymentKind, party: string): ReadonlyMap<string, number> {
    const text = `SELECT status, count(*) AS count FROM
      (SELECT status FROM payment WHERE party = ? AND kind = ? ORDER BY seq DESC LIMIT ${LONGEST_HISTORY})
      GROUP BY status`
    const rows = this.rows<{ status: string; count: number }>(text, party, kind)
    return new Map(rows.map(({ status, count }) => [status, count]))
  }

  made(kind: PaymentKind, since: InstantUs, by: Spender): number {
    const { where, values } = conditionsOf(by)
      .add('kind = ?', kind)
      .add('seq >= ?', firstSince(this.sql, 'payment', since))
    return this.row<{ n: number }>(`SELECT count(*) AS n FROM payment ${where}`, ...values)?.n ?? 0
  }

  /** Minor units since an instant, without payments that failed. */
  spent(kinds: readonly PaymentKind[], currency: Currency, since: InstantUs, by: Spender = {}): number {
    const { where, values } = conditionsOf(by)
      .among('kind', kinds)
      .add('+currency = ?', currency)
      .add('seq >= ?', firstSince(this.sql, 'payment', since))
      .add(`+status NOT IN ('${failedStates.join("', '")}')`)
    const text = `SELECT sum(amountMinor) AS total FROM payment ${where}`
    return this.row<{ total: number | null }>(text, ...values)?.total ?? 0
  }
}
