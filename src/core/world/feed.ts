/** The stream of a world's domain events, for live and late listeners. */
import type { CallbackDomainEvent, DomainEvent, PaymentDomainEvent, RequestDomainEvent } from '../model/journal.ts'
import { must } from '../model/must.ts'
import type { UndoLog } from '../store/counter-table.ts'

const KEPT = 2_000

/** Fewer, because a closed world is closed to save memory. */
const KEPT_CLOSED = 200

/** Passed from the feed of a closed world to that of the reopened one. */
export interface PastEvents {
  epoch: string
  newest: number
  last: readonly DomainEvent[]
}

export interface Listener {
  readonly kind: 'stream' | 'payer' | 'wait' | 'settle'
  happened(domainEvent: DomainEvent, n: number): void
  /** The world was reset or removed, or mfano stops. */
  ended(): void
}

/**
 * Records in a command and publishes at the commit, so a rolled-back command tells nothing. Readers keep their own
 * position, so a slow one costs no memory.
 */
export class Feed {
  /** Names this life of the world, because event numbers start again after a reset. */
  readonly epoch: string
  readonly #undo: UndoLog
  readonly #afterCommit: (work: () => void) => void
  readonly #published: (domainEvent: DomainEvent) => void
  readonly #failed: (error: unknown) => void
  readonly #listeners = new Set<Listener>()
  readonly #kept = new KeptEvents(KEPT)
  #newest = 0
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

