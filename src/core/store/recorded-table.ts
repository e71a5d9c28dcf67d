/** The recording: everything that came to a world from outside, in the order in which it was worked on. */
import type { Sql, Statement } from '../sql.ts'

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
