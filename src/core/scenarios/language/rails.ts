/** Reads `rails:`, which apply whatever the rules decide: limits, fees, floats, cut-offs and maintenance. */
import { parseTimeOfDay, type Zone } from '../../model/calendar.ts'
import { type Currency, toMinor } from '../../model/money.ts'
import { must } from '../../model/must.ts'
import type { JsonObject, PaymentKind } from '../../model/payment.ts'
import { type Path, printPath } from '../../model/problems.ts'
import { commonReasons } from '../../model/refusal-reasons.ts'
import type { RailSort, RailSummary } from '../../model/rule-summaries.ts'
import { hasZone, parseDuration, parseInstant } from '../../model/time.ts'
import type { SourceText } from '../../source-text.ts'
import { readTariff } from './fees.ts'
import { parseEvery, type Window } from './hours.ts'
import {
  type CutOffFile,
  type FeeFile,
  type FloatFile,
  type LimitFile,
  type MaintenanceFile,
  type RailsFile,
  USUAL_OPENING,
} from './rails-schema.ts'
import { readRefusal } from './refuse-schema.ts'

export interface Entry {
  name: string
  place: string
  on: readonly PaymentKind[]
  file: string
  line: number
}

type Placed<File> = Omit<File, 'on'> & Entry

export interface PlacedRails {
  limits?: readonly Placed<LimitFile>[] | undefined
  fees?: readonly Placed<FeeFile>[] | undefined
  float?: readonly Placed<FloatFile>[] | undefined
  cutOff?: readonly Placed<CutOffFile>[] | undefined
  maintenance?: readonly Placed<MaintenanceFile>[] | undefined
}

export type Limit = ReturnType<typeof readLimit>
export type Fee = ReturnType<typeof readFee>
export type Float = ReturnType<typeof readFloat>
export type CutOff = ReturnType<typeof readCutOff>
export type Maintenance = ReturnType<typeof readMaintenance>
export type Rails = ReturnType<typeof mergeRails>

export function placeRails(file: RailsFile | undefined, source: SourceText): PlacedRails {
  const placed = <File extends LimitFile | FeeFile | FloatFile | CutOffFile | MaintenanceFile>(
    list: readonly File[] | undefined,
    key: keyof RailsFile,
  ) => list?.map((one, i) => ({ ...one, ...entryOf(one, ['rails', key, i], source) }))
  return {
    limits: placed(file?.limits, 'limits'),
    fees: placed(file?.fees, 'fees'),
    float: placed(file?.float, 'float'),
    cutOff: placed(file?.cutOff, 'cutOff'),
    maintenance: placed(file?.maintenance, 'maintenance'),
  }
}

function entryOf(
  { name, on }: { name?: string | undefined; on: PaymentKind | PaymentKind[] },
  path: Path,
  source: SourceText,
): Entry {
  const place = printPath(path)
  const { file, line } = source.placeOf(path)
  return { name: name ?? place, place, on: [...new Set([on].flat())], file, line }
}

/** The nearest file's list of each sort. */
export function mergeRails(layers: readonly PlacedRails[], { offsetUs }: Zone, home: Currency) {
  const nearest = <Key extends keyof PlacedRails>(key: Key) => layers.find((layer) => layer[key])?.[key] ?? []
  return {
    limits: nearest('limits').map((one) => readLimit(one, home)),
    fees: nearest('fees').map((one) => readFee(one, home)),
    float: nearest('float').map((one) => readFloat(one, home)),
    cutOff: nearest('cutOff').map(readCutOff),
    maintenance: nearest('maintenance').map((one) => readMaintenance(one, offsetUs)),
  }
}

function readLimit({ perTransaction, daily, lasts, error, ...file }: Placed<LimitFile>, home: Currency) {
  const minor = (amount: number | undefined) => (amount === undefined ? undefined : must(toMinor(amount)))
  return {
    ...entry(file),
    currency: file.currency ?? home,
    perTransactionMinor: minor(perTransaction),
    dailyMinor: minor(daily),
    per: file.per ?? 'party',
    // After a breach everything is refused for this long; without it, only the payment that breaks the limit.
    lasts: lasts === undefined ? undefined : (parseDuration(lasts) ?? ('day' as const)),
    error: readRefusal(error ?? { code: commonReasons.limitExceeded.code }),
    ...failure(file, 'refuse'),
  }
}

function readFee(file: Placed<FeeFile>, home: Currency) {
  return { ...entry(file), currency: file.currency ?? home, tariff: readTariff(file.amount) }
}

function readFloat(file: Placed<FloatFile>, home: Currency) {
  return {
    ...entry(file),
    currency: file.currency ?? home,
    amountMinor: must(toMinor(file.amount)),
    ...failure(file, 'fail'),
  }
}

function readCutOff({ opens = USUAL_OPENING, at, weekends = false, holidays, ...file }: Placed<CutOffFile>) {
  return {
    ...entry(file),
    opensAt: must(parseTimeOfDay(opens)),
    cutOffAt: must(parseTimeOfDay(at)),
    weekends,
    holidays: holidays && new Set(holidays),
  }
}

function readMaintenance({ every, from = '', to = '', ...file }: Placed<MaintenanceFile>, offsetUs: number) {
  const instant = (text: string) => must(parseInstant(text)) - (hasZone(text) ? 0 : offsetUs)
  const window = every === undefined ? { fromUs: instant(from), toUs: instant(to) } : parseEvery(every)
  return { ...entry(file), window: window as Window, ...failure(file, 'refuse') }
}

function entry({ name, place, on, file, line }: Entry): Entry {
  return { name, place, on, file, line }
}

function failure<Then extends string>(file: { then?: Then | undefined; with?: JsonObject | undefined }, usual: Then) {
  return { then: file.then ?? usual, with: file.with ?? {} }
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
