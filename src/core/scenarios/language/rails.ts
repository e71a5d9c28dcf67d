/** Reads and checks `rails:`: limits, fees, floats, cut-offs and maintenance. */
import { isInstant, waitsForRail } from '../../lifecycle.ts'
import { parseTimeOfDay, type Zone } from '../../model/calendar.ts'
import type { Kind, Kinds } from '../../model/kind.ts'
import type { Currency } from '../../model/money.ts'
import { toMinor } from '../../model/money.ts'
import type { JsonObject, PaymentKind } from '../../model/payment.ts'
import { describeValue, type Path, printPath, quote } from '../../model/problems.ts'
import { commonReasons } from '../../model/refusal-reasons.ts'
import type { RailSort, RailSummary } from '../../model/rule-summaries.ts'
import type { Service } from '../../model/simulated-service.ts'
import { type DurationUs, hasZone, parseDuration, parseInstant } from '../../model/time.ts'
import type { SourceText } from '../../source-text.ts'
import type { FeeTerms, Tariff, TariffFile } from './fees.ts'
import { type Opening, parseEvery, type Window } from './hours.ts'
import type { CutOffFile, FeeFile, FloatFile, LimitFile, MaintenanceFile, RailsFile } from './rails-schema.ts'
import { checkRuleFields, type RefusalAnswer, readRefusal } from './rules.ts'

export interface Entry {
  name: string
  place: string
  on: readonly PaymentKind[]
  file: string
  line: number
  offset: number
}

export interface Limit extends Entry {
  currency: Currency
  perTransactionMinor: number | undefined
  dailyMinor: number | undefined
  per: 'party' | 'organisation' | 'world'
  /**
   * After a breach, everything is refused for this long; `day` for the rest of it. Undefined: only the payment that
   * breaks the limit.
   */
  lasts: 'day' | DurationUs | undefined
  error: RefusalAnswer
  then: 'refuse' | 'fail'
  with: JsonObject
}

export interface Fee extends Entry, FeeTerms {}

export interface Float extends Entry {
  currency: Currency
  amountMinor: number
  then: 'refuse' | 'fail' | 'hold'
  with: JsonObject
}

export interface CutOff extends Entry, Omit<Opening, 'holidays'> {
  holidays: ReadonlySet<string> | undefined
}

export interface Maintenance extends Entry {
  window: Window
  then: 'refuse' | 'hold' | 'fail'
  with: JsonObject
}

export interface Rails {
  limits: readonly Limit[]
  fees: readonly Fee[]
  float: readonly Float[]
  cutOff: readonly CutOff[]
  maintenance: readonly Maintenance[]
}

const noRails: Rails = { limits: [], fees: [], float: [], cutOff: [], maintenance: [] }

export function readRails(
  file: RailsFile | undefined,
  source: SourceText,
  isSound: (path: Path) => boolean,
  { kinds, countries }: Service,
): Partial<Rails> {
  const about = { kinds, home: countries.home.currency }
  const read: Partial<Rails> = {}
  const list = <Key extends keyof RailsFile>(key: Key) => (isSound(['rails', key]) ? file?.[key] : undefined)
  const at = (key: keyof Rails, i: number) => ['rails', key, i]
  const limits = list('limits')
  const fees = list('fees')
  const float = list('float')
  const cutOff = list('cutOff')
  const maintenance = list('maintenance')
  if (limits) read.limits = limits.map((one, i) => readLimit(one, at('limits', i), source, about))
  if (fees) read.fees = fees.map((one, i) => readFee(one, at('fees', i), source, about))
  if (float) read.float = float.map((one, i) => readFloat(one, at('float', i), source, about))
  if (cutOff) read.cutOff = cutOff.map((one, i) => readCutOff(one, at('cutOff', i), source))
  if (maintenance)
    read.maintenance = maintenance.map((one, i) => readMaintenance(one, at('maintenance', i), source, about))
  reportRepeated(Object.values(read).flat(), source)
  return read
}

function reportRepeated(entries: readonly Entry[], source: SourceText): void {
  const lines = new Map<string, number>()
  for (const { name, place, line, offset } of entries) {
    const first = lines.get(name)
    if (first === undefined) lines.set(name, line)
    else
      source.report(
        offset,
        `${place}.name`,
        `${quote(name)} is already a name on line ${first}. Give it a name that says the difference.`,
      )
  }
}

