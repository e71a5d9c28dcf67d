/** The basis of a fact about the service; see the README's fidelity table. */
import { isRecord } from './must.ts'
export type Basis = 'specified' | 'published' | 'measured' | 'assumed'

export type Source = Exclude<Basis, 'assumed' | 'measured'>

/** A convention is assumed as an assumption is, without alternatives. Its name follows the colon. */
export type ConventionGround<Name extends string = string> = `convention: ${Name}`

/**
 * Facts may rest on more than what decides fields: on a setting of the `scenario`. `own`: part of mfano or HTTP, and no
 * statement about the service.
 */
export type Ground = Source | 'scenario' | 'own' | (string & {})

export interface Grounded {
  'x-basis': Basis
  'x-assumption'?: string
  'x-convention'?: string
}

/** The name of the convention that a ground is, if it is one. */
export function conventionIn(ground: string): string | undefined {
  return /^convention: (.+)$/.exec(ground)?.[1]
}

export function grounded(ground: string): Grounded {
  if (ground === 'specified' || ground === 'published') return { 'x-basis': ground }
  const convention = conventionIn(ground)
  if (convention !== undefined) return { 'x-basis': 'assumed', 'x-convention': convention }
  return { 'x-basis': 'assumed', 'x-assumption': ground }
}

const DAY_MS = 86_400_000
/** Real days. An older measurement should be repeated, because a service changes. */
const FRESH_DAYS = 90

export function isStale(on: string, wallUs: number): boolean {
  return wallUs / 1000 - Date.parse(on) > FRESH_DAYS * DAY_MS
}

/** Days by assumptions, at a real instant. */
export interface Measurements {
  measured: Readonly<Record<string, string>>
  wallUs: number
}

/** When and where an assumption was measured: `2026-11-25, sandbox`. */
export function measurementOf(id: string, { measured, wallUs }: Measurements): string | undefined {
  const on = measured[id]
  return on === undefined ? undefined : `${on}, sandbox${isStale(on, wallUs) ? ', stale' : ''}`
}

/** A contract, or facts, in which whatever rests on an assumption that was measured says so. */
export function asMeasured<Document>(document: Document, measurements: Measurements): Document {
  if (Object.keys(measurements.measured).length === 0) return document
  const walked = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walked)
    if (typeof value !== 'object' || value === null) return value
    const inside = Object.fromEntries(Object.entries(value).map(([key, one]) => [key, walked(one)]))
    const assumption = inside['x-assumption']
    const id = isRecord(assumption) ? assumption['id'] : assumption
    if (typeof id === 'string' && inside['x-basis'] === 'assumed') {
      const on = measurementOf(id, measurements)
      return on === undefined ? inside : { ...inside, 'x-basis': 'measured', 'x-measured': on }
    }
    const rests = inside['assumption']
    return typeof rests === 'string' && inside['basis'] === 'assumed' && rests in measurements.measured
      ? { ...inside, basis: 'measured' }
      : inside
  }
  return walked(document) as Document
}
