/** What a loaded scenario is to the rest of mfano: values and pure questions. */
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
import type { BankingTime } from './scenarios/language/banking-time.ts'
import type { Parameter } from './scenarios/language/parameters.ts'
import type { Rails } from './scenarios/language/rails.ts'

/** A scenario that is loaded. */
export interface Scenario {
  name: string
  description: string
  /** The text it was loaded from, as given. */
  source: string
  /** The file it was loaded from, when it was one: relative `extends` start there. */
  file?: string
  /** Values that were given for its parameters, by name. */
  given: GivenParameters
  /** All its parameters, with the values in force. */
  parameters: readonly Parameter[]
  seed: number
  clock: ClockSetting
  /** Of everything in it that speaks of a time of day or a date. */
  zone: Zone
  /** When its banks are open. */
  banking: BankingTime
  /** Opening balance of the default organisation's wallets, in minor units. */
  wallets: Record<Currency, number>
  assumptions: Assumptions
  /** What decided each of them. */
  chosenBy: Readonly<Record<string, ChosenBy>>
  /** The seed decides every assumption that the scenario does not. */
  isDrawn: boolean
  callbacks: CallbackPolicy
  directory: Directory
  /** What payments meet that the rules accept. */
  rails: Rails
  /** Their entries, as lists show them. */
  railEntries: readonly RailSummary[]
  rules: RuleSummary[]
  /** What goes wrong with callbacks whatever rule decided. */
  callbackFaults: FaultSummary[]
  /** What goes wrong with answers. */
  faults: FaultSummary[]
  /** Whether some fault watches an operation; none does in most scenarios. */
  watches(operation: RequestFacts['operation']): boolean
  /** Pure: which fault a request meets, before it is worked on. */
  matchFault(facts: RequestFacts): FaultMatch
  /** Pure: the same facts give the same decision. */
  decide(facts: Facts): Decision
  /** What can be used and does not do what it says: in its own file only, in the order of the file. */
  warnings(): readonly Problem[]
  /** This scenario with its people invented, and its assumptions drawn, by another seed. Cheap, where loading a text is not. */
  withSeed(seed: number): Scenario
  /** It and all that it extends and includes as one YAML text, every rule under its file and line. */
  effective(): string
  /** For a server that has what is shipped and none of our files: a text, and values for what that leaves open. */
  sendable(): { source: string; parameters: GivenParameters }
}

/** Enough of a scenario to load it again. */
export interface StoredScenario {
  name: string
  source: string
  file?: string
  /** Values that were given for its parameters. */
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

/** A world has one seed, whatever scenario it has: the people it invents, and the assumptions it draws, stay the same. */
export function seeded(scenario: Scenario, seed: number): Scenario {
  if (scenario.seed === seed) return scenario
  return { ...scenario.withSeed(seed), ...(scenario.file !== undefined && { file: scenario.file }) }
}

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
