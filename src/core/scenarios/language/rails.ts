/** `rails:`, which apply whatever the rules decide: limits, fees, floats, cut-offs and maintenance. */
// biome-ignore-all lint/suspicious/noThenProperty: the word that scenarios read best with; none is ever awaited.
import * as z from 'zod'
import { isInstant, waitsForRail } from '../../lifecycle.ts'
import { parseTimeOfDay, type Zone } from '../../model/calendar.ts'
import type { Countries } from '../../model/country.ts'
import { durationSchema } from '../../model/delays.ts'
import type { Kind, Service } from '../../model/kind.ts'
import { type Currency, toMinor } from '../../model/money.ts'
import { must } from '../../model/must.ts'
import type { JsonObject, PaymentKind } from '../../model/payment.ts'
import { capital, checked, optional, quote, type SourcePlace, type Tell } from '../../model/problems.ts'
import { commonReasons } from '../../model/refusal.ts'
import type { RailSort, RailSummary } from '../../model/rule-summaries.ts'
import { hasZone, parseDuration, parseInstant } from '../../model/time.ts'
import type { SourceText } from '../../source-text.ts'
import { everyPattern, parseEvery, type Window } from './hours.ts'
import { limitError, readRefusal } from './refuse-schema.ts'
import { checkFields, dateText, fieldsOf, money, shortText } from './schema-parts.ts'

export interface FeeStep {
  upToMinor: number
  feeMinor: number
}

export type Tariff =
  | { flatMinor: number }
  | { percent: number; minMinor: number; maxMinor: number }
  | { steps: readonly FeeStep[] }

/** In minor units, rounded half up. Above the last step, its fee applies. */
export function feeOf(tariff: Tariff, amountMinor: number): number {
  if ('flatMinor' in tariff) return tariff.flatMinor
  if ('steps' in tariff)
    return (tariff.steps.find(({ upToMinor }) => amountMinor <= upToMinor) ?? tariff.steps.at(-1))?.feeMinor ?? 0
  const { percent, minMinor, maxMinor } = tariff
  return Math.min(maxMinor, Math.max(minMinor, Math.round((amountMinor * percent) / 100)))
}

export const tariff = () =>
  z
    .union([
      money(),
      checked(
        z.strictObject({
          percent: z
            .number()
            .min(0)
            .max(100)
            .meta({ description: 'the part of the amount, in per cent', examples: [1.5] }),
          min: optional(money(), 'at least this much, in shillings'),
          max: optional(money(), 'at most this much, in shillings'),
        }),
        ({ min = 0, max = min }, tell) => {
          if (max < min) tell('The most is less than the least. Write a larger max.', ['max'])
        },
      ),
      z.strictObject({
        table: checked(
          z
            .array(
              z.strictObject({
                upTo: money().meta({ description: 'amounts up to this one, in shillings', examples: [1000] }),
                fee: money().meta({ description: 'cost this fee, in shillings', examples: [13] }),
              }),
            )
            .min(1)
            .max(200),
          (steps, tell) => {
            const fallen = steps.findIndex(({ upTo }, i) => i > 0 && upTo <= (steps[i - 1]?.upTo ?? 0))
            if (fallen > 0)
              tell('It is not above the step before it. Write the smallest amount first.', [fallen, 'upTo'])
          },
        ).meta({
          description: 'a tariff by steps, the smallest amount first; above the last step its fee stays',
          examples: [
            [
              { upTo: 1000, fee: 13 },
              { upTo: 50_000, fee: 45 },
            ],
          ],
        }),
      }),
    ])
    .meta({
      description:
        'the fee in shillings, or a part of the amount ({ percent: 1.5, min: 10, max: 200 }), or a { table }',
      examples: [35, { percent: 1.5, min: 10 }, { table: [{ upTo: 1000, fee: 13 }] }],
    })

export type TariffFile = z.infer<ReturnType<typeof tariff>>

