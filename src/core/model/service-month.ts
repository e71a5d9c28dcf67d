/**
 * Months as of which a service is known. A default that moves keeps its older alternative for the months before, so
 * that a scenario that names one goes on as it did.
 */
import { must } from './must.ts'

export interface MovedDefault<Value extends string = string> {
  /** The first month, such as `2027-02`, in which another alternative was the default. */
  until: string
  is: Value
}

interface Defaulting {
  alternatives: readonly [string, ...string[]]
  /** The oldest first. */
  before?: readonly MovedDefault[]
}

interface Dated {
  /** The month of the first sources. */
  since: string
  assumptions: Readonly<Record<string, Defaulting>>
}

/** From the first to the newest: only in these did anything change. */
export function serviceMonths({ since, assumptions }: Dated): string[] {
  const moves = Object.values(assumptions).flatMap(({ before = [] }) => before.map(({ until }) => until))
  return [...new Set([since, ...moves])].sort()
}

/** Without a month: as of the newest. */
export function defaultAt({ alternatives, before = [] }: Defaulting, month?: string): string {
  return (month !== undefined && before.find(({ until }) => month < until)?.is) || alternatives[0]
}

/** Of two that are as near, the later one. */
export function nearestMonth(month: string, known: readonly string[]): string {
  const far = (one: string) => Math.abs(countOf(one) - countOf(month))
  return must(known.toSorted((a, b) => far(a) - far(b) || countOf(b) - countOf(a))[0])
}

function countOf(month: string): number {
  const [year = 0, ofYear = 0] = month.split('-').map(Number)
  return year * 12 + ofYear
}
