/** The newest domain events of a world. */
import type {
  CallbackDomainEvent,
  DomainEvent,
  PaymentDomainEvent,
  RequestDomainEvent,
} from '../engine/domain-events.ts'

/** Events in a block, which is made when the first of them is kept. */
const BLOCK = 250
const NUMBERS = 8
const WORDS = 4
/** Letters of an identifier: a uuid has 36. */
const LETTERS = 40
const NONE: readonly (string | null)[] = Array(WORDS).fill(null)

interface Block {
  readonly numbers: Float64Array
  readonly words: (string | null)[]
  readonly letters: Uint8Array
  /** The event itself where it is not taken apart, or the name of what was. */
  readonly whole: (DomainEvent | 'payment' | 'callback' | 'request' | undefined)[]
}

type TakenApart = Extract<DomainEvent, { type: 'payment' | 'callback' | 'request' }>

/**
 * So many events as it has places, each in the place of an older one. The frequent kinds are taken apart: each object that
 * lives as long as two thousand events is copied twice by V8 and then collected with everything, and a payment's step makes a dozen.
 */
export class KeptEvents {
  readonly places: number
  readonly #blocks: Block[] = []
  /** The newest of each kind and place. */
  readonly #newest = { payment: NONE.slice(), callback: NONE.slice(), request: NONE.slice() }

  constructor(places: number) {
    this.places = places
  }

  /** Keeps the `n`-th event of a world. */
  set(n: number, domainEvent: DomainEvent): void {
    const place = n % this.places
    const { type } = domainEvent
    const block = this.#block(place)
    const i = place % BLOCK
    const isKept =
      (type === 'payment' || type === 'callback' || type === 'request') && this.#takeApart(block, i, domainEvent)
    block.whole[i] = isKept ? type : domainEvent
  }

  /** An event whose place no other has taken. */
  get(n: number): DomainEvent | undefined {
    const place = n % this.places
    const block = this.#blocks[Math.floor(place / BLOCK)]
    const whole = block?.whole[place % BLOCK]
    return block && typeof whole === 'string' ? read[whole](block, place % BLOCK) : (whole as DomainEvent | undefined)
  }

  #block(place: number): Block {
    const at = Math.floor(place / BLOCK)
    this.#blocks[at] ??= {
      numbers: new Float64Array(BLOCK * NUMBERS),
      words: Array(BLOCK * WORDS).fill(null),
      letters: new Uint8Array(BLOCK * LETTERS),
      whole: Array(BLOCK).fill(undefined),
    }
    return this.#blocks[at]
  }

  /** Whether it could be: not with an identifier of another length, or with a try that was not accepted. */
  #takeApart(block: Block, i: number, e: TakenApart): boolean {
    const { numbers } = block
    const number = i * NUMBERS
    numbers[number] = e.atUs
    if (e.type === 'payment') {
      numbers[number + 1] = e.seq
      numbers[number + 2] = e.updatedAtUs
      this.#words(block, i, e.type, e.kind, e.from, e.to, e.by)
      return spell(block, i, e.uuid)
    }
    if (e.type === 'request') {
      numbers[number + 1] = e.seq
      numbers[number + 2] = e.status
      this.#words(block, i, e.type, e.operation, e.method, e.path, e.rule)
      return spell(block, i, e.requestId)
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
    this.#words(block, i, e.type, e.url, e.state)
    return spell(block, i, e.uid)
  }

  /** Writes words down, of which most are like those before: then the same strings stand there again, which V8 has done with. */
  #words({ words }: Block, i: number, type: TakenApart['type'], ...said: (string | null)[]): void {
    const newest = this.#newest[type]
    for (let at = 0; at < said.length; at++) {
      const word = said[at] as string | null
      if (newest[at] !== word) newest[at] = word
      words[i * WORDS + at] = newest[at] as string | null
    }
  }
}

/** Writes an identifier down; false where it does not fit. */
function spell({ letters }: Block, i: number, text: string): boolean {
  if (text.length >= LETTERS) return false
  const at = i * LETTERS
  letters[at] = text.length
  for (let j = 0; j < text.length; j++) {
    const code = text.charCodeAt(j)
    if (code > 127) return false
    letters[at + 1 + j] = code
  }
  return true
}

function identifier({ letters }: Block, i: number): string {
  const at = i * LETTERS + 1
  return String.fromCharCode(...letters.subarray(at, at + (letters[at - 1] as number)))
}

/** What was taken apart, as it was. */
const read = {
  payment: (block: Block, i: number): DomainEvent => {
    const { atUs, numbers, words } = at(block, i)
    const [seq, updatedAtUs] = numbers as [number, number]
    const [kind, from, to, by] = words as [PaymentDomainEvent['kind'], string | null, string, PaymentDomainEvent['by']]
    return { type: 'payment', atUs, seq, kind, uuid: identifier(block, i), from, to, by, updatedAtUs }
  },
  request: (block: Block, i: number): DomainEvent => {
    const { atUs, numbers, words } = at(block, i)
    const [seq, status] = numbers as [number, number]
    const [operation, method, path, rule] = words as [string | null, string, string, RequestDomainEvent['rule']]
    return { type: 'request', atUs, seq, requestId: identifier(block, i), operation, method, path, status, rule }
  },
  callback: (block: Block, i: number): DomainEvent => {
    const { atUs, numbers, words } = at(block, i)
    const [id, attempts, settledAtUs, nextAtUs, number, status, tookMs] = numbers
    const [url, state] = words as [string, CallbackDomainEvent['state']]
    return {
      type: 'callback',
      atUs,
      id: id as number,
      uid: identifier(block, i),
      url,
      state,
      attempts: attempts as number,
      settledAtUs: settledAtUs as number | null,
      nextAtUs: nextAtUs as number | null,
      attempt:
        number == null
          ? null
          : { number, status: status as number | null, error: null, diagnosis: null, tookMs: tookMs as number },
    }
  },
}

function at({ numbers, words }: Block, i: number) {
  const [atUs, ...rest] = numbers.subarray(i * NUMBERS, (i + 1) * NUMBERS)
  return {
    atUs: atUs as number,
    numbers: rest.map((number) => (Number.isNaN(number) ? null : number)),
    words: words.slice(i * WORDS, (i + 1) * WORDS),
  }
}
