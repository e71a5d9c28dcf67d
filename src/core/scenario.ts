/** A loaded scenario, for the rest of mfano: values and pure questions. */
import type { RequestFacts } from './contexts.ts'
import type { Assumptions, ChosenBy } from './model/assumption.ts'
import type { Zone } from './model/calendar.ts'
import type { CallbackPolicy } from './model/callback-policy.ts'
import type { Directory } from './model/directory.ts'
import type { GivenParameters } from './model/given-parameters.ts'
import type { Currency } from './model/money.ts'
import type { Problem } from './model/problems.ts'
import type { FaultSummary, RailSort, RailSummary, RuleSummary } from './model/rule-summaries.ts'
import type { ClockSetting } from './scenario-settings.ts'
import type { FaultMatch } from './scenarios/decide/match-fault.ts'
import type { Decision, Facts } from './scenarios/decide/payment-facts.ts'
import type { BankingTime } from './scenarios/language/hours.ts'
import type { Parameter } from './scenarios/language/parameters.ts'
import type { Rails } from './scenarios/language/rails.ts'

export interface Scenario {
  name: string
  description: string
  source: string
  /** Set when it came from a file: relative `extends` start there. */
  file?: string
  given: GivenParameters
  parameters: readonly Parameter[]
  seed: number
  clock: ClockSetting
  zone: Zone
  banking: BankingTime
  /** Opening balances of the default organisation, in minor units. */
  wallets: Record<Currency, number>
  assumptions: Assumptions
  chosenBy: Readonly<Record<string, ChosenBy>>
  measured: Readonly<Record<string, string>>
  isDrawn: boolean
  callbacks: CallbackPolicy
  directory: Directory
  rails: Rails
  railEntries: readonly RailSummary[]
  rules: RuleSummary[]
  callbackFaults: FaultSummary[]
  faults: FaultSummary[]
  /** Names of request headers that conditions read. */
  headersRead: readonly string[]
  watches(operation: RequestFacts['operation']): boolean
  matchFault(facts: RequestFacts): FaultMatch
  decide(facts: Facts): Decision
  /** Parts of its own file that are valid but have no effect, in the file's order. */
  warnings(): readonly Problem[]
  /** With its people invented and its assumptions drawn by another seed. Cheap, unlike loading a text. */
  withSeed(seed: number): Scenario
  /** Everything that it extends and includes as one YAML text, each rule with its file and line. */
  effective(): string
  /** For a server that has the shipped scenarios and none of our files. */
  sendable(): { source: string; parameters: GivenParameters }
}

export interface StoredScenario {
  name: string
  source: string
  file?: string
  parameters?: GivenParameters
}

export function toStored({ name, source, file, given }: Scenario): StoredScenario {
  return {
    name,
    source,
    ...(file !== undefined && { file }),
    ...(Object.keys(given).length > 0 && { parameters: given }),
  }
}

/** A world keeps one seed whatever scenario it has, so that its people and drawn assumptions stay the same. */
export function seeded(scenario: Scenario, seed: number): Scenario {
  if (scenario.seed === seed) return scenario
  return { ...scenario.withSeed(seed), ...(scenario.file !== undefined && { file: scenario.file }) }
}

export interface ScenarioVersion {
  scenario: string
  rules: RuleSummary[]
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