export function mergeRails(layers: readonly Partial<Rails>[], { offsetUs }: Zone): Rails {
  const rails: Rails = Object.assign({}, noRails, ...layers.toReversed())
  const maintenance = rails.maintenance.map((one) => ({ ...one, window: windowIn(one.window, offsetUs) }))
  return { ...rails, maintenance }
}

/** Ends without a zone were read as UTC, because the zone was not known yet. */
function windowIn(window: Window, offsetUs: DurationUs): Window {
  if (!('fromUs' in window)) return window
  const { fromUs, toUs, local } = window
  return { fromUs: fromUs - (local?.from ? offsetUs : 0), toUs: toUs - (local?.to ? offsetUs : 0) }
}

interface About {
  kinds: Kinds
  home: Currency
}

function readEntry(
  file: { name?: string | undefined; on: PaymentKind | PaymentKind[] },
  path: Path,
  source: SourceText,
): Entry {
  return {
    name: file.name ?? printPath(path),
    place: printPath(path),
    on: [...new Set(Array.isArray(file.on) ? file.on : [file.on])],
    file: source.file,
    line: source.position(source.offsetOf(path)).line,
    offset: source.offsetOf(path),
  }
}

function readLimit(file: LimitFile, path: Path, source: SourceText, { kinds, home }: About): Limit {
  const report = (key: string, message: string) =>
    source.report(source.offsetOf([...path, key]), printPath([...path, key]), message)
  const entry = readEntry(file, path, source)
  const about = entry.on.map((name) => kinds.of(name))
  const per = file.per ?? 'party'
  const then = file.then ?? 'refuse'
  if (file.perTransaction === undefined && file.daily === undefined)
    report('perTransaction', 'A limit needs perTransaction, daily or both. Write perTransaction: 250000.')
  const nobody = about.find(({ party }) => party === null)
  if (file.daily !== undefined && per === 'party' && nobody)
    report('per', `${capital(nobody.phrase)} names no phone, business or account. Write per: organisation.`)
  const instant = about.find(isInstant)
  if (then === 'fail' && instant)
    report('then', `${capital(instant.phrase)} cannot fail later, it is over at once. Write then: refuse.`)
  readFailure(file.with, then, about, path, source)
  return {
    ...entry,
    currency: file.currency ?? home,
    perTransactionMinor: readAmount(file.perTransaction, [...path, 'perTransaction'], source),
    dailyMinor: readAmount(file.daily, [...path, 'daily'], source),
    per,
    // `day` is the only text that is no duration: until midnight.
    lasts: file.lasts === undefined ? undefined : (parseDuration(file.lasts) ?? 'day'),
    error: readRefusal(file.error ?? { code: commonReasons.limitExceeded.code }, [...path, 'error'], source),
    then,
    with: file.with ?? {},
  }
}

function readFee(file: FeeFile, path: Path, source: SourceText, { home }: About): Fee {
  const tariff = readTariff(file.amount, [...path, 'amount'], source)
  return { ...readEntry(file, path, source), currency: file.currency ?? home, tariff }
}

function readTariff(file: TariffFile, path: Path, source: SourceText): Tariff {
  const amount = (value: number | undefined, ...more: (string | number)[]) =>
    readAmount(value, [...path, ...more], source)
  if (typeof file === 'number') return { flatMinor: amount(file) ?? 0 }
  if ('percent' in file) {
    const [minMinor, maxMinor] = [amount(file.min, 'min') ?? 0, amount(file.max, 'max') ?? Number.MAX_SAFE_INTEGER]
    if (maxMinor < minMinor)
      source.report(
        source.offsetOf([...path, 'max']),
        printPath([...path, 'max']),
        'The most is less than the least. Write a larger max.',
      )
    return { percent: file.percent, minMinor, maxMinor }
  }
  const steps = file.table.map((step, i) => ({
    upToMinor: amount(step.upTo, 'table', i, 'upTo') ?? 0,
    feeMinor: amount(step.fee, 'table', i, 'fee') ?? 0,
  }))
  const fallen = steps.findIndex((step, i) => i > 0 && step.upToMinor <= (steps[i - 1]?.upToMinor ?? 0))
  if (fallen > 0) {
    const at = [...path, 'table', fallen, 'upTo']
    source.report(
      source.offsetOf(at),
      printPath(at),
      'It is not above the step before it. Write the smallest amount first.',
    )
  }
  return { steps }
}

function readFloat(file: FloatFile, path: Path, source: SourceText, { kinds, home }: About): Float {
  const then = file.then ?? 'fail'
  const entry = readEntry(file, path, source)
  const about = entry.on.map((name) => kinds.of(name))
  readFailure(file.with, then, about, path, source)
  const amountMinor = readAmount(file.amount, [...path, 'amount'], source) ?? 0
  return { ...entry, currency: file.currency ?? home, amountMinor, then, with: file.with ?? {} }
}

