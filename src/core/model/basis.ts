/** The basis of a fact about the service; see the README's fidelity table. */
export type Basis = 'specified' | 'published' | 'measured' | 'assumed'

export type Source = Exclude<Basis, 'assumed' | 'measured'>

/**
 * Facts may rest on more than sources and assumptions, which alone decide fields: on a setting of the `scenario`, or on
 * a `guess` without alternatives. `own`: part of mfano or HTTP, and no statement about the service.
 */
export type Ground = Source | 'scenario' | 'guess' | 'own' | (string & {})

export interface Grounded {
  'x-basis': Basis
  'x-assumption'?: string
}

export function grounded(ground: string): Grounded {
  if (ground === 'specified' || ground === 'published') return { 'x-basis': ground }
  return { 'x-basis': 'assumed', 'x-assumption': ground }
}

const DAY_MS = 86_400_000
/** Real days. An older measurement should be repeated, because a service changes. */
const FRESH_DAYS = 90

export function isStale(on: string, wallUs: number): boolean {
  return wallUs / 1000 - Date.parse(on) > FRESH_DAYS * DAY_MS
}

export function asMeasured<Document>(document: Document, measured: Readonly<Record<string, string>>): Document {
  if (Object.keys(measured).length === 0) return document
  const walked = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walked)
    if (typeof value !== 'object' || value === null) return value
    const inside = Object.fromEntries(Object.entries(value).map(([key, one]) => [key, walked(one)]))
    const assumption = inside['x-assumption']
    const id = typeof assumption === 'object' ? (assumption as { id?: unknown } | null)?.id : assumption
    const on = inside['x-basis'] === 'assumed' && typeof id === 'string' ? measured[id] : undefined
    return on === undefined ? inside : { ...inside, 'x-basis': 'measured', 'x-measured': `${on}, sandbox` }
  }
  return walked(document) as Document
}
