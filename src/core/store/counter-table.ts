/** Named counters: record ids, orders, draws. */
import type { Chance } from '../model/chance.ts'
import type { Sql, SqlValue, Statement } from '../sql.ts'

interface Counter {
  readonly name: string
  value: number
  dirty: boolean
}

/**
 * Kept in memory, written once per commit and rolled back with their command, so that the same commands always get the
 * same numbers.
 */
export class Counters {
  readonly #counters = new Map<string, Counter>()
  readonly #dirty: Counter[] = []
  readonly #undo: UndoLog
  readonly #save: Statement<never>

  constructor(sql: Sql, undo: UndoLog) {
    this.#undo = undo
    this.#save = sql.prepare(
      'INSERT INTO counter (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
    )
    for (const row of sql.prepare<{ name: string; value: number }>('SELECT name, value FROM counter').all()) {
      this.#counters.set(row.name, { ...row, dirty: false })
    }
  }

  current(name: string): number {
    return this.#counters.get(name)?.value ?? 0
  }

  next(name: string): number {
    return this.rise(name, 1)
  }

  /** Moves to `floor`, or a step beyond the present value where that is higher: strictly increasing. */
  rise(name: string, floor: number, step = 1): number {
    const counter = this.#counters.get(name)
    const value = Math.max(floor, (counter?.value ?? 0) + step)
    this.#set(name, counter, value)
    return value
  }

  set(name: string, value: number): void {
    const counter = this.#counters.get(name)
    if ((counter?.value ?? 0) !== value) this.#set(name, counter, value)
  }

  withPrefix(prefix: string): string[] {
    return [...this.#counters.keys()].filter((name) => name.startsWith(prefix))
  }

  flush(): void {
    for (const counter of this.#dirty) {
      counter.dirty = false
      // One that began in work that was taken back was never there.
      if (this.#counters.get(counter.name) === counter) this.#save.run(counter.name, counter.value)
    }
    this.#dirty.length = 0
  }

  #set(name: string, known: Counter | undefined, value: number): void {
    const counter = known ?? { name, value, dirty: false }
    if (!known) this.#counters.set(name, counter)
    const before = known?.value
    this.#undo.onRollback(() => {
      if (before !== undefined) counter.value = before
      else this.#counters.delete(name)
    })
    counter.value = value
    if (counter.dirty) return
    counter.dirty = true
    this.#dirty.push(counter)
  }
}

// Rolls back state in memory together with a savepoint.

/**
 * Counters, balances, caches, the clock and the scenario in force roll back with the savepoint that changed them. Code
 * that changes such state registers how to undo it.
 */
export class UndoLog {
  readonly #steps: (() => void)[] = []

  /** Runs when the command or its whole batch rolls back, last change first. */
  onRollback(takeBack: () => void): void {
    this.#steps.push(takeBack)
  }

  mark(): number {
    return this.#steps.length
  }

  rollbackTo(mark: number): void {
    while (this.#steps.length > mark) this.#steps.pop()?.()
  }

  clear(): void {
    this.#steps.length = 0
  }
}

// Single values of a world, as JSON under a name: seed, clock, scenario source.

const PAUSED = 'callbacks-paused'

export class Meta {
  readonly #get: Statement<{ value: string }>
  readonly #set: Statement<never>
  readonly #remove: Statement<never>
  readonly #undo: UndoLog
  /** Names without a value, remembered because every callback asks for some. */
  readonly #absent = new Set<string>()

  constructor(sql: Sql, undo = new UndoLog()) {
    this.#undo = undo
    this.#get = sql.prepare('SELECT value FROM meta WHERE key = ?')
    this.#set = sql.prepare(
      'INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
    )
    this.#remove = sql.prepare('DELETE FROM meta WHERE key = ?')
  }

  get<T>(key: string): T | undefined {
    if (this.#absent.has(key)) return undefined
    const row = this.#get.get(key)
    if (row) return JSON.parse(row.value)
    this.#absent.add(key)
    return undefined
  }

  set(key: string, value: unknown): void {
    this.#absent.delete(key)
    this.#set.run(key, JSON.stringify(value))
  }

  remove(key: string): void {
    this.#undo.onRollback(() => this.#absent.delete(key))
    this.#remove.run(key)
  }

  /** An imported world sends no callback before an operator resumes them, because its addresses may be a stranger's. */
  get callbacksPaused(): boolean {
    return this.get<true>(PAUSED) === true
  }

  pauseCallbacks(): void {
    this.set(PAUSED, true)
  }

  resumeCallbacks(): void {
    this.remove(PAUSED)
  }
}

// Shared by all tables of a world.

export type Shared = Pick<Table, 'sql' | 'undo' | 'meta' | 'counters' | 'ids'>

/** For a database that has its tables. `ids`: reads back the number that an id of this world carries. */
export function sharedIn(sql: Sql, ids: Chance): Shared {
  const undo = new UndoLog()
  return { sql, undo, meta: new Meta(sql, undo), counters: new Counters(sql, undo), ids }
}

export abstract class Table {
  readonly sql: Sql
  readonly undo: UndoLog
  readonly meta: Meta
  readonly counters: Counters
  readonly ids: Chance

  constructor({ sql, undo, meta, counters, ids }: Shared) {
    this.sql = sql
    this.undo = undo
    this.meta = meta
    this.counters = counters
    this.ids = ids
  }

  // Questions that are rare: others are prepared as the table is made.

  protected row<Row>(text: string, ...values: SqlValue[]): Row | undefined {
    return this.sql.prepare<Row>(text).get(...values)
  }

  protected rows<Row>(text: string, ...values: SqlValue[]): Row[] {
    return this.sql.prepare<Row>(text).all(...values)
  }

  protected run(text: string, ...values: SqlValue[]): void {
    this.sql.prepare(text).run(...values)
  }
}
