/**
 * Seeded chance. Every draw is a pure function of the world's seed, a label and a count, so there is no generator
 * state to store: a restarted world goes on where it was, and a new kind of draw does not shift the others.
 */

/** FNV-1a over a label, the seed mixed in. */
function hash(seed: number, label: string): number {
  let h = (0x811c9dc5 ^ seed) >>> 0
  for (let i = 0; i < label.length; i++) h = Math.imul(h ^ label.charCodeAt(i), 0x01000193)
  return h >>> 0
}

const UUID = /^([0-9a-f]{8})-([0-9a-f]{4})-4([0-9a-f]{3})-([89ab][0-9a-f]{3})-([0-9a-f]{4})([0-9a-f]{8})$/

/** The code of a hexadecimal digit. */
function digit(n: number): number {
  const value = n & 15
  return value + (value < 10 ? 48 : 87)
}

/** 32 bits as eight digits; made at once, as each text on the way would be one more. */
function hex(n: number): string {
  return String.fromCharCode(
    digit(n >>> 28),
    digit(n >>> 24),
    digit(n >>> 20),
    digit(n >>> 16),
    digit(n >>> 12),
    digit(n >>> 8),
    digit(n >>> 4),
    digit(n),
  )
}

/** What `hexOfFour` fills. */
const codes = new Array<number>(32).fill(0)

/** Four times 32 bits as digits; made at once as well. */
function hexOfFour(a: number, b: number, c: number, d: number): string {
  for (let i = 0; i < 8; i++) {
    const shift = 28 - 4 * i
    codes[i] = digit(a >>> shift)
    codes[i + 8] = digit(b >>> shift)
    codes[i + 16] = digit(c >>> shift)
    codes[i + 24] = digit(d >>> shift)
  }
  return String.fromCharCode(...codes)
}

/** murmur3's finaliser: spreads 32 bits over 32 bits. */
function mix(value: number): number {
  let h = value | 0
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return (h ^ (h >>> 16)) >>> 0
}

/** What hides a number, from the half that is a hash of it. */
function masks(c: number, d: number, key1: number, key2: number): readonly [number, number] {
  const p = mix(c ^ key2)
  const q = mix(d ^ p ^ key1)
  return [mix(p ^ Math.imul(q, 0x9e3779b1)), mix(q + key2)]
}

/** Another seed: that of a world of this name. */
export function seedFor(seed: number, worldId: string): number {
  return mix(hash(seed, `world:${worldId}`))
}

/** A source of draws for one subject: `chance.of('uuid', 12)`. */
export interface Draw {
  /** The next 32 random bits. */
  bits(): number
  /** A number from 0 (included) to 1 (excluded). */
  unit(): number
  /** An integer from 0 (included) to `bound` (excluded). */
  below(bound: number): number
  /** `length` characters of `alphabet`. */
  text(length: number, alphabet: string): string
  pick<T>(items: readonly T[]): T
}

export const DIGITS = '0123456789'
export const UPPER_ALPHANUMERIC = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'

/** Two independent 32-bit lanes, so that a million uuids of one world do not collide. */
class Lanes implements Draw {
  #a: number
  #b: number

  constructor(a: number, b: number) {
    this.#a = a
    this.#b = b
  }

  bits(): number {
    this.#a = (this.#a + 0x9e3779b9) >>> 0
    this.#b = mix(this.#b ^ this.#a)
    return (mix(this.#a) ^ Math.imul(this.#b, 0x2545f491)) >>> 0
  }

  unit(): number {
    return this.bits() / 0x1_0000_0000
  }

  below(bound: number): number {
    return Math.floor(this.unit() * bound)
  }

  text(length: number, alphabet: string): string {
    const codes = new Array<number>(length)
    for (let i = 0; i < length; i++) codes[i] = alphabet.charCodeAt(this.below(alphabet.length))
    return String.fromCharCode(...codes)
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)] as T
  }
}

