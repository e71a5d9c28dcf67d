/** Domain events of a world, for those who listen and those who come late. */
import type { DomainEvent } from '../model/domain-event.ts'
import type { UndoLog } from '../store/undo.ts'
import { KeptEvents } from './kept-events.ts'

/** So many domain events are kept for those who come late. */
const KEPT = 2_000

/** And so many of those while their world is closed for being idle. */
const KEPT_CLOSED = 200

/** What the feed of a world that is put away leaves to the one that it has when it is opened again. */
export interface Past {
  epoch: string
  /** The number of the last. */
  newest: number
  last: readonly DomainEvent[]
}

/** Somebody who wants to know what happens. */
export interface Listener {
  readonly kind: 'stream' | 'payer' | 'wait' | 'settle'
  /** Called after the commit, in the order in which it happened. `n` counts the world's domain events, from 1. */
  happened(domainEvent: DomainEvent, n: number): void
  /** The world was reset or removed, or mfano is stopping: nothing more will be told. */
  ended(): void
}

/**
 * What happened in a world, the newest of it kept in memory: for those who wait, settle or listen. A command records,
 * the commit publishes, and what is taken back was never there. Whoever reads along keeps a place of his own, so nobody
 * who is slow makes it grow.
 */
export class Feed {
  /** Names this life of the world: numbers of another one mean something else. */
  readonly epoch: string
  readonly #undo: UndoLog
  readonly #afterCommit: (work: () => void) => void
  readonly #published: (domainEvent: DomainEvent) => void
  readonly #failed: (error: unknown) => void
  readonly #listeners = new Set<Listener>()
  readonly #kept = new KeptEvents(KEPT)
  #newest = 0
  /** So many are not kept any more, for reasons of their own. */
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
      this.#kept.set(++this.#newest, domainEvent)
      this.#published(domainEvent)
      for (const listener of this.#listeners) this.#tell(listener, domainEvent)
    }
  }

  /** `published` is told of everything, to the world's end; `failed` of what a listener threw, which fails no commit. */
  constructor(options: {
    epoch: string
    past?: Past | undefined
    undo: UndoLog
    afterCommit(work: () => void): void
    published(domainEvent: DomainEvent): void
    failed(error: unknown): void
  }) {
    const { past } = options
    this.epoch = past?.epoch ?? options.epoch
    if (past) {
      this.#newest = past.newest
      this.#forgotten = past.newest - past.last.length
      for (const [i, domainEvent] of past.last.entries()) this.#kept.set(this.#forgotten + 1 + i, domainEvent)
    }
    this.#undo = options.undo
    this.#afterCommit = options.afterCommit
    this.#published = options.published
    this.#failed = options.failed
  }

  /** Inside a command: something happened, if the command is committed. */
  record(domainEvent: DomainEvent): void {
    if (this.#recorded.length === 0) this.#afterCommit(this.#publish)
    this.#recorded.push(domainEvent)
    this.#undo.onRollback(this.#takeBack)
  }

  /** Tells a listener of everything from now on; gives a function that ends it. At once over in a closed world. */
  listen(listener: Listener): () => void {
    if (this.#closed) listener.ended()
    else this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** What was recorded in the batch that is being made, and may still be taken back. */
  get uncommitted(): readonly DomainEvent[] {
    return this.#recorded
  }

  /** How many of a kind listen. */
  count(kind: Listener['kind']): number {
    let count = 0
    for (const listener of this.#listeners) if (listener.kind === kind) count++
    return count
  }

  /** The number of the newest domain event; 0 when nothing has happened since the world was opened. */
  get newest(): number {
    return this.#newest
  }

  /** The number of the oldest one that is still kept; one more than the newest when there is none. */
  get oldest(): number {
    return Math.max(this.#forgotten, this.#newest - KEPT) + 1
  }

  /** A domain event that is kept. */
  at(n: number): DomainEvent | undefined {
    return n >= this.oldest && n <= this.#newest ? this.#kept.get(n) : undefined
  }

  /** The newest domain events, for the feed that follows this one. */
  past(): Past {
    const first = Math.max(this.oldest, this.#newest - KEPT_CLOSED + 1)
    const last = Array.from({ length: this.#newest - first + 1 }, (_, i) => this.at(first + i) as DomainEvent)
    return { epoch: this.epoch, newest: this.#newest, last }
  }

  /** Ends everybody's listening. */
  close(): void {
    this.#closed = true
    for (const listener of this.#listeners) listener.ended()
    this.#listeners.clear()
  }

  #tell(listener: Listener, domainEvent: DomainEvent): void {
    try {
      listener.happened(domainEvent, this.#newest)
    } catch (error) {
      this.#failed(error)
    }
  }
}