function readTariff(file: TariffFile): Tariff {
  const minor = (amount: number) => must(toMinor(amount))
  if (typeof file === 'number') return { flatMinor: minor(file) }
  if ('table' in file)
    return { steps: file.table.map(({ upTo, fee }) => ({ upToMinor: minor(upTo), feeMinor: minor(fee) })) }
  const { percent, min = 0, max } = file
  return { percent, minMinor: minor(min), maxMinor: max === undefined ? Number.MAX_SAFE_INTEGER : minor(max) }
}

const on = (kinds: readonly Kind[]) => {
  const names = kinds.map(({ name }) => name)
  const kind = z.enum(names)
  return z.union([kind, z.array(kind).min(1)]).meta({
    description: `the kind of payment, or a list of kinds: ${names.join(', ')}`,
    examples: [names[0], names.slice(0, 2)],
  })
}
const currencyOf = ({ currencies, home }: Countries) =>
  optional(z.enum(currencies), `the currency; payments in others are not affected; ${home.currency} when left out`)

const USUAL_OPENING = '08:00'

/** Only a failure sets fields of the record. */
function checkFailure(fields: JsonObject | undefined, then: string, on: readonly Kind[], tell: Tell): void {
  if (fields && then === 'fail') checkFields(fields, on, tell, ['with'])
  else if (fields) tell('Only a failure sets fields of the record. Write then: fail, or remove with.', ['with'])
}

function checkWindow(
  { every, from, to }: { every?: string | undefined; from?: string | undefined; to?: string | undefined },
  tell: Tell,
): void {
  const window = every === undefined ? undefined : parseEvery(every)
  if (window !== undefined && (from !== undefined || to !== undefined))
    tell('A window is either every day or week, or from and to. Remove one of the two.', ['every'])
  if (typeof window === 'string') tell(window, ['every'])
  if (window !== undefined) return
  if (from === undefined || to === undefined) {
    tell('A window needs every, or from and to. Write every: "SUN 01:00..05:00".', [from === undefined ? 'from' : 'to'])
    return
  }
  const [fromUs, toUs] = [parseInstant(from), parseInstant(to)]
  const notATime = (text: string) => `${quote(text)} is not a time. Write it like 2025-01-25T22:00:00.`
  if (fromUs === undefined) tell(notATime(from), ['from'])
  else if (toUs === undefined) tell(notATime(to), ['to'])
  else if (toUs <= fromUs) tell('The window ends before it begins. Write a later time.', ['to'])
}

