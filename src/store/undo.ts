/**
 * State that the core keeps in memory and writes back once per commit (counters, balances) must roll back with the
 * savepoint that changed it. Whoever changes such state records how to take the change back.
 */
export class UndoLog {
  #steps: (() => void)[] = []

  record(takeBack: () => void): void {
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
