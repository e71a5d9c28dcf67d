/** Single values of a world, as JSON under a name: seed, clock, scenario source. */
import type { Sql, Statement } from '../sql.ts'
import { UndoLog } from './counter-table.ts'

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
}
