/** Which payments carry a caller's reference. */
import type { Sql, Statement } from '../sql.ts'
import type { Meta } from './meta-table.ts'
import type { UndoLog } from './undo.ts'

/** So many payments at most are not in the table at the end of a commit. */
const BEHIND_MAX = 2048
/** The fact of a world that says up to which payment they are. */
const THROUGH = 'referenced'

/**
 * The table behind a search for a reference. References come in no order, and to put each in its place as it comes would
 * write a page for nearly every payment, 11 to 23 % of a commit's processor time; so they are put there many together, or
 * when somebody looks for one.
 */
export class References {
  readonly #sql: Sql
  readonly #meta: Meta
  readonly #undo: UndoLog
  readonly #newest: Statement<{ seq: number | null }>
  readonly #take: Statement<never>
  /** The last payment that was looked at; undefined until it is asked for. */
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

  /** Keeps the table from falling far behind. `lastSeq`: the number that was given to a payment last. */
  follow(lastSeq: number): void {
    if (lastSeq - this.#through() >= BEHIND_MAX) this.catchUp()
  }

  /** Puts all payments in the table that are stored. */
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
