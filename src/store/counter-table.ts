/** Named counters, in memory between commits. */
import type { Sql, Statement } from './sql.ts'
import type { UndoLog } from './undo.ts'

/**
 * Named counters: record ids, orders, draws. Kept in memory, written once per commit, rolled back with the command
 * that counted, so that the same commands always meet the same numbers.
 */
export class Counters {
  readonly #values = new Map<string, number>()
  readonly #dirty = new Set<string>()
  readonly #undo: UndoLog
  readonly #save: Statement<never>
  readonly #takeBack = (name: string, before: number | undefined) => {
    if (before !== undefined) this.#values.set(name, before)
    else {
      this.#values.delete(name)
      this.#dirty.delete(name)
    }
  }

  constructor(sql: Sql, undo: UndoLog) {
    this.#undo = undo
    this.#save = sql.prepare(
      'INSERT INTO counter (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
    )
    for (const row of sql.prepare<{ name: string; value: number }>('SELECT name, value FROM counter').all()) {
      this.#values.set(row.name, row.value)
    }
  }

  current(name: string): number {
    return this.#values.get(name) ?? 0
  }

  /** The next number of a series; the first is 1. */
  next(name: string): number {
    const value = this.current(name) + 1
    this.#set(name, value)
    return value
  }

  /** Moves a series to `floor`, or a step on when it is nearly there already: strictly increasing. */
  rise(name: string, floor: number, step = 1): number {
    const value = Math.max(floor, this.current(name) + step)
    this.#set(name, value)
    return value
  }

  /** Puts a series where it is told to be. */
  set(name: string, value: number): void {
    if (this.current(name) !== value) this.#set(name, value)
  }

  /** The series whose names begin so. */
  named(prefix: string): string[] {
    return [...this.#values.keys()].filter((name) => name.startsWith(prefix))
  }

  flush(): void {
    for (const name of this.#dirty) this.#save.run(name, this.current(name))
    this.#dirty.clear()
  }

  #set(name: string, value: number): void {
    const before = this.#values.get(name)
    this.#undo.onRollback(this.#takeBack, name, before)
    this.#values.set(name, value)
    this.#dirty.add(name)
  }
}
