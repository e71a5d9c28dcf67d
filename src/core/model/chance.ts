/**
 * Seeded chance. A draw depends only on seed, label and count, so nothing is stored, restarts continue, and new draws
 * do not shift others.
 */
import { must } from './must.ts'

function hash(seed: number, label: string): number {
  let h = (0x811c9dc5 ^ seed) >>> 0
  for (let i = 0; i < label.length; i++) h = Math.imul(h ^ label.charCodeAt(i), 0x01000193)
  return h >>> 0
}

const UUID = /^([0-9a-f]{8})-([0-9a-f]{4})-4([0-9a-f]{3})-([89ab][0-9a-f]{3})-([0-9a-f]{4})([0-9a-f]{8})$/

const BYTES = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

function hex(n: number): string {
  return `${BYTES[n >>> 24]}${BYTES[(n >>> 16) & 255]}${BYTES[(n >>> 8) & 255]}${BYTES[n & 255]}`
}

/** murmur3's finaliser: one changed input bit changes about half of the output bits. */
function mix(value: number): number {
  let h = value | 0
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return (h ^ (h >>> 16)) >>> 0
}

function masks(c: number, d: number, key1: number, key2: number): readonly [number, number] {
  const p = mix(c ^ key2)
  const q = mix(d ^ p ^ key1)
  return [mix(p ^ Math.imul(q, 0x9e3779b1)), mix(q + key2)]
}

/** Gives each world of a server its own seed, so that two worlds do not draw the same ids. */
export function seedFor(seed: number, worldId: string): number {
  return mix(hash(seed, `world:${worldId}`))
}

export const DIGITS = '0123456789'
export const UPPER_ALPHANUMERIC = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'

/** Two independent 32-bit generators: one alone would make uuids collide within a million. */
export class Draw {
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
  constructor(seed: number) {
    this.seed = seed >>> 0
  }

  of(label: string, count: number | string): Draw {
    return drawOf(hash(this.seed, label), hash(~this.seed, label), count)
  }

  uuid(label: string, count: number | string): string {
    const draw = this.of(`uuid:${label}`, count)
    const [a, b, c, d] = [draw.bits(), draw.bits(), draw.bits(), draw.bits()]
    const middle = hex((b & 0xffff_0fff) | 0x4000)
    const last = hex((c & 0x3fff_ffff) | 0x8000_0000)
    return `${hex(a)}-${middle.slice(0, 4)}-${middle.slice(4)}-${last.slice(0, 4)}-${last.slice(4)}${hex(d)}`
  }

  /**
   * A version 4 uuid that carries `n`: `numberOf` reads it back with the seed, so no index by uuid is stored. Two
   * Feistel rounds hide the number.
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
    const e = hex(c | 0x8000_0000)
    return `${hex(a)}-${b.slice(1, 5)}-4${b.slice(5)}-${e.slice(0, 4)}-${e.slice(4)}${hex(d)}`
  }

  numberOf(label: string, uuid: string): number | undefined {
    const [, first, second, third, fourth, fifth, last] = UUID.exec(uuid) ?? []
    if (first === undefined) return undefined
    const number = (digits: string) => Number.parseInt(digits, 16)
    const c = number(`${fourth}${fifth}`) & 0x3fff_ffff
    const [maskA, maskB] = masks(c, number(must(last)), ...this.#keysOf(label))
    const low = (number(first) ^ maskA) >>> 0
    const high = (number(`${second}${third}`) ^ maskB) & 0x0fff_ffff
    const n = high * 0x1_0000_0000 + low
    return Number.isSafeInteger(n) && this.numberedUuid(label, n) === uuid ? n : undefined
  }

  #keysOf(label: string): readonly [number, number] {
    return [mix(hash(this.seed, `number:${label}`)), mix(hash(~this.seed, `number:${label}`))]
  }
}

function drawOf(one: number, other: number, count: number | string): Draw {
  if (typeof count === 'number') return new Draw(mix(one ^ count), mix(other + Math.imul(count, 0x9e3779b1)))
  const a = mix(one ^ hash(0x9e3779b9, count))
  return new Draw(a, mix(other + hash(a, count)))
}
