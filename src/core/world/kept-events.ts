/** The newest domain events of a world, stored compactly. */
import type { CallbackDomainEvent, DomainEvent, PaymentDomainEvent, RequestDomainEvent } from '../model/domain-event.ts'

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
export class KeptEvents {
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
