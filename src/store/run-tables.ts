/** Runs: what was tested under a name, and the scenarios that were in force meanwhile. */
import type { Json } from '../model/payment.ts'
import type { InstantUs } from '../model/time.ts'
import type { Sql, Statement } from './sql.ts'

/** A place in what happened in a world: the newest payment, request and callback that there were. */
export interface Mark {
  atUs: InstantUs
  /** Their numbers; 0 where there was none yet. */
  payment: number
  request: number
  callback: number
}

/** What was tested under a name: whatever came behind its beginning, and not behind its end. */
export interface Run {
  id: number
  name: string
  /** For those who read the list. */
  note: string | null
  begin: Mark
  /** Null while it goes on. */
  end: Mark | null
  /** What the last comparison of books came to that was made in it; null where none was. */
  compared: Json
}

/** What there is in a scenario to fire: what it is, where it stands, and how often it did. */
export interface StretchEntry {
  what: 'rule' | 'fault' | 'callback-fault' | 'limit' | 'fee' | 'float' | 'cut-off' | 'maintenance'
  name: string
  file: string
  line: number
  /** It comes from a scenario that its own extends. */
  inherited: boolean
  hits: number
}

/** What was in force from one change of scenario or run to the next. */
export interface ScenarioStretch {
  scenario: string
  seed: number
  /** Assumptions that were not at their default, by id. */
  assumptions: Record<string, string>
  /** Null: since the world began. */
  sinceUs: InstantUs | null
  untilUs: InstantUs
  /** Its own, and those that it inherits as far as they fired. */
  entries: StretchEntry[]
}

interface Row {
  id: number
  name: string
  doc: string
}

/** Runs and stretches. */
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

  insert(run: Run): void {
    this.#insert.run(run.id, run.name, documentOf(run))
  }

  /** Saves what may change of it: its end, and what was compared. */
  save(run: Run): void {
    this.#update.run(documentOf(run), run.id)
  }

  /** What was in force meanwhile stays part of the world's past. */
  remove(id: number): void {
    this.#remove.run(id)
    this.#keep.run(id)
  }

  byId(id: number): Run | undefined {
    return toRun(this.#byId.get(id))
  }

  /** The newest of that name. */
  byName(name: string): Run | undefined {
    return toRun(this.#byName.get(name))
  }

  /** The one that goes on now: only the newest can. */
  open(): Run | undefined {
    const newest = toRun(this.#newest.get())
    return newest?.end === null ? newest : undefined
  }

  /** The newest first. */
  all(): Run[] {
    return this.#all.all().map((row) => toRun(row) as Run)
  }

  addStretch(runId: number | null, stretch: ScenarioStretch): void {
    this.#addStretch.run(runId, JSON.stringify(stretch))
  }

  /** In order: of a run, or of the whole world. */
  stretches(runId?: number): ScenarioStretch[] {
    const rows = runId === undefined ? this.#stretches.all() : this.#stretchesOf.all(runId)
    return rows.map(({ doc }) => JSON.parse(doc) as ScenarioStretch)
  }
}

function documentOf({ note, begin, end, compared }: Run): string {
  return JSON.stringify({ note, begin, end, compared })
}

function toRun(row: Row | undefined): Run | undefined {
  return row && { id: row.id, name: row.name, ...(JSON.parse(row.doc) as Omit<Run, 'id' | 'name'>) }
}