function readFailure(
  fields: JsonObject | undefined,
  then: string,
  on: readonly Kind[],
  path: Path,
  source: SourceText,
): void {
  const at = [...path, 'with']
  if (fields && then === 'fail') checkRuleFields(fields, on, at, source)
  else if (fields)
    source.report(
      source.offsetOf(at),
      printPath(at),
      'Only a failure sets fields of the record. Write then: fail, or remove with.',
    )
}

function readCutOff(file: CutOffFile, path: Path, source: SourceText): CutOff {
  const cutOffAt = parseTimeOfDay(file.at) ?? 0
  const opensAt = parseTimeOfDay(file.opens ?? '08:00') ?? 0
  if (opensAt >= cutOffAt) {
    const at = [...path, file.opens === undefined ? 'at' : 'opens']
    const message = `It opens at ${file.opens ?? '08:00'} and takes nothing from ${file.at} on, so it is never open. Write an earlier opens.`
    source.report(source.offsetOf(at), printPath(at), message)
  }
  for (const [i, date] of (file.holidays ?? []).entries()) {
    const at = [...path, 'holidays', i]
    if (parseInstant(date) === undefined)
      source.report(source.offsetOf(at), printPath(at), `${quote(date)} is not a date. Write it like 2025-12-25.`)
  }
  const holidays = file.holidays && new Set(file.holidays)
  return { ...readEntry(file, path, source), opensAt, cutOffAt, weekends: file.weekends ?? false, holidays }
}

function readMaintenance(file: MaintenanceFile, path: Path, source: SourceText, { kinds }: About): Maintenance {
  const report = (key: string, message: string) =>
    source.report(source.offsetOf([...path, key]), printPath([...path, key]), message)
  const entry = readEntry(file, path, source)
  const about = entry.on.map((name) => kinds.of(name))
  const then = file.then ?? 'refuse'
  const unable = about.find((kind) => !waitsForRail(kind))
  if (then !== 'refuse' && unable)
    report('then', `${capital(unable.phrase)} does not wait for a rail. Write then: refuse.`)
  readFailure(file.with, then, about, path, source)
  return { ...entry, window: readWindow(file, report), then, with: file.with ?? {} }
}

function readWindow({ every, from, to }: MaintenanceFile, report: (key: string, message: string) => void): Window {
  const nothing: Window = { fromUs: 0, toUs: 0 }
  if (every !== undefined) {
    if (from !== undefined || to !== undefined)
      report('every', 'A window is either every day or week, or from and to. Remove one of the two.')
    const window = parseEvery(every)
    if (typeof window !== 'string') return window
    report('every', window)
    return nothing
  }
  if (from === undefined || to === undefined) {
    report(from === undefined ? 'from' : 'to', 'A window needs every, or from and to. Write every: "SUN 01:00..05:00".')
    return nothing
  }
  const [fromUs, toUs] = [parseInstant(from), parseInstant(to)]
  if (fromUs === undefined || toUs === undefined)
    report(
      fromUs === undefined ? 'from' : 'to',
      `${quote(fromUs === undefined ? from : to)} is not a time. Write it like 2025-01-25T22:00:00.`,
    )
  else if (toUs <= fromUs) report('to', 'The window ends before it begins. Write a later time.')
  return fromUs === undefined || toUs === undefined
    ? nothing
    : { fromUs, toUs, local: { from: !hasZone(from), to: !hasZone(to) } }
}

function readAmount(amount: number | undefined, path: Path, source: SourceText): number | undefined {
  if (amount === undefined) return undefined
  const minor = toMinor(amount)
  if (minor !== undefined) return minor
  const message = `Found ${describeValue(amount)}. Expected shillings with at most two decimals, up to 999999999999.99.`
  source.report(source.offsetOf(path), printPath(path), message)
  return undefined
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

export function summariseRails(rails: Rails, ownFile: string): RailSummary[] {
  const listed = (sort: RailSort, entries: readonly Entry[]) =>
    entries.map(({ name, on, file, line }) => ({ name, sort, on: [...on], file, line, inherited: file !== ownFile }))
  return [
    ...listed('limit', rails.limits),
    ...listed('fee', rails.fees),
    ...listed('float', rails.float),
    ...listed('cut-off', rails.cutOff),
    ...listed('maintenance', rails.maintenance),
  ]
}
