/** Single facts of a world. */
import type { Sql, Statement } from '../sql.ts'
import { UndoLog } from './undo.ts'

/** A world's few single facts, as JSON under a name: seed, clock, scenario source. */
export class Meta {
  readonly #get: Statement<{ value: string }>
  readonly #set: Statement<never>
  readonly #remove: Statement<never>
  readonly #undo: UndoLog
  /** What was looked for and is not there: some is asked for with every callback. */
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
    if (row) return JSON.parse(row.value) as T
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
}
