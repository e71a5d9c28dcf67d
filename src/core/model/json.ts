import type * as z from 'zod'
import type { CommonAssumptions } from './assumption.ts'
import { Chance } from './chance.ts'
import { toMajor } from './money.ts'

/** Whatever walks a value calls itself at each level. */
const LEVELS_MAX = 1000

/** The text itself where it is no JSON, or is nested too deeply to be walked. */
export function asJson(text: string | null): unknown {
  // Each level needs two characters.
  if (text === null || (text.length > 2 * LEVELS_MAX && levelsOf(text) > LEVELS_MAX)) return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

export function levelsOf(text: string): number {
  let depth = 0
  let most = 0
  for (let i = 0; i < text.length; i++) {
    const c = text[i]
    if (c === '"') {
      for (i++; i < text.length && text[i] !== '"'; i++) if (text[i] === '\\') i++
    } else if (c === '{' || c === '[') most = Math.max(most, ++depth)
    else if (c === '}' || c === ']') depth--
  }
  return most
}

/**
 * Zod reads `length` of any object where a text or list belongs, and throws when that is not a number. Such a value is
 * wrong in any case.
 */
export function safeParse<T>(schema: z.ZodType<T>, value: unknown): z.ZodSafeParseResult<T> {
  try {
    return schema.safeParse(value)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    return schema.safeParse(withoutOddLengths(value))
  }
}

function withoutOddLengths(value: unknown): unknown {
  const kept = (key: string, one: unknown) => (key === 'length' && typeof one === 'object' ? undefined : one)
  return JSON.parse(JSON.stringify(value, kept))
}

// ES2025 JSON.rawJSON and ES2026 source text access: in Node and workerd, not yet in TypeScript's library.
export const {
  parse: parseWithSource,
  rawJSON,
  isRawJSON: isRaw,
} = JSON as unknown as {
  parse(text: string, reviver: (name: string, value: unknown, context: { source?: string }) => unknown): unknown
  rawJSON(text: string): number
  isRawJSON(value: unknown): value is { rawJSON: string }
}

/** At least one decimal: `1000.0`. Typed as a number, because `JSON.stringify` prints it as one. */
export function float(amountMinor: number): number {
  const major = toMajor(amountMinor)
  return Number.isInteger(major) ? rawJSON(`${major}.0`) : major
}

/** Keeps numbers as written, so that `1000.0` is printed as `1000.0` again. */
export function parseWire(text: string): unknown {
  return parseWithSource(text, (_name, value, { source = '' }) =>
    typeof value === 'number' && String(value) !== source ? rawJSON(source) : value,
  )
}

const UNKNOWN: readonly (readonly [name: string, value: unknown])[] = [
  ['apiVersion', '2.1'],
  ['links', { self: null }],
  ['nextAction', null],
  ['processedBy', 'node-3'],
  ['retryable', false],
  ['riskScore', 0.02],
  ['traceId', '4bf92f3577b34da6a3ce929d0e0e4736'],
  ['warnings', []],
]

export interface Varying {
  assumptions: CommonAssumptions
  seed: number
}

/** Values stay. One seed varies all bodies of an operation or callback (`about`) the same way. */
export function variedBody(body: unknown, { assumptions, seed }: Varying, about: string): unknown {
  return assumptions['extra-fields'] === 'none' ? body : variedAt(body, new Chance(seed), about)
}

function variedAt(value: unknown, chance: Chance, path: string): unknown {
  if (Array.isArray(value)) return value.map((one) => variedAt(one, chance, `${path}[]`))
  if (typeof value !== 'object' || value === null || isRaw(value)) return value
  const [name, unknown] = chance.of('body', path).pick(UNKNOWN)
  const inside = Object.entries(value).map(([key, one]) => [key, variedAt(one, chance, `${path}.${key}`)])
  return Object.fromEntries(name in value ? inside : [...inside, [name, unknown]])
}
