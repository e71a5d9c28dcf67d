/** Coverage of all runs of a gauntlet together, and what leads to the rest. */
import {
  byDimension,
  type Coverage,
  type Covered,
  type Dimension,
  type Gap,
  mergeCoverage,
  tooLittle,
} from '../../inspect/coverage.ts'
import type { GauntletReport } from './gauntlet-report.ts'

interface Wanted {
  /** Names of the scenarios that were chosen. */
  chosen: readonly string[]
  command: string
  least: Partial<Record<Dimension, number>>
}

export function exercised(
  { chosen, command, least }: Wanted,
  reports: readonly Coverage[],
): Pick<GauntletReport, 'coverage' | 'gaps' | 'tooLittle'> {
  if (reports.length === 0) return { coverage: {}, gaps: {}, tooLittle: [] }
  const merged = mergeCoverage(reports)
  const leading = (dimension: Dimension, { name, scenario }: Gap): Gap => {
    if (scenario === undefined && dimension === 'assumptions')
      return { name, command: `mfano matrix --assumption ${name.split('=')[0]} ${command}` }
    if (scenario === undefined) return { name }
    // Where it ran already, what it leads to was never asked for: there is only seeing what would happen.
    const ran = chosen.includes(scenario)
    const way = ran ? `mfano start --scenario ${scenario}` : `mfano gauntlet --scenario ${scenario} ${command}`
    return { name, scenario, command: way }
  }
  return {
    coverage: byDimension((dimension) => merged[dimension].percent),
    gaps: byDimension((dimension) => nearestFirst(merged[dimension]).map((gap) => leading(dimension, gap))),
    tooLittle: tooLittle(merged, least),
  }
}

/** Gaps in kinds and operations that the app uses come first. */
function nearestFirst({ hit, gaps }: Covered): Gap[] {
  const subjectOf = (name: string) => name.split(/[ .=]/)[0]
  const used = new Set(hit.map(subjectOf))
  return gaps.toSorted((a, b) => Number(used.has(subjectOf(b.name))) - Number(used.has(subjectOf(a.name))))
}
