/** Test runs, and the scenarios that were in force during each. */
import { must } from '../model/must.ts'
import type { ScenarioStretch, TestRun } from '../model/test-run.ts'
import type { Sql, Statement } from '../sql.ts'

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
  readonly #addStretch: Statement<never>
  readonly #stretches: Statement<{ doc: string }>
  readonly #stretchesOf: Statement<{ doc: string }>

  constructor(sql: Sql) {
    this.#insert = sql.prepare('INSERT INTO run (id, name, doc) VALUES (?, ?, ?)')
    this.#update = sql.prepare('UPDATE run SET doc = ? WHERE id = ?')
    this.#remove = sql.prepare('DELETE FROM run WHERE id = ?')
    this.#keep = sql.prepare('UPDATE stretch SET run_id = NULL WHERE run_id = ?')
    this.#byId = sql.prepare('SELECT * FROM run WHERE id = ?')
    this.#byName = sql.prepare('SELECT * FROM run WHERE name = ? ORDER BY id DESC LIMIT 1')
    this.#newest = sql.prepare('SELECT * FROM run ORDER BY id DESC LIMIT 1')
    this.#all = sql.prepare('SELECT * FROM run ORDER BY id DESC')
    this.#addStretch = sql.prepare('INSERT INTO stretch (run_id, doc) VALUES (?, ?)')
    this.#stretches = sql.prepare('SELECT doc FROM stretch ORDER BY id')
    this.#stretchesOf = sql.prepare('SELECT doc FROM stretch WHERE run_id = ? ORDER BY id')
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

  addStretch(runId: number | null, stretch: ScenarioStretch): void {
    this.#addStretch.run(runId, JSON.stringify(stretch))
  }

  stretches(runId?: number): ScenarioStretch[] {
    const rows = runId === undefined ? this.#stretches.all() : this.#stretchesOf.all(runId)
    return rows.map(({ doc }): ScenarioStretch => JSON.parse(doc))
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
