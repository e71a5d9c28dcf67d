import type { Core } from '../core.ts'
import type { DomainEvent } from '../model/journal.ts'

/** More than one batch tells, so that a reader who is told of it at its end finds all of it. */
const KEPT = 1_000
/** While nobody reads: with the others, 200,000 payments took some 20 MB more, because the collector copied each event. */
const KEPT_UNREAD = 200

export interface PastEvents {
  epoch: string
  newest: number
  last: readonly DomainEvent[]
}

export interface Listener {
  readonly kind: 'stream' | 'payer' | 'wait' | 'settle'
  happened(domainEvent: DomainEvent, n: number): void
  ended(): void
}

interface FeedOptions {
  epoch: string
  core: Core
  /** Gets every event. */
  published(domainEvent: DomainEvent): void
  /** Gets what a listener throws, which must not fail the commit. */
  failed(error: unknown): void
}

/**
 * Records in a command and publishes at the commit, so a rolled-back command tells nothing. Readers keep their own
 * position, so a slow one costs no memory.
 */
export class Feed {
  /** Names this life of the world, because event numbers start again after a reset. */
  readonly epoch: string
  readonly #options: FeedOptions
  readonly #listeners = new Set<Listener>()
  readonly #kept: DomainEvent[] = []
  #forgotten = 0
  #recorded: DomainEvent[] = []
  #closed = false
  readonly #takeBack = () => {
    this.#recorded.pop()
  }
  readonly #publish = () => {
    const recorded = this.#recorded
    this.#recorded = []
    for (const domainEvent of recorded) {
      this.#kept.push(domainEvent)
      this.#options.published(domainEvent)
      for (const listener of this.#listeners) this.#tell(listener, domainEvent)
    }
    const over = this.#kept.length - (this.#listeners.size > 0 ? KEPT : KEPT_UNREAD)
    if (over > 0) this.#forgotten += this.#kept.splice(0, over).length
  }

  constructor({ past, ...options }: FeedOptions & { past?: PastEvents | undefined }) {
    this.epoch = past?.epoch ?? options.epoch
    this.#kept.push(...(past?.last ?? []))
    this.#forgotten = (past?.newest ?? 0) - this.#kept.length
    this.#options = options
  }

  /** Published only if the command commits. */
  record(domainEvent: DomainEvent): void {
    const { commit, store } = this.#options.core
    if (this.#recorded.length === 0) commit.afterCommit(this.#publish)
    this.#recorded.push(domainEvent)
    store.undo.onRollback(this.#takeBack)
  }

  listen(listener: Listener): () => void {
    if (this.#closed) listener.ended()
    else this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  count(kind: Listener['kind']): number {
    return [...this.#listeners].filter((listener) => listener.kind === kind).length
  }

  get newest(): number {
    return this.#forgotten + this.#kept.length
  }

  get oldest(): number {
    return this.#forgotten + 1
  }

  at(n: number): DomainEvent | undefined {
    return this.#kept[n - this.oldest]
  }

  past(): PastEvents {
    return { epoch: this.epoch, newest: this.newest, last: this.#kept.slice(-KEPT_UNREAD) }
  }

  close(): void {
    this.#closed = true
    for (const listener of this.#listeners) listener.ended()
    this.#listeners.clear()
  }

  #tell(listener: Listener, domainEvent: DomainEvent): void {
    try {
      listener.happened(domainEvent, this.newest)
    } catch (error) {
      this.#options.failed(error)
    }
  }
}
