/** The settings of a scenario besides rules and directory, read from each file and merged. */
import { type Assumptions, type ChosenBy, defaultsOf, drawnAlternatives } from './model/assumption.ts'
import { UTC, type Zone } from './model/calendar.ts'
import { type CallbackPolicy, MOST_AT_ONCE } from './model/callback-policy.ts'
import { type Currency, toMinor } from './model/money.ts'
import { keysIn, must, recordFor } from './model/must.ts'
import type { Service } from './model/simulated-service.ts'
import { type DurationUs, hasZone, type InstantUs, parseDuration, parseWorldInstant } from './model/time.ts'
import {
  type BankingHours,
  BankingTime,
  holidaysFor,
  parseBankingHours,
  USUAL_HOURS,
} from './scenarios/language/banking-time.ts'
import { writtenAssumptions } from './scenarios/language/drawn-assumptions.ts'
import type { ScenarioFile } from './scenarios/language/scenario-schema.ts'

export interface ClockSetting {
  mode: 'realtime' | 'scaled' | 'frozen'
  rate: number
  startUs: InstantUs | null
}

export interface ScenarioSettings {
  seed?: number | undefined
  /** `startIsLocal`: `start` is in the zone of the merged scenario. */
  clock: Partial<ClockSetting> & { startIsLocal?: boolean }
  timezone?: string | undefined
  holidays?: readonly string[] | undefined
  bankingHours?: BankingHours | undefined
  wallets: Partial<Record<Currency, number>>
  callbacks: Partial<CallbackPolicy>
  assumptions: Partial<Assumptions> & { others?: 'drawn' }
  measured: Readonly<Record<string, Measured | undefined>>
}

/** `on`: the real day on which the real service showed this alternative. */
export interface Measured {
  is: string
  on: string
}

const HOUR_US: DurationUs = 3_600_000_000

const bareClock: ClockSetting = { mode: 'realtime', rate: 1, startUs: null }

/** Values that no file sets, which only a scenario that extends none meets: empty wallets, plain retries. */
export const bareSettings = {
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

export function readScenarioSettings(file: Partial<ScenarioFile>): ScenarioSettings {
  const { seed, timezone, holidays, clock = {}, bankingHours, callbacks = {}, assumptions = {}, measured = {} } = file
  const { start, ...pace } = clock
  const { retry, timeout, rate, faults: _, ...asWritten } = callbacks
  const wallets: Partial<Record<Currency, number>> = file.wallets ?? {}
  return {
    seed,
    timezone,
    holidays,
    bankingHours: bankingHours === undefined ? undefined : parseBankingHours(bankingHours),
    clock: {
      ...pace,
      ...(start !== undefined && { startUs: must(parseWorldInstant(start)), startIsLocal: !hasZone(start) }),
    },
    wallets: recordFor(keysIn(wallets), (currency) => must(toMinor(must(wallets[currency])))),
    callbacks: {
      ...asWritten,
      ...(retry?.attempts !== undefined && { attempts: retry.attempts }),
      ...(retry?.backoff && { backoffUs: retry.backoff.map((text) => must(parseDuration(text))) }),
      ...(rate && { gapUs: Math.ceil(must(parseDuration(rate.per)) / rate.max) }),
      ...(timeout !== undefined && { timeoutMs: Math.round(must(parseDuration(timeout)) / 1000) }),
    },
    assumptions: writtenAssumptions(assumptions) as ScenarioSettings['assumptions'],
    measured,
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

export function mergeSettings(
  layers: readonly ScenarioSettings[],
  service: Service,
  ofWorld?: number,
): {
  seed: number
  isDrawn: boolean
  chosenBy: Record<string, ChosenBy>
  clock: ClockSetting
  banking: BankingTime
  wallets: Record<Currency, number>
  callbacks: CallbackPolicy
  assumptions: Assumptions
  measured: Record<string, string>
} {
  const farthestFirst = layers.toReversed()
  const { startIsLocal, ...clock }: ClockSetting & { startIsLocal?: boolean } = Object.assign(
    {},
    bareSettings.clock,
    ...farthestFirst.map((layer) => layer.clock),
  )
  const seed = ofWorld ?? nearest(layers, ({ seed }) => seed) ?? bareSettings.seed
  const { assumptions } = service
  const { others, ...written }: ScenarioSettings['assumptions'] = Object.assign(
    {},
    ...farthestFirst.map((layer) => layer.assumptions),
  )
  const isDrawn = others !== undefined
  const inForce = {
    ...(isDrawn ? drawnAlternatives(assumptions, seed) : defaultsOf(assumptions)),
    ...written,
  } as Assumptions
  const zone = zoneOf(
    nearest(layers, ({ timezone }) => timezone),
    inForce,
    service,
  )
  const none = Object.fromEntries(service.countries.currencies.map((currency) => [currency, 0]))
  return {
    seed,
    isDrawn,
    chosenBy: Object.fromEntries(
      Object.keys(assumptions).map((id) => [id, id in written ? 'scenario' : isDrawn ? 'drawn' : 'default']),
    ),
    clock: {
      mode: clock.mode,
      rate: clock.mode === 'scaled' ? clock.rate : 1,
      startUs: clock.startUs !== null && startIsLocal ? clock.startUs - zone.offsetUs : clock.startUs,
    },
    banking: new BankingTime(
      zone,
      nearest(layers, ({ bankingHours }) => bankingHours) ?? must(parseBankingHours(USUAL_HOURS)),
      holidaysFor(
        nearest(layers, ({ holidays }) => holidays),
        service.countries,
      ),
    ),
    wallets: Object.assign(none, ...farthestFirst.map((layer) => layer.wallets)),
    callbacks: Object.assign(
      {},
      bareSettings.callbacks,
      ...farthestFirst.map((layer) => layer.callbacks),
      assumedPolicy(inForce),
    ),
    assumptions: inForce,
    measured: measuredIn(farthestFirst, inForce),
  }
}

function measuredIn(farthestFirst: readonly ScenarioSettings[], inForce: Assumptions): Record<string, string> {
  const measured: ScenarioSettings['measured'] = Object.assign({}, ...farthestFirst.map((layer) => layer.measured))
  return Object.fromEntries(
    Object.entries(measured).flatMap(([id, one]) => (one && one.is === inForce[id] ? [[id, one.on]] : [])),
  )
}

function nearest<T>(
  layers: readonly ScenarioSettings[],
  read: (layer: ScenarioSettings) => T | undefined,
): T | undefined {
  return layers.map(read).find((value) => value !== undefined)
}

/** The zone that is set, or the zone that the service's timestamps are assumed to be in. */
function zoneOf(written: string | undefined, inForce: Assumptions, { countries }: Service): Zone {
  const assumed = inForce['timestamp-zone'] === 'nairobi' ? countries.home.zone : UTC
  return countries.zones.find(({ name }) => name === written) ?? assumed
}
