/** Single facts of a world. */
import type { Sql, Statement } from './sql.ts'

/** A world's few single facts, as JSON under a name: seed, clock, scenario source. */
export class Meta {
  readonly #get: Statement<{ value: string }>
  readonly #set: Statement<never>
  readonly #remove: Statement<never>

  constructor(sql: Sql) {
    this.#get = sql.prepare('SELECT value FROM meta WHERE key = ?')
    this.#set = sql.prepare(
      'INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
    )
    this.#remove = sql.prepare('DELETE FROM meta WHERE key = ?')
  }

  get<T>(key: string): T | undefined {
    const row = this.#get.get(key)
    return row && (JSON.parse(row.value) as T)
  }

  set(key: string, value: unknown): void {
    this.#set.run(key, JSON.stringify(value))
  }

  remove(key: string): void {
    this.#remove.run(key)
  }
}
