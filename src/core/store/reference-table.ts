/** An index of payments by the caller's reference. */
import type { Sql, Statement } from '../sql.ts'
import type { Meta } from './meta-table.ts'
import type { UndoLog } from './undo.ts'

const BEHIND_MAX = 2048
const THROUGH = 'referenced'

/**
 * References come in random order: adding each at once would write a page for nearly every payment, 11 to 23 % of a
 * commit's processor time. So many are added together, or when somebody searches.
 */
export class References {
  readonly #sql: Sql
  readonly #meta: Meta
  readonly #undo: UndoLog
  readonly #newest: Statement<{ seq: number | null }>
  readonly #take: Statement<never>
  #throughSeq: number | undefined

  constructor(sql: Sql, meta: Meta, undo: UndoLog) {
    this.#sql = sql
    this.#meta = meta
    this.#undo = undo
    this.#newest = sql.prepare('SELECT max(seq) AS seq FROM payment')
    this.#take = sql.prepare(
      `INSERT INTO referenced (reference_id, payment_seq)
       SELECT reference_id, seq FROM payment WHERE seq > ? AND seq <= ? AND reference_id IS NOT NULL ORDER BY reference_id, seq`,
    )
  }

  follow(lastSeq: number): void {
    if (lastSeq - this.#through() >= BEHIND_MAX) this.catchUp()
  }

  catchUp(): void {
    const throughSeq = this.#through()
    const newestSeq = this.#newest.get()?.seq ?? 0
    if (newestSeq <= throughSeq) return
    this.#undo.onRollback(() => {
      this.#throughSeq = undefined
    })
    this.#sql.transaction(() => {
      this.#take.run(throughSeq, newestSeq)
      this.#meta.set(THROUGH, newestSeq)
    })
    this.#throughSeq = newestSeq
  }

  #through(): number {
    this.#throughSeq ??= this.#meta.get<number>(THROUGH) ?? 0
    return this.#throughSeq
  }
}
