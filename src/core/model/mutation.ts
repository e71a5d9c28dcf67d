/** One thing that the service says otherwise than it is, to see whether anybody notices. */

/** The variable by which a suite's own worlds are told what to tell, or where to keep what they told. */
export const MUTATION = 'MFANO_MUTATION'
export type ForKit = { tell: Mutation } | { keepIn: string }

/** Where a field stands: names apart, `[]` for the items of a list, as `data.records[].amount`. */
export type FieldPath = string

/** What becomes of the field. */
export type Change =
  | { multiply: number }
  /** The first of these that it is not. */
  | { anotherOf: readonly unknown[] }
  /** For some of its values, others. */
  | { map: Readonly<Record<string, unknown>> }
  | { remove: true }
  /** A list, backwards. */
  | { reverse: true }
  /** Of a callback: signed with a secret that does not fit. */
  | { signature: 'wrong' }

export interface Mutation {
  /** In the answers of an operation, by its id; or in the callbacks of a kind of payment. */
  in: 'answer' | 'callback'
  of: string
  at: FieldPath
  change: Change
}

/** A body as it is told; the truth stays as it is. Where the field is not, it is told as it is. */
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

/** An amount is a number, or a number as text. */
function multiplied(value: unknown, by: number): unknown {
  if (typeof value === 'number') return value * by
  if (typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value)))
    return String(Number(value) * by)
  return value
}
