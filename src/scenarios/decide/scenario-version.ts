/** What is kept of a scenario when another takes its place: enough to explain the payments that it decided. */
import type { RailSort, RailSummary, RuleSummary } from '../language/summaries.ts'

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
  railEntries,
}: {
  name: string
  rules: RuleSummary[]
  railEntries: readonly RailSummary[]
}): ScenarioVersion {
  return { scenario: name, rules, rails: Object.fromEntries(railEntries.map(({ name, sort }) => [name, sort])) }
}
