/** Rolls back state in memory together with a savepoint. */

/**
 * Counters, balances, caches, the clock and the scenario in force roll back with the savepoint that changed them. Code
 * that changes such state registers how to undo it.
 */
export class UndoLog {
  readonly #steps: (() => void)[] = []

  /** Runs when the command or its whole batch rolls back, last change first. */
  onRollback(takeBack: () => void): void {
    this.#steps.push(takeBack)
  }

  mark(): number {
    return this.#steps.length
  }

  rollbackTo(mark: number): void {
    while (this.#steps.length > mark) this.#steps.pop()?.()
  }

  clear(): void {
    this.#steps.length = 0
  }
}
