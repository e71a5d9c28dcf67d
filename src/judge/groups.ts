/** Like findings told once: how many there are, where, and the first of them. The whole list stays in the JSON. */
import { findingRecords } from '../inspect/finding.ts'
import type { GauntletFinding } from './report.ts'

/** Scenarios whose first finding is told. */
const EXAMPLES = 3
const codes: readonly string[] = Object.keys(findingRecords)

/** All findings of one code. */
export interface FindingGroup {
  code: string
  count: number
  /** The first finding of the first scenarios, and how many more there are of its code. */
  examples: { finding: GauntletFinding; more: number }[]
  /** The other scenarios, with how many were found there. */
  elsewhere: { scenario: string; count: number }[]
}

/** Groups in order of gravity: what keeps an app from working, then money, then the rest. */
export function groupsOf(findings: readonly GauntletFinding[]): FindingGroup[] {
  const byCode = Map.groupBy(findings, ({ code }) => code)
  return [...byCode]
    .sort(([a], [b]) => gravity(a) - gravity(b))
    .map(([code, alike]) => {
      const scenarios = [...Map.groupBy(alike, ({ scenario }) => scenario)]
      // What is seen on the ordinary day is not told once more for another.
      const told = alike[0]?.ordinary ? 1 : EXAMPLES
      return {
        code,
        count: alike.length,
        examples: scenarios
          .slice(0, told)
          .map(([, those]) => ({ finding: those[0] as GauntletFinding, more: those.length - 1 })),
        elsewhere: scenarios.slice(told).map(([scenario, those]) => ({ scenario, count: those.length })),
      }
    })
}

function gravity(code: string): number {
  return codes.indexOf(code)
}

/** `paid_twice: 12 findings under 4 scenarios`. */
export function headOf({ code, count, examples, elsewhere }: FindingGroup): string {
  const scenarios = examples.length + elsewhere.length
  const where = scenarios === 1 ? examples[0]?.finding.scenario : `${scenarios} scenarios`
  return `${code}: ${count} ${count === 1 ? 'finding' : 'findings'} under ${where}`
}

/** `also under callback-lost (3), flaky-rail (1)`; empty where there are no others. */
export function elsewhereOf({ elsewhere }: FindingGroup): string {
  if (elsewhere.length === 0) return ''
  return `also under ${elsewhere.map(({ scenario, count }) => `${scenario} (${count})`).join(', ')}`
}

/** `and 4 more like it under flaky-rail`; empty where it is the only one. */
export function moreOf({ finding, more }: FindingGroup['examples'][number]): string {
  return more === 0 ? '' : `and ${more} more like it under ${finding.scenario}`
}

/** There is more of its code than is told. */
export function isCut({ count, examples }: FindingGroup): boolean {
  return count > examples.length
}