export function railsOf({ kinds, countries }: Service) {
  const name = optional(shortText(120), 'a sentence that is shown when it applies; its place in the file when left out')
  const kindsOn = (names: string | readonly string[]) => [names].flat().map((one) => kinds.of(one))
  const timeOfDay = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/)
  const instant = z.string().max(40)
  const currency = currencyOf(countries)
  const fields = fieldsOf(kinds)
  const payouts = kinds.filter(({ direction }) => direction === 'out')
  const names = payouts.map(({ name }) => name)
  const moving = kinds.filter(({ direction }) => direction !== 'none')
  const waiting = kinds.filter(waitsForRail)
  const limit = checked(
    z.strictObject({
      name,
      on: on(moving),
      perTransaction: optional(money(), 'the limit of one payment, in shillings', 250_000),
      daily: optional(
        money(),
        'the limit of one simulated day, in shillings, over all kinds of this limit; failed payments do not count',
        500_000,
      ),
      per: optional(
        z.enum(['party', 'organisation', 'world']),
        'whose payments of the day are added: party (one phone, business or account), organisation, or world; party when left out',
      ),
      currency,
      lasts: optional(
        z.union([z.literal('until midnight'), durationSchema]),
        'how long every payment is refused after one above the limit: until midnight, or a duration such as 2h; only the payment above the limit when left out',
        'until midnight',
        '2h',
      ),
      error: limitError().optional(),
      then: optional(
        z.enum(['refuse', 'fail']),
        'refuse: answered with an error; fail: accepted, then FAILED; refuse when left out',
      ),
      with: fields.optional(),
    }),
    ({ perTransaction, daily, per = 'party', then = 'refuse', ...file }, tell) => {
      const about = kindsOn(file.on)
      if (perTransaction === undefined && daily === undefined)
        tell('A limit needs perTransaction, daily or both. Write perTransaction: 250000.', ['perTransaction'])
      const nobody = about.find(({ party }) => party === null)
      if (daily !== undefined && per === 'party' && nobody)
        tell(`${capital(nobody.phrase)} names no phone, business or account. Write per: organisation.`, ['per'])
      const instant = about.find(isInstant)
      if (then === 'fail' && instant)
        tell(`${capital(instant.phrase)} cannot fail later, it is over at once. Write then: refuse.`, ['then'])
      checkFailure(file.with, then, about, tell)
    },
  ).meta({ description: 'a limit: on, with perTransaction or daily or both' })

  const fee = z
    .strictObject({ name, on: on(payouts), amount: tariff(), currency })
    .meta({ description: 'a fee: on and amount' })

  const float = checked(
    z.strictObject({
      name,
      on: on(payouts),
      amount: money().meta({
        description: "the rail's own money, in shillings; POST /_mfano/floats/fund adds more",
        examples: [100_000],
      }),
      currency,
      then: optional(
        z.enum(['refuse', 'fail', 'hold']),
        'the answer to a payout above the float; refuse: 503 SERVICE_UNAVAILABLE; fail: accepted, then FAILED; hold: accepted, and PENDING until the float has enough; fail when left out',
      ),
      with: fields.optional(),
    }),
    ({ then = 'fail', ...file }, tell) => checkFailure(file.with, then, kindsOn(file.on), tell),
  ).meta({ description: 'a float: on and amount' })

  const cutOff = checked(
    z.strictObject({
      name,
      on: on(waiting),
      at: timeOfDay.meta({
        description: 'the time of day when the rail closes, in quotes',
        examples: ['16:00'],
      }),
      opens: optional(timeOfDay, 'the time of day when the rail opens, in quotes; 08:00 when left out', '08:00'),
      weekends: optional(z.boolean(), 'true: it also works on Saturdays and Sundays; false when left out'),
      holidays: optional(
        z.array(dateText()).max(1000),
        "dates on which it does not open; the scenario's holidays when left out",
        ['2025-12-25', '2025-12-26'],
      ),
    }),
    ({ at, opens }, tell) => {
      const opening = opens ?? USUAL_OPENING
      if ((parseTimeOfDay(opening) ?? 0) >= (parseTimeOfDay(at) ?? 0))
        tell(`It opens at ${opening} and takes nothing from ${at} on, so it is never open. Write an earlier opens.`, [
          opens === undefined ? 'at' : 'opens',
        ])
    },
  ).meta({ description: 'the hours of a rail: on and at' })

  const maintenance = checked(
    z.strictObject({
      name,
      on: on([...kinds]),
      from: optional(
        instant,
        "the start in simulated time, in the scenario's time zone unless it names one",
        '2025-01-25T22:00:00',
      ),
      to: optional(instant, 'the end in simulated time', '2025-01-27T06:00:00'),
      every: optional(
        z.string().regex(everyPattern),
        "a daily or weekly window instead of from and to, in the scenario's time zone, in quotes",
        'SUN 01:00..05:00',
        '01:00..03:00',
        'FRI 22:00..MON 06:00',
      ),
      then: optional(
        z.enum(['refuse', 'hold', 'fail']),
        'refuse: 503 SERVICE_UNAVAILABLE; hold: accepted, and processed when the window ends; fail: accepted, then FAILED; refuse when left out',
      ),
      with: fields.optional(),
    }),
    ({ then = 'refuse', ...file }, tell) => {
      const about = kindsOn(file.on)
      const unable = about.find((kind) => !waitsForRail(kind))
      if (then !== 'refuse' && unable)
        tell(`${capital(unable.phrase)} does not wait for a rail. Write then: refuse.`, ['then'])
      checkFailure(file.with, then, about, tell)
      checkWindow(file, tell)
    },
  ).meta({ description: 'a maintenance window: on, with every, or with from and to' })

  return z
    .strictObject({
      limits: optional(
        z.array(limit).max(100),
        'limits of one payment and of one day; a payment must keep all of them',
        [{ on: names[0], perTransaction: 250_000, daily: 500_000, per: 'party' }],
      ),
      fees: optional(
        z.array(fee).max(100),
        'fees of payouts, paid by the organisation; a fee is reserved with the amount, charged on success and returned on failure; all fees that match are added; the record of a bank payout shows it',
        [
          {
            on: names[0],
            amount: {
              table: [
                { upTo: 1000, fee: 13 },
                { upTo: 50_000, fee: 45 },
              ],
            },
          },
        ],
      ),
      float: optional(
        z.array(float).max(100),
        "the rails' own money; payouts use it, failures and reversals return it",
        [{ name: 'the mobile float', on: names.slice(0, 2), amount: 100_000 }],
      ),
      cutOff: optional(
        z.array(cutOff).max(100),
        'the hours of the rails; later payments are processed at the next opening',
        [{ on: names.at(-1), at: '16:00', holidays: ['2025-12-25'] }],
      ),
      maintenance: optional(z.array(maintenance).max(100), 'windows in which rails do not work', [
        { on: names.slice(1, 3), every: 'SUN 01:00..05:00' },
      ]),
    })
    .meta({
      description:
        'limits, fees, floats and hours of the rails; they apply to payments that the rules accept; a list here replaces that of the extended scenario',
    })
}

