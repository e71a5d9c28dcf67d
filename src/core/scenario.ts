import {
  type Assumptions,
  type ChosenBy,
  defaultsOf,
  drawnAlternatives,
  type GivenParameters,
} from './model/assumption.ts'
import { UTC, type Zone } from './model/calendar.ts'
import { type CallbackPolicy, MOST_AT_ONCE } from './model/callback.ts'
import type { Directory } from './model/directory.ts'
import type { Service } from './model/kind.ts'
import { type Currency, toMinor } from './model/money.ts'
import { must, recordFor } from './model/must.ts'
import type { Problem } from './model/problems.ts'
import type { FaultSummary, RailSort, RailSummary, RuleSummary } from './model/rule-summaries.ts'
import { type DurationUs, hasZone, type InstantUs, parseDuration, parseWorldInstant } from './model/time.ts'
import type { FaultMatch } from './scenarios/decisions/decide.ts'
import type { Decision, Facts, RequestFacts } from './scenarios/decisions/payment-facts.ts'
import type { Laid } from './scenarios/keys/effective.ts'
import { holidaysFor } from './scenarios/keys/hours.ts'
import type { Parameter } from './scenarios/keys/parameters.ts'
import type { Rails } from './scenarios/keys/rails.ts'

export interface Scenario extends ScenarioSettings {
  name: string
  description: string
  source: string
  file?: string
  given: GivenParameters
  parameters: readonly Parameter[]
  directory: Directory
  rails: Rails
  railEntries: readonly RailSummary[]
  rules: RuleSummary[]
  callbackFaults: FaultSummary[]
  faults: FaultSummary[]
  headersRead: readonly string[]
  watches(operation: RequestFacts['operation']): boolean
  matchFault(facts: RequestFacts): FaultMatch
  decide(facts: Facts): Decision
  warnings(): readonly Problem[]
  /**
   * With its people invented and its assumptions drawn by another seed. Cheap, unlike loading a text. A world keeps one
   * seed whatever scenario it has, so that these stay the same.
   */
  withSeed(seed: number): Scenario
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

export interface ScenarioVersion {
  scenario: string
  rules: RuleSummary[]
  rails: Record<string, RailSort>
}

export function scenarioVersionOf({ name, rules, railEntries }: Scenario): ScenarioVersion {
  return { scenario: name, rules, rails: Object.fromEntries(railEntries.map(({ name, sort }) => [name, sort])) }
}

export interface ClockSetting {
  mode: 'realtime' | 'scaled' | 'frozen'
  rate: number
  startUs: InstantUs | null
}

const HOUR_US: DurationUs = 3_600_000_000

const bareClock: ClockSetting = { mode: 'realtime', rate: 1, startUs: null }

/** Values that no file sets, which only a scenario that extends none meets: empty wallets, plain retries. */
export const bareSettings: { seed: number; clock: ClockSetting; callbacks: CallbackPolicy } = {
  seed: 1,
  clock: bareClock,
  callbacks: {
    attempts: 5,
    backoffUs: [10, 60, 300, 1800].map((s) => s * 1_000_000),
    timeoutMs: 10_000,
    loseAnswers: 0,
    concurrency: MOST_AT_ONCE,
    gapUs: 0,
    signatureTime: 'real',
  },
}

/** `ofWorld`: the seed of the world, which a scenario's own does not replace. */
export function settingsOf(laid: Laid, service: Service, ofWorld?: number) {
  const { assumptions, countries } = service
  const { others, ...written } = laid.assumptions
  const seed = ofWorld ?? laid.seed ?? bareSettings.seed
  const isDrawn = others !== undefined
  const inForce = {
    ...(isDrawn ? drawnAlternatives(assumptions, seed) : defaultsOf(assumptions)),
    ...written,
  } as Assumptions
  const zone = zoneOf(laid.timezone, inForce, service)
  return {
    seed,
    isDrawn,
    chosenBy: Object.fromEntries(
      Object.keys(assumptions).map((id): [string, ChosenBy] => [
        id,
        id in written ? 'scenario' : isDrawn ? 'drawn' : 'default',
      ]),
    ),
    clock: clockOf(laid, zone),
    zone,
    holidaysOf: holidaysFor(laid.holidays, countries),
    wallets: walletsOf(laid, countries.currencies),
    callbacks: { ...policyOf(laid), ...assumedPolicy(inForce) },
    assumptions: inForce,
    measured: measuredIn(laid, inForce),
  }
}

export type ScenarioSettings = ReturnType<typeof settingsOf>

function clockOf({ clock: { mode = bareClock.mode, rate = bareClock.rate, start } }: Laid, zone: Zone): ClockSetting {
  const startUs = start === undefined ? null : must(parseWorldInstant(start)) - (hasZone(start) ? 0 : zone.offsetUs)
  return { mode, rate: mode === 'scaled' ? rate : 1, startUs }
}

function walletsOf({ wallets }: Laid, currencies: readonly Currency[]): Record<Currency, number> {
  const written: Readonly<Record<Currency, number | undefined>> = wallets
  return recordFor(currencies, (currency) => must(toMinor(written[currency] ?? 0)))
}

function policyOf({ callbacks: { retry, timeout, rate, faults: _, ...written } }: Laid): CallbackPolicy {
  const { backoff, ...tried } = retry
  const inUs = (text: string) => must(parseDuration(text))
  return {
    ...bareSettings.callbacks,
    ...written,
    ...tried,
    ...(backoff && { backoffUs: backoff.map(inUs) }),
    ...(timeout !== undefined && { timeoutMs: Math.round(inUs(timeout) / 1000) }),
    ...(rate && { gapUs: Math.ceil(inUs(rate.per) / rate.max) }),
  }
}

function assumedPolicy(inForce: Assumptions): Partial<CallbackPolicy> {
  const { 'callback-retries': retries, 'callback-timeout': timeout } = inForce
  return {
    ...(retries === 'never' && { attempts: 1 }),
    ...(retries === 'hourly' && { attempts: 25, backoffUs: [HOUR_US] }),
    ...(timeout !== 'as-set' && { timeoutMs: must(parseDuration(timeout)) / 1000 }),
  }
}

function measuredIn({ measured }: Laid, inForce: Assumptions): Record<string, string> {
  return Object.fromEntries(
    Object.entries(measured).flatMap(([id, one]) => (one && one.is === inForce[id] ? [[id, one.on]] : [])),
  )
}

function zoneOf(written: string | undefined, inForce: Assumptions, { countries }: Service): Zone {
  const assumed = inForce['timestamp-zone'] === 'nairobi' ? countries.home.zone : UTC
  return countries.zones.find(({ name }) => name === written) ?? assumed
}