  /** `published` gets every event. `failed` gets what a listener throws, which must not fail the commit. */
  constructor(options: {
    epoch: string
    past?: PastEvents | undefined
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

  /** Published only if the command commits. */
  record(domainEvent: DomainEvent): void {
    if (this.#recorded.length === 0) this.#afterCommit(this.#publish)
    this.#recorded.push(domainEvent)
    this.#undo.onRollback(this.#takeBack)
  }

  listen(listener: Listener): () => void {
    if (this.#closed) listener.ended()
    else this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  get uncommitted(): readonly DomainEvent[] {
    return this.#recorded
  }

  count(kind: Listener['kind']): number {
    let count = 0
    for (const listener of this.#listeners) if (listener.kind === kind) count++
    return count
  }

  get newest(): number {
    return this.#newest
  }

  get oldest(): number {
    return Math.max(this.#forgotten, this.#newest - KEPT) + 1
  }

  at(n: number): DomainEvent | undefined {
    return n >= this.oldest && n <= this.#newest ? this.#kept.get(n) : undefined
  }

  past(): PastEvents {
    const first = Math.max(this.oldest, this.#newest - KEPT_CLOSED + 1)
    const last = Array.from({ length: this.#newest - first + 1 }, (_, i) => must(this.at(first + i)))
    return { epoch: this.epoch, newest: this.#newest, last }
  }

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

// The newest domain events of a world, stored compactly.

/** Events per block. Small, because identifiers stay on V8's heap until their block is full. */
const BLOCK = 50
const NUMBERS = 8
type Words = readonly (string | null)[]

interface Block {
  readonly numbers: Float64Array
  readonly words: (Words | undefined)[]
  readonly identifiers: Identifiers
  readonly whole: (DomainEvent | 'payment' | 'callback' | 'request' | undefined)[]
}

type TakenApart = Extract<DomainEvent, { type: 'payment' | 'callback' | 'request' }>

/**
 * A ring buffer. Frequent kinds are stored in parts: V8 would copy each long-lived object twice, and one step of a
 * payment makes a dozen. Kept whole, a step takes 23 to 31 % more processor time.
 */
class KeptEvents {
  readonly places: number
  readonly #blocks: Block[] = []
  readonly #newest: Record<TakenApart['type'], Words> = { payment: [], callback: [], request: [] }

  constructor(places: number) {
    this.places = places
  }

  set(n: number, domainEvent: DomainEvent): void {
    const place = n % this.places
    const { type } = domainEvent
    const block = this.#block(place)
    const i = place % BLOCK
    const isKept =
      (type === 'payment' || type === 'callback' || type === 'request') && this.#takeApart(block, i, domainEvent)
    block.whole[i] = isKept ? type : domainEvent
    if (i === BLOCK - 1 || place === this.places - 1) block.identifiers.putDown()
  }

  get(n: number): DomainEvent | undefined {
    const place = n % this.places
    const block = this.#blocks[Math.floor(place / BLOCK)]
    const whole = block?.whole[place % BLOCK]
    if (typeof whole !== 'string') return whole
    return block && read[whole](block, place % BLOCK)
  }

  #block(place: number): Block {
    const at = Math.floor(place / BLOCK)
    this.#blocks[at] ??= {
      numbers: new Float64Array(BLOCK * NUMBERS),
      words: Array(BLOCK).fill(undefined),
      identifiers: new Identifiers(),
      whole: Array(BLOCK).fill(undefined),
    }
    return this.#blocks[at]
  }

  #takeApart({ numbers, words, identifiers }: Block, i: number, e: TakenApart): boolean {
    const number = i * NUMBERS
    numbers[number] = e.atUs
    if (e.type === 'payment') {
      numbers[number + 1] = e.seq
      numbers[number + 2] = e.updatedAtUs
      words[i] = this.#words(e.type, e.kind, e.from, e.to, e.by)
      identifiers.set(i, e.uuid)
      return true
    }
    if (e.type === 'request') {
      numbers[number + 1] = e.seq
      numbers[number + 2] = e.status
      words[i] = this.#words(e.type, e.operation, e.method, e.path, e.rule)
      identifiers.set(i, e.requestId)
      return true
    }
    const { attempt } = e
    if (attempt && (attempt.error !== null || attempt.diagnosis !== null)) return false
    numbers[number + 1] = e.id
    numbers[number + 2] = e.attempts
    numbers[number + 3] = e.settledAtUs ?? Number.NaN
    numbers[number + 4] = e.nextAtUs ?? Number.NaN
    numbers[number + 5] = attempt?.number ?? Number.NaN
    numbers[number + 6] = attempt?.status ?? Number.NaN
    numbers[number + 7] = attempt?.tookMs ?? Number.NaN
    words[i] = this.#words(e.type, e.url, e.state, null, null)
    identifiers.set(i, e.uid)
    return true
  }

  /** Reuses the strings of the event before, which V8 has moved already. */
  #words(
    type: TakenApart['type'],
    one: string | null,
    two: string | null,
    three: string | null,
    four: string | null,
  ): Words {
    const newest = this.#newest[type]
    if (newest[0] === one && newest[1] === two && newest[2] === three && newest[3] === four) return newest
    const words = [one, two, three, four]
    this.#newest[type] = words
    return words
  }
}

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/**
 * Joins the identifiers of a full block into one buffer, outside of V8's heap. Each would otherwise stay as a string of
 * its own.
 */
class Identifiers {
  #bytes = new Uint8Array(0)
  #written = 0
  readonly #ends = new Uint32Array(BLOCK)
  readonly #fresh: string[] = Array(BLOCK).fill('')
  #newest = -1

  set(i: number, identifier: string): void {
    this.#fresh[i] = identifier
    this.#newest = i
  }

  get(i: number): string {
    if (i <= this.#newest) return this.#fresh[i] ?? ''
    const text = decoder.decode(this.#bytes.subarray(0, this.#written))
    return text.slice(i === 0 ? 0 : this.#ends[i - 1], this.#ends[i])
  }

  putDown(): void {
    const text = this.#fresh.join('')
    const { read, written } = encoder.encodeInto(text, this.#bytes)
    if (read < text.length) this.#bytes = encoder.encode(text)
    this.#written = read < text.length ? this.#bytes.length : written
    let end = 0
    for (let i = 0; i < BLOCK; i++) {
      end += this.#fresh[i]?.length ?? 0
      this.#ends[i] = end
    }
    this.#fresh.fill('')
    this.#newest = -1
  }
}

const read = {
  payment: (block: Block, i: number): DomainEvent => {
    const { atUs, numbers, words } = at(block, i)
    const [seq = 0, updatedAtUs = 0] = numbers
    const [kind, from, to, by] = words as [PaymentDomainEvent['kind'], string | null, string, PaymentDomainEvent['by']]
    return { type: 'payment', atUs, seq, kind, uuid: block.identifiers.get(i), from, to, by, updatedAtUs }
  },
  request: (block: Block, i: number): DomainEvent => {
    const { atUs, numbers, words } = at(block, i)
    const [seq = 0, status = 0] = numbers
    const [operation, method, path, rule] = words as [string | null, string, string, RequestDomainEvent['rule']]
    return { type: 'request', atUs, seq, requestId: block.identifiers.get(i), operation, method, path, status, rule }
  },
  callback: (block: Block, i: number): DomainEvent => {
    const { atUs, numbers, words } = at(block, i)
    const [id = 0, attempts = 0, settledAtUs, nextAtUs, nth, status, tookMs = 0] = numbers
    const number = orNull(nth)
    const [url, state] = words as [string, CallbackDomainEvent['state']]
    return {
      type: 'callback',
      atUs,
      id,
      uid: block.identifiers.get(i),
      url,
      state,
      attempts,
      settledAtUs: orNull(settledAtUs),
      nextAtUs: orNull(nextAtUs),
      attempt: number === null ? null : { number, status: orNull(status), error: null, diagnosis: null, tookMs },
    }
  },
}

function at({ numbers, words }: Block, i: number) {
  const [atUs = 0, ...rest] = numbers.subarray(i * NUMBERS, (i + 1) * NUMBERS)
  return { atUs, numbers: rest, words: words[i] ?? [] }
}

function orNull(number = Number.NaN): number | null {
  return Number.isNaN(number) ? null : number
}
