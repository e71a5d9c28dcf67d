/** What must be taken back with a savepoint besides the rows of the database. */

/**
 * State that the core keeps in memory (counters, balances, caches, the clock, the scenario in force) rolls back with the
 * savepoint that changed it. Whoever changes such state registers how to take the change back.
 */
export class UndoLog {
  readonly #steps: (() => void)[] = []

  /** Registers what takes a change back when its command or its whole batch is rolled back; the last change goes first. */
  onRollback(takeBack: () => void): void {
    this.#steps.push(takeBack)
  }

  /** A point to roll back to. */
  mark(): number {
    return this.#steps.length
  }

  rollbackTo(mark: number): void {
    while (this.#steps.length > mark) this.#steps.pop()?.()
  }

  /** After a commit there is nothing to take back. */
  clear(): void {
    this.#steps.length = 0
  }
}
