/** The settings of a scenario besides rules and directory, read from each file and merged. */
import { type Assumptions, type ChosenBy, defaultsOf, drawnAlternatives } from './model/assumption.ts'
import { UTC, type Zone } from './model/calendar.ts'
import { type CallbackPolicy, MOST_AT_ONCE } from './model/callback-policy.ts'
import { type Currency, toMinor } from './model/money.ts'
import { keysIn, must } from './model/must.ts'
import { describeValue, type Path, printPath, quote } from './model/problems.ts'
import type { Service } from './model/simulated-service.ts'
import {
  type DurationUs,
  hasZone,
  type InstantUs,
  parseDuration,
  parseInstant,
  parseWorldInstant,
} from './model/time.ts'
import {
  type BankingHours,
  BankingTime,
  holidaysFor,
  parseBankingHours,
  USUAL_HOURS,
} from './scenarios/language/banking-time.ts'
import { writtenAssumptions } from './scenarios/language/drawn-assumptions.ts'
import type { ScenarioFile } from './scenarios/language/scenario-schema.ts'
import type { SourceText } from './source-text.ts'

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
const LONGEST_TIMEOUT_MS = 600_000

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

/** Skips parts whose shape is wrong, because they are reported already. */
export function readScenarioSettings(
  file: Partial<ScenarioFile>,
  source: SourceText,
  isSound: (path: Path) => boolean,
): ScenarioSettings {
  const report = (path: Path, message: string) => source.report(source.offsetOf(path), printPath(path), message)
  const part = <Key extends keyof ScenarioFile>(key: Key) => (isSound([key]) ? file[key] : undefined)
  const settings: ScenarioSettings = {
    seed: part('seed'),
    timezone: part('timezone'),
    holidays: part('holidays'),
    clock: {},
    wallets: {},
    callbacks: {},
    assumptions: {},
    measured: { ...part('measured') },
  }

  const clock = part('clock')
  if (clock) {
    const { mode, rate, start } = clock
    if (mode !== undefined) settings.clock.mode = mode
    if (rate !== undefined) settings.clock.rate = rate
    if (rate !== undefined && mode !== undefined && mode !== 'scaled') {
      report(['clock', 'rate'], `A ${mode} clock has no rate. Write mode: scaled, or remove rate.`)
    }
    if (start !== undefined) {
      settings.clock.startUs = readInstant(start, (message) => report(['clock', 'start'], message))
      settings.clock.startIsLocal = !hasZone(start)
    }
  }
  const hours = part('bankingHours')
  if (hours !== undefined) {
    settings.bankingHours = parseBankingHours(hours)
    if (!settings.bankingHours)
      report(['bankingHours'], `${quote(hours)} is never open. Write the time of opening first: ${USUAL_HOURS}.`)
  }
  for (const [i, one] of (settings.holidays ?? []).entries()) {
    if (/\d/.test(one) && parseInstant(one) === undefined)
      report(['holidays', i], `${quote(one)} is not a date. Write it like 2025-12-25.`)
  }
  const wallets: Partial<Record<Currency, number>> = part('wallets') ?? {}
  for (const currency of keysIn(wallets)) {
    const amount = must(wallets[currency])
    const minor = toMinor(amount)
    if (minor !== undefined) settings.wallets[currency] = minor
    else
      report(
        ['wallets', currency],
        `Found ${describeValue(amount)}. Expected shillings with at most two decimals, up to 999999999999.99.`,
      )
  }
  const callbacks = part('callbacks')
  if (callbacks) {
    const { retry, timeout, loseAnswers, concurrency, rate, signatureTime } = callbacks
    if (retry?.attempts !== undefined) settings.callbacks.attempts = retry.attempts
    if (retry?.backoff) settings.callbacks.backoffUs = retry.backoff.map((text) => must(parseDuration(text)))
    if (loseAnswers !== undefined) settings.callbacks.loseAnswers = loseAnswers
    if (concurrency !== undefined) settings.callbacks.concurrency = concurrency
    if (rate) settings.callbacks.gapUs = Math.ceil(must(parseDuration(rate.per)) / rate.max)
    if (signatureTime !== undefined) settings.callbacks.signatureTime = signatureTime
    if (timeout !== undefined) {
      const timeoutMs = Math.round((parseDuration(timeout) ?? 0) / 1000)
      if (timeoutMs >= 1 && timeoutMs <= LONGEST_TIMEOUT_MS) settings.callbacks.timeoutMs = timeoutMs
      else report(['callbacks', 'timeout'], `Found ${quote(timeout)}. Expected real time from 1ms to 10m.`)
    }
  }
  const assumptions = part('assumptions')
  if (assumptions) settings.assumptions = writtenAssumptions(assumptions) as ScenarioSettings['assumptions']
  return settings
}

function readInstant(text: string, report: (message: string) => void): number | undefined {
  const instantUs = parseWorldInstant(text)
  if (instantUs !== undefined) return instantUs
  if (parseInstant(text) === undefined)
    report(
      `${quote(text)} is not a time. Write it like 2025-01-24T16:28:00, in the scenario's time zone unless it ends in a zone such as +03:00.`,
    )
  else report(`${quote(text)} is out of range. Expected a time from 1970 to 2254.`)
  return undefined
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
