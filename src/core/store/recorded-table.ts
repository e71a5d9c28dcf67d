/** What came to a world from outside, in the order in which it was worked on. */
import type { Sql, Statement } from '../sql.ts'

/** A world is recorded up to so many entries, and so many characters of them. */
const RECORDED_MAX = { entries: 50_000, characters: 64 * 1024 ** 2 }

/**
 * Entries of a recording, written with the commit of what they are about. Work that is refused is taken back with its
 * savepoint, and its entry is not: a refusal counts too.
 */
export class RecordedTable {
  /** Nothing is noted while this holds: it belongs to an entry that was noted, or only seems to happen. */
  muted = false
  readonly #sql: Sql
  readonly #insert: Statement<never>
  #pending: { n: number; entry: string }[] = []
  #counted: { last: number; characters: number } | undefined

  constructor(sql: Sql) {
    this.#sql = sql
    this.#insert = sql.prepare('INSERT INTO recorded (n, entry) VALUES (?, ?)')
  }

  /** Notes an entry for the end of the batch, and gives its number. What is too much is counted and not kept. */
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

  /** More came than is kept. */
  get full(): boolean {
    const { last, characters } = this.#counts
    return last > RECORDED_MAX.entries || characters > RECORDED_MAX.characters
  }

  /** What there is, counted when somebody asks: most worlds are not recorded. */
  get #counts(): { last: number; characters: number } {
    this.#counted ??= this.#sql
      .prepare<{ last: number; characters: number }>(
        'SELECT coalesce(max(n), 0) AS last, coalesce(sum(length(entry)), 0) AS characters FROM recorded',
      )
      .get() ?? { last: 0, characters: 0 }
    return this.#counted
  }

  /** At the end of a batch, inside its transaction. */
  flush(): void {
    for (const { n, entry } of this.#pending) this.#insert.run(n, entry)
    this.#pending.length = 0
  }

  /** The batch failed: nothing of it happened. */
  drop(): void {
    this.#pending.length = 0
  }

  /** All of it, in order. */
  all(): { n: number; entry: string }[] {
    return this.#sql.prepare<{ n: number; entry: string }>('SELECT n, entry FROM recorded ORDER BY n').all()
  }

  /** Forgets it. */
  clear(): void {
    this.#sql.exec('DELETE FROM recorded')
    this.#counted = { last: 0, characters: 0 }
  }
}
