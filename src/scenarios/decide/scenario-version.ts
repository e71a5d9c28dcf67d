/** What is kept of a scenario when another takes its place: enough to explain the payments that it decided. */
import type { Rails } from '../language/rails.ts'
import type { RuleSummary } from '../language/summaries.ts'

/** What the rails of a scenario can do to a payment. */
export type RailSort = 'limit' | 'fee' | 'float' | 'cut-off' | 'maintenance'

export interface ScenarioVersion {
  /** The scenario's name. */
  scenario: string
  rules: RuleSummary[]
  /** What each entry of the rails is, by its name. */
  rails: Record<string, RailSort>
}

export function scenarioVersionOf({
  name,
  rules,
  rails,
}: {
  name: string
  rules: RuleSummary[]
  rails: Rails
}): ScenarioVersion {
  const named = (sort: RailSort, entries: readonly { name: string }[]) =>
    entries.map((one) => [one.name, sort] as const)
  return {
    scenario: name,
    rules,
    rails: Object.fromEntries([
      ...named('limit', rails.limits),
      ...named('fee', rails.fees),
      ...named('float', rails.float),
      ...named('cut-off', rails.cutOff),
      ...named('maintenance', rails.maintenance),
    ]),
  }
}
