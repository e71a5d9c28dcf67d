/** Commits commands that arrive together in one transaction. */
import { must } from '../model/must.ts'
import { worldClosed } from '../model/refusal.ts'
import { StorageFailure, storageRefusal } from '../sql.ts'
import type { Store } from '../store/store.ts'

export type CommandOutcome<T> = { ok: true; value: T } | { ok: false; error: unknown }

interface QueuedWork {
  work: () => unknown
  /** Runs in the same commit, whatever the outcome. Must not throw, because that would fail the whole batch. */
  conclude: ((outcome: CommandOutcome<never>) => unknown) | undefined
  outcome: CommandOutcome<unknown>
  resolve: (value: never) => void
  reject: (error: unknown) => void
}

const BATCH_MAX = 512
const DRY_RUN = Symbol('dry run')
const UNDONE: CommandOutcome<unknown> = { ok: false, error: undefined }

/**
 * A batch is one transaction with a savepoint for each piece of work. Nobody is answered before the commit, so one
 * flush to disk serves hundreds of requests.
 */
export class GroupCommit {
  readonly #store: Store
  readonly #defer: (work: () => void) => void
  readonly #failed: (error: unknown) => void
  #queue: QueuedWork[] = []
  #scheduled = false
  #after: (() => void)[] = []
  #atEnd: () => void = () => {}
  #ended: (pieces: number, failure?: unknown) => void = () => {}
  #closed = false

  /**
   * `defer` runs a function after the events that already wait. `failed` runs in the same commit after a piece of work
   * was undone, for what must stay of it; must not throw.
   */
  constructor(store: Store, defer: (work: () => void) => void, failed: (error: unknown) => void = () => {}) {
    this.#store = store
    this.#defer = defer
    this.#failed = failed
  }

  /** Resolves once the work is on disk; rejects with what it threw. */
  submit<T>(work: () => T): Promise<T>
  submit<T, R>(work: () => T, conclude: (outcome: CommandOutcome<T>) => R): Promise<R>
  submit(work: () => unknown, conclude?: (outcome: CommandOutcome<never>) => unknown): Promise<unknown> {
    if (this.#closed) return Promise.reject(worldClosed())
    return new Promise((resolve, reject) => {
      this.#queue.push({ work, conclude, resolve, reject, outcome: UNDONE })
      if (this.#scheduled) return
      this.#scheduled = true
      this.#defer(() => this.#run(1))
    })
  }

  /** Runs and commits at once, for images and for time's own steps. */
  now<T>(work: () => T): T
  now<T, R>(work: () => T, conclude: (outcome: CommandOutcome<T>) => R): R
  now(work: () => unknown, conclude?: (outcome: CommandOutcome<never>) => unknown): unknown {
    const item: QueuedWork = { work, conclude, resolve: () => {}, reject: () => {}, outcome: UNDONE }
    this.#commit([item])
    if (!item.outcome.ok) throw item.outcome.error
    return item.outcome.value
  }

  /** Runs once the present batch is on disk; dropped when the work that asked for it is undone. */
  afterCommit(work: () => void): void {
    this.#after.push(work)
    this.#store.undo.onRollback(() => this.#after.splice(this.#after.indexOf(work), 1))
  }

  /** Runs at the end of every batch, in its transaction. Must not throw, because that would fail the whole batch. */
  atEnd(work: () => void): void {
    this.#atEnd = work
  }

  /** Runs after every batch. `failure`: why the batch failed, so that nothing of it happened. Must not throw. */
  whenEnded(told: (pieces: number, failure?: unknown) => void): void {
    this.#ended = told
  }

  /**
   * A savepoint inside a piece of work: undone alone when it throws. A failure of the storage is thrown on, so that the
   * batch fails.
   */
  attempt<T>(work: () => T): CommandOutcome<T> {
    const mark = this.#store.undo.mark()
    try {
      return { ok: true, value: this.#store.sql.transaction(work) }
    } catch (error) {
      if (error instanceof StorageFailure) throw error
      this.#store.undo.rollbackTo(mark)
      this.#failed(error)
      return { ok: false, error }
    }
  }

  /**
   * All in one savepoint: with one for each, SQLite would copy a page once for each that changes it. Where one throws,
   * each has its own, so that it stops no other.
   */
  attemptAll<T>(all: readonly T[], work: (one: T) => void, failed: (error: unknown, one: T) => void = () => {}): void {
    const together = this.attempt(() => all.forEach(work))
    if (together.ok) return
    for (const one of all) {
      const alone = this.attempt(() => work(one))
      if (!alone.ok) failed(alone.error, one)
    }
  }

  /**
   * Always rolled back, so that what would happen can be seen. A savepoint when inside a piece of work. Throws what the
   * work throws.
   */
  dryRun<T>(work: () => T): T {
    const { sql, undo } = this.#store
    const mark = undo.mark()
    let outcome = (): T => must(undefined)
    try {
      sql.transaction(() => {
        const value = work()
        outcome = () => value
        throw DRY_RUN
      })
    } catch (error) {
      undo.rollbackTo(mark)
      if (error !== DRY_RUN) throw error
    }
    return outcome()
  }

  get idle(): boolean {
    return this.#queue.length === 0
  }

  close(): void {
    while (this.#queue.length > 0) this.#run(BATCH_MAX)
    this.#closed = true
  }

  /** Waits while the queue grows, so that batches are larger: with 16 callers a POST takes an eighth less time. */
  #run(present: number): void {
    const { length } = this.#queue
    if (length > present && present < BATCH_MAX) {
      this.#defer(() => this.#run(length))
      return
    }
    this.#scheduled = false
    const batch = this.#queue.splice(0, BATCH_MAX)
    if (this.#queue.length > 0) {
      this.#scheduled = true
      this.#defer(() => this.#run(BATCH_MAX))
    }
    if (batch.length === 0) return
    try {
      this.#commit(batch)
    } catch (error) {
      // The commit itself failed (disk full, say): nothing of the batch happened, and everybody is told so.
      const refusal = storageRefusal(error)
      for (const item of batch) item.reject(refusal)
      return
    }
    for (const item of batch) {
      if (item.outcome.ok) item.resolve(item.outcome.value as never)
      else item.reject(item.outcome.error)
    }
  }

  #commit(batch: QueuedWork[]): void {
    const { sql, undo, counters, ledger, recorded, payments } = this.#store
    try {
      sql.transaction(() => {
        for (const item of batch) {
          item.outcome = this.attempt(item.work)
          if (item.conclude) item.outcome = { ok: true, value: item.conclude(item.outcome as CommandOutcome<never>) }
        }
        this.#atEnd()
        payments.references.follow(counters.current('payment'))
        counters.flush()
        ledger.flush()
        if (recorded.pending.length > 0) recorded.flush()
      })
    } catch (error) {
      undo.rollbackTo(0)
      recorded.pending.length = 0
      this.#after.length = 0
      this.#ended(batch.length, error)
      throw error
    }
    undo.clear()
    this.#ended(batch.length)
    const after = this.#after
    this.#after = []
    for (const work of after) work()
  }
}
