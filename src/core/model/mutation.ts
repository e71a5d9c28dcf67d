/** One wrong answer of the service on purpose, to see whether a test suite notices. */

export const MUTATION = 'MFANO_MUTATION'
export type ForKit = { tell: Mutation } | { keepIn: string }

/** Names joined by dots, `[]` for the items of a list: `data.records[].amount`. */
export type FieldPath = string

export type Change =
  | { multiply: number }
  | { anotherOf: readonly unknown[] }
  | { map: Readonly<Record<string, unknown>> }
  | { remove: true }
  | { reverse: true }
  | { signature: 'wrong' }

export interface Mutation {
  in: 'answer' | 'callback'
  of: string
  at: FieldPath
  change: Change
}

export function mutated(body: unknown, { at, change }: Mutation): unknown {
  return 'signature' in change ? body : changedAt(body, at === '' ? [] : at.split('.'), change)
}

function changedAt(value: unknown, path: readonly string[], change: Change): unknown {
  const [step, ...rest] = path
  if (step === undefined) return changed(value, change)
  const name = step.replace(/\[\]$/, '')
  const inList = step !== name
  if (name === '') return Array.isArray(value) ? value.map((item) => changedAt(item, rest, change)) : value
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return value
  const { [name]: inner, ...others } = value as Record<string, unknown>
  if ('remove' in change && rest.length === 0 && !inList) return others
  const told = changedAt(inner, inList ? ['[]', ...rest] : rest, change)
  return { ...value, [name]: told }
}

function changed(value: unknown, change: Change): unknown {
  if ('multiply' in change) return multiplied(value, change.multiply)
  if ('anotherOf' in change) return change.anotherOf.find((other) => other !== value) ?? value
  if ('map' in change) return Object.hasOwn(change.map, String(value)) ? change.map[String(value)] : value
  if ('reverse' in change) return Array.isArray(value) ? value.toReversed() : value
  return value
}

function multiplied(value: unknown, by: number): unknown {
  if (typeof value === 'number') return value * by
  if (typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value)))
    return String(Number(value) * by)
  return value
}