type RailsFile = z.infer<ReturnType<typeof railsOf>>

/** `path` is its place in the scenario, such as `rails.limits[0]`. */
export interface Entry extends SourcePlace {
  name: string
  on: readonly PaymentKind[]
}

type Placed<Key extends keyof RailsFile> = Omit<NonNullable<RailsFile[Key]>[number], 'on'> & Entry
export type PlacedRails = { [Key in keyof RailsFile]?: readonly Placed<Key>[] }

export type Limit = ReturnType<typeof readLimit>
export type Float = ReturnType<typeof readFloat>
export type Maintenance = ReturnType<typeof readMaintenance>
export type Rails = ReturnType<typeof mergeRails>

export function placeRails(file: RailsFile = {}, source: SourceText): PlacedRails {
  const placed = Object.entries(file).map(([key, list]) => [
    key,
    list.map((one, i) => {
      const at = source.placeOf(['rails', key, i])
      return { ...one, ...at, name: one.name ?? at.path, on: [...new Set([one.on].flat())] }
    }),
  ])
  return Object.fromEntries(placed)
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

function readLimit({ perTransaction, daily, lasts, error, ...file }: Placed<'limits'>, home: Currency) {
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

function readFee(file: Placed<'fees'>, home: Currency) {
  return { ...entry(file), currency: file.currency ?? home, tariff: readTariff(file.amount) }
}

function readFloat(file: Placed<'float'>, home: Currency) {
  return {
    ...entry(file),
    currency: file.currency ?? home,
    amountMinor: must(toMinor(file.amount)),
    ...failure(file, 'fail'),
  }
}

function readCutOff({ opens = USUAL_OPENING, at, weekends = false, holidays, ...file }: Placed<'cutOff'>) {
  return {
    ...entry(file),
    opensAt: must(parseTimeOfDay(opens)),
    cutOffAt: must(parseTimeOfDay(at)),
    weekends,
    holidays: holidays && new Set(holidays),
  }
}

function readMaintenance({ every, from = '', to = '', ...file }: Placed<'maintenance'>, offsetUs: number) {
  const instant = (text: string) => must(parseInstant(text)) - (hasZone(text) ? 0 : offsetUs)
  const window = every === undefined ? { fromUs: instant(from), toUs: instant(to) } : parseEvery(every)
  return { ...entry(file), window: window as Window, ...failure(file, 'refuse') }
}

function entry({ name, on, file, line, column, path }: Entry): Entry {
  return { name, on, file, line, column, path }
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