export class Chance {
  readonly seed: number
  /** Of the labels of uuids, which are few and asked for often. */
  readonly #uuids = new Map<string, readonly [number, number]>()
  readonly #keys = new Map<string, readonly [number, number]>()
  constructor(seed: number) {
    this.seed = seed >>> 0
  }

  /** Draws for the `count`-th thing called `label`; the same three always give the same draws. */
  of(label: string, count: number | string): Draw {
    return lanes(hash(this.seed, label), hash(~this.seed, label), count)
  }

  /** The `count`-th version 4 uuid of a kind. */
  uuid(label: string, count: number | string): string {
    const digits = this.uuidDigits(label, count)
    return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-${digits.slice(12, 16)}-${digits.slice(16, 20)}-${digits.slice(20)}`
  }

  /** The digits of that uuid alone. */
  uuidDigits(label: string, count: number | string): string {
    let hashes = this.#uuids.get(label)
    if (!hashes) {
      hashes = [hash(this.seed, `uuid:${label}`), hash(~this.seed, `uuid:${label}`)]
      this.#uuids.set(label, hashes)
    }
    const draw = lanes(hashes[0], hashes[1], count)
    const [a, b, c, d] = [draw.bits(), draw.bits(), draw.bits(), draw.bits()]
    return hexOfFour(a, (b & 0xffff_0fff) | 0x4000, (c & 0x3fff_ffff) | 0x8000_0000, d)
  }

  /**
   * The version 4 uuid of the `n`-th thing called `label`, which carries its number: it looks drawn, and whoever has the
   * seed reads the number out of it (`numberOf`), so that nobody need look it up. Two Feistel rounds: one half of the
   * bits is a hash of the number, the other the number behind a hash of that half.
   */
  numberedUuid(label: string, n: number): string {
    const [key1, key2] = this.#keysOf(label)
    const low = n >>> 0
    const high = Math.floor(n / 0x1_0000_0000)
    const x = mix(low ^ key1)
    const y = mix(high ^ x ^ key2)
    const c = (mix(x + key2) ^ y) & 0x3fff_ffff
    const d = mix(y ^ Math.imul(x, 0x2545f491))
    const [maskA, maskB] = masks(c, d, key1, key2)
    const a = (low ^ maskA) >>> 0
    const b = hex((high ^ maskB) & 0x0fff_ffff)
    const e = hex((c | 0x8000_0000) >>> 0)
    return `${hex(a)}-${b.slice(1, 5)}-4${b.slice(5)}-${e.slice(0, 4)}-${e.slice(4)}${hex(d)}`
  }

  /** The number in a uuid that `numberedUuid` made with this seed and label; undefined for any other text. */
  numberOf(label: string, uuid: string): number | undefined {
    const [, first, second, third, fourth, fifth, last] = UUID.exec(uuid) ?? []
    if (first === undefined) return undefined
    const number = (digits: string) => Number.parseInt(digits, 16)
    const c = number(`${fourth}${fifth}`) & 0x3fff_ffff
    const [maskA, maskB] = masks(c, number(last as string), ...this.#keysOf(label))
    const low = (number(first) ^ maskA) >>> 0
    const high = (number(`${second}${third}`) ^ maskB) & 0x0fff_ffff
    const n = high * 0x1_0000_0000 + low
    return Number.isSafeInteger(n) && this.numberedUuid(label, n) === uuid ? n : undefined
  }

  #keysOf(label: string): readonly [number, number] {
    let keys = this.#keys.get(label)
    if (!keys) {
      keys = [mix(hash(this.seed, `number:${label}`)), mix(hash(~this.seed, `number:${label}`))]
      this.#keys.set(label, keys)
    }
    return keys
  }
}

/** Draws for the `count`-th thing of a label, of which there are two hashes. */
function lanes(one: number, other: number, count: number | string): Lanes {
  if (typeof count === 'number') return new Lanes(mix(one ^ count), mix(other + Math.imul(count, 0x9e3779b1)))
  const a = mix(one ^ hash(0x9e3779b9, count))
  return new Lanes(a, mix(other + hash(a, count)))
}
