/** Test runs, and the scenarios that were in force during each. */

import { failedStates } from '../lifecycle.ts'
import { LONGEST_HISTORY, type ScenarioPeriod, type TestRun } from '../model/journal.ts'
import type { Currency } from '../model/money.ts'
import { must } from '../model/must.ts'
import type { PaymentKind } from '../model/payment.ts'
import type { InstantUs } from '../model/time.ts'
import type { Sql, SqlValue, Statement } from '../sql.ts'
import { FirstSince } from './queries.ts'

interface Row {
  id: number
  name: string
  doc: string
}

export class Runs {
  readonly #insert: Statement<never>
  readonly #update: Statement<never>
  readonly #remove: Statement<never>
  readonly #keep: Statement<never>
  readonly #byId: Statement<Row>
  readonly #byName: Statement<Row>
  readonly #newest: Statement<Row>
  readonly #all: Statement<Row>
  readonly #addPeriod: Statement<never>
  readonly #periods: Statement<{ doc: string }>
  readonly #periodsOf: Statement<{ doc: string }>

  constructor(sql: Sql) {
    this.#insert = sql.prepare('INSERT INTO run (id, name, doc) VALUES (?, ?, ?)')
    this.#update = sql.prepare('UPDATE run SET doc = ? WHERE id = ?')
    this.#remove = sql.prepare('DELETE FROM run WHERE id = ?')
    this.#keep = sql.prepare('UPDATE scenario_period SET runId = NULL WHERE runId = ?')
    this.#byId = sql.prepare('SELECT * FROM run WHERE id = ?')
    this.#byName = sql.prepare('SELECT * FROM run WHERE name = ? ORDER BY id DESC LIMIT 1')
    this.#newest = sql.prepare('SELECT * FROM run ORDER BY id DESC LIMIT 1')
    this.#all = sql.prepare('SELECT * FROM run ORDER BY id DESC')
    this.#addPeriod = sql.prepare('INSERT INTO scenario_period (runId, doc) VALUES (?, ?)')
    this.#periods = sql.prepare('SELECT doc FROM scenario_period ORDER BY id')
    this.#periodsOf = sql.prepare('SELECT doc FROM scenario_period WHERE runId = ? ORDER BY id')
  }

  insert(run: TestRun): void {
    this.#insert.run(run.id, run.name, documentOf(run))
  }

  save(run: TestRun): void {
    this.#update.run(documentOf(run), run.id)
  }

  remove(id: number): void {
    this.#remove.run(id)
    this.#keep.run(id)
  }

  byId(id: number): TestRun | undefined {
    return toRun(this.#byId.get(id))
  }

  byName(name: string): TestRun | undefined {
    return toRun(this.#byName.get(name))
  }

  open(): TestRun | undefined {
    const newest = toRun(this.#newest.get())
    return newest?.end === null ? newest : undefined
  }

  all(): TestRun[] {
    return this.#all.all().map((row) => must(toRun(row)))
  }

  addPeriod(runId: number | null, period: ScenarioPeriod): void {
    this.#addPeriod.run(runId, JSON.stringify(period))
  }

  periods(runId?: number): ScenarioPeriod[] {
    const rows = runId === undefined ? this.#periods.all() : this.#periodsOf.all(runId)
    return rows.map(({ doc }): ScenarioPeriod => JSON.parse(doc))
  }
}

function documentOf({ note, begin, end, compared }: TestRun): string {
  return JSON.stringify({ note, begin, end, compared })
}

function toRun(row: Row | undefined): TestRun | undefined {
  if (!row) return undefined
  const document: Omit<TestRun, 'id' | 'name'> = JSON.parse(row.doc)
  return { id: row.id, name: row.name, ...document }
}

// The recording: everything that came to a world from outside, in the order in which it was worked on.

const RECORDED_MAX = { entries: 50_000, characters: 64 * 1024 ** 2 }

/**
 * Entries are written in the commit of their work. Refused work rolls back, but its entry stays, because a refusal is
 * part of the recording.
 */
export class RecordedTable {
  /** Set for work that belongs to a recorded entry, or that is a dry run. */
  muted = false
  readonly #sql: Sql
  readonly #insert: Statement<never>
  #pending: { n: number; entry: string }[] = []
  #counted: { last: number; characters: number } | undefined

  constructor(sql: Sql) {
    this.#sql = sql
    this.#insert = sql.prepare('INSERT INTO recorded (n, entry) VALUES (?, ?)')
  }

  /** Written at the end of the batch. Gives its number. Beyond the limits it only counts. */
  append(entry: object): number {
    const counts = this.#counts
    const n = ++counts.last
    if (this.full) return n
    const text = JSON.stringify(entry)
    const { valueMaxBytes = Number.POSITIVE_INFINITY } = this.#sql
    // Three bytes are the most that a character takes. What cannot be stored ends the recording as what is too much does.
    const fits = text.length * 3 <= valueMaxBytes || new TextEncoder().encode(text).length <= valueMaxBytes
    counts.characters += fits ? text.length : Number.POSITIVE_INFINITY
    if (fits) this.#pending.push({ n, entry: text })
    return n
  }

  get full(): boolean {
    const { last, characters } = this.#counts
    return last > RECORDED_MAX.entries || characters > RECORDED_MAX.characters
  }

  /** Counted on demand, because most worlds are not recorded. */
  get #counts(): { last: number; characters: number } {
    this.#counted ??= this.#sql
      .prepare<{ last: number; characters: number }>(
        'SELECT coalesce(max(n), 0) AS last, coalesce(sum(length(entry)), 0) AS characters FROM recorded',
      )
      .get() ?? { last: 0, characters: 0 }
    return this.#counted
  }

  flush(): void {
    for (const { n, entry } of this.#pending) this.#insert.run(n, entry)
    this.#pending.length = 0
  }

  drop(): void {
    this.#pending.length = 0
  }

  all(): { n: number; entry: string }[] {
    return this.#sql.prepare<{ n: number; entry: string }>('SELECT n, entry FROM recorded ORDER BY n').all()
  }

  clear(): void {
    this.#sql.exec('DELETE FROM recorded')
    this.#counted = { last: 0, characters: 0 }
  }
}

// Counts and sums of earlier payments, for rules and limits.

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
    this.#firstSince = new FirstSince(sql, 'payment', 'createdAtUs')
  }

  /** By state: how many of the party's last thousand payments of a kind are in it. */
  outcomes(kind: PaymentKind, party: string): ReadonlyMap<string, number> {
    return new Map(this.#outcomes.all(party, kind).map(({ status, count }) => [status, count]))
  }

  made(kind: PaymentKind, since: InstantUs, by: Spender): number {
    const [column, who] = by.party === undefined ? ['organisationId', by.organisationId] : ['party', by.party]
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
      parts.push('organisationId = ?')
      values.push(by.organisationId)
    }
    if (by.party !== undefined) {
      parts.push('party = ?')
      values.push(by.party)
    }
    return (
      this.#sql
        .prepare<{ total: number | null }>(`SELECT sum(amountMinor) AS total FROM payment WHERE ${parts.join(' AND ')}`)
        .get(...values)?.total ?? 0
    )
  }
}
