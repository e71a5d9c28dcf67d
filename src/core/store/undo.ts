/** What must be taken back with a savepoint besides the rows of the database. */

/**
 * State that the core keeps in memory (counters, balances, caches, the clock, the scenario in force) rolls back with the
 * savepoint that changed it. Whoever changes such state registers how to take the change back.
 */
export class UndoLog {
  /** Each is what takes a change back, and what it is told: most commands are kept, and make no function for that. */
  readonly #steps: unknown[] = []

  /** Registers what takes a change back when its command or its whole batch is rolled back; the last change goes first. */
  onRollback(takeBack: () => void): void
  onRollback<A, B>(takeBack: (of: A, before: B) => void, of: A, before: B): void
  onRollback(takeBack: (of?: never, before?: never) => void, of?: unknown, before?: unknown): void {
    this.#steps.push(takeBack, of, before)
  }

  /** A point to roll back to. */
  mark(): number {
    return this.#steps.length
  }

  rollbackTo(mark: number): void {
    while (this.#steps.length > mark) {
      const [takeBack, of, before] = this.#steps.splice(-3)
      ;(takeBack as (of: unknown, before: unknown) => void)(of, before)
    }
  }

  /** After a commit there is nothing to take back. */
  clear(): void {
    this.#steps.length = 0
  }
}
