/** How commands that arrive together are committed together. */
import type { CommandOutcome } from '../core.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { worldClosed } from '../model/refusal-reasons.ts'
import { StorageFailure, storageRefusal } from '../model/storage-failure.ts'
import type { Store } from '../store/store.ts'

interface QueuedWork {
  work: () => unknown
  /** Runs in the same commit whatever became of the work. Must not throw: that would fail the whole batch. */
  conclude: ((outcome: CommandOutcome<never>) => unknown) | undefined
  /** Takes back by itself what must be taken back, so it has no savepoint of its own. */
  inParts?: boolean
  outcome: CommandOutcome<unknown>
  resolve: (value: never) => void
  reject: (error: unknown) => void
}

const BATCH_MAX = 512
/** Thrown to roll a dry run back. */
const DRY_RUN = Symbol('dry run')

/**
 * Group commit: what arrives together is committed together. A batch is one transaction with a savepoint per piece of
 * work, and nobody is answered before the commit; so one flush to disk serves hundreds of requests.
 */
export class GroupCommit {
  readonly #store: Store
  readonly #ledger: Ledger
  readonly #defer: (work: () => void) => void
  readonly #failed: (error: unknown) => void
  #queue: QueuedWork[] = []
  #scheduled = false
  #after: (() => void)[] = []
  #atEnd: () => void = () => {}
  #ended: (pieces: number, failure?: unknown) => void = () => {}
  #closed = false

  /**
   * `defer`: runs a function when the events at hand have been taken in. `failed`: runs in the same commit when a piece
   * of work has been taken back, for what is to stay of it; must not throw.
   */
  constructor(
    store: Store,
    ledger: Ledger,
    defer: (work: () => void) => void,
    failed: (error: unknown) => void = () => {},
  ) {
    this.#store = store
    this.#ledger = ledger
    this.#defer = defer
    this.#failed = failed
  }

  /** Work to do in the next batch; resolves once it is on disk, rejects with what it threw. */
  submit<T>(work: () => T): Promise<T>
  /** Work with a conclusion in the same commit, which sees the outcome and gives the result. */
  submit<T, R>(work: () => T, conclude: (outcome: CommandOutcome<T>) => R): Promise<R>
  submit(work: () => unknown, conclude?: (outcome: CommandOutcome<never>) => unknown): Promise<unknown> {
    return this.#enqueue({ work, conclude })
  }

  /**
   * Work that makes an `attempt` of each of its parts. It has no savepoint around those: the end of an inner savepoint
   * costs SQLite a walk over everything that the outer one keeps. Must not throw, like a conclusion.
   */
  submitParts<T>(work: () => T): Promise<T> {
    return this.#enqueue({ work, conclude: undefined, inParts: true }) as Promise<T>
  }

  #enqueue(item: Pick<QueuedWork, 'work' | 'conclude' | 'inParts'>): Promise<unknown> {
    if (this.#closed) return Promise.reject(worldClosed())
    return new Promise((resolve, reject) => {
      this.#queue.push({ ...item, resolve, reject, outcome: { ok: false, error: undefined } })
      if (this.#scheduled) return
      this.#scheduled = true
      this.#defer(() => this.#run())
    })
  }

  /** Work to do and commit at once, for imageCache and for time's own steps; with a conclusion as in `submit`. */
  now<T>(work: () => T): T
  now<T, R>(work: () => T, conclude: (outcome: CommandOutcome<T>) => R): R
  now(work: () => unknown, conclude?: (outcome: CommandOutcome<never>) => unknown): unknown {
    const item: QueuedWork = {
      work,
      conclude,
      resolve: () => {},
      reject: () => {},
      outcome: { ok: false, error: undefined },
    }
    this.#commit([item])
    if (!item.outcome.ok) throw item.outcome.error
    return item.outcome.value
  }

  /** Runs after the present batch is on disk; forgotten when the work that asked for it is taken back. */
  afterCommit(work: () => void): void {
    this.#after.push(work)
    this.#store.undo.onRollback(() => this.#after.splice(this.#after.indexOf(work), 1))
  }

  /** Runs at the end of every batch, inside its transaction. Must not throw: that would fail the whole batch. */
  atEnd(work: () => void): void {
    this.#atEnd = work
  }

  /**
   * Runs after every batch: with how many pieces of work it held, and what failed when the batch did, so that nothing of
   * it happened. Must not throw.
   */
  whenEnded(told: (pieces: number, failure?: unknown) => void): void {
    this.#ended = told
  }

  /**
   * Work in a savepoint of its own inside a piece of work: taken back alone when it throws. A failure of the storage is
   * not its own, and is thrown on to fail the batch.
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
   * Work in a transaction of its own that is taken back whatever comes of it, so that what would happen can be seen.
   * Inside a piece of work it is a savepoint. Throws what the work throws.
   */
  dryRun<T>(work: () => T): T {
    const { sql, undo, recorded } = this.#store
    const mark = undo.mark()
    const { muted } = recorded
    recorded.muted = true
    let outcome: { value: T } | undefined
    try {
      sql.transaction(() => {
        outcome = { value: work() }
        throw DRY_RUN
      })
    } catch (error) {
      undo.rollbackTo(mark)
      if (error !== DRY_RUN) throw error
    } finally {
      recorded.muted = muted
    }
    return (outcome as { value: T }).value
  }

  /** Nothing waits to be committed. */
  get idle(): boolean {
    return this.#queue.length === 0
  }

  /** Commits what waits and takes nothing more. */
  close(): void {
    while (this.#queue.length > 0) this.#run()
    this.#closed = true
  }

  #run(): void {
    this.#scheduled = false
    const batch = this.#queue.splice(0, BATCH_MAX)
    if (this.#queue.length > 0) {
      this.#scheduled = true
      this.#defer(() => this.#run())
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
    const { sql, undo, counters, journal, recorded, references } = this.#store
    try {
      sql.transaction(() => {
        for (const item of batch) {
          item.outcome = item.inParts ? { ok: true, value: item.work() } : this.attempt(item.work)
          if (item.conclude) item.outcome = { ok: true, value: item.conclude(item.outcome as CommandOutcome<never>) }
        }
        this.#atEnd()
        references.follow(counters.current('payment'))
        counters.flush()
        journal.flush()
        this.#ledger.flush()
        recorded.flush()
      })
    } catch (error) {
      undo.rollbackTo(0)
      recorded.drop()
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
