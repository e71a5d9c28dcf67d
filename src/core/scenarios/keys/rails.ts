// biome-ignore-all lint/suspicious/noThenProperty: the word that scenarios read best with; none is ever awaited.
import * as z from 'zod'
import { isInstant, waitsForRail } from '../../lifecycle.ts'
import { parseTimeOfDay } from '../../model/calendar.ts'
import type { Countries } from '../../model/country.ts'
import type { Kind, Service } from '../../model/kind.ts'
import { type Currency, toMinor } from '../../model/money.ts'
import { must } from '../../model/must.ts'
import type { JsonObject, PaymentKind } from '../../model/payment.ts'
import { capital, checked, described, optional, type SourcePlace, type Tell } from '../../model/problems.ts'
import { commonReasons } from '../../model/refusal.ts'
import type { RailSort, RailSummary } from '../../model/rule-summaries.ts'
import { everyPattern, parseEvery, type Window } from './hours.ts'
import { checkFields, dateText, fieldsOf, limitError, money, readRefusal, shortText } from './schema-parts.ts'

/** By steps, the smallest amount first. In minor units. */
export type Tariff = readonly { upToMinor: number; feeMinor: number }[]

/** Above the last step, its fee applies. */
export function feeOf(tariff: Tariff, amountMinor: number): number {
  return (tariff.find(({ upToMinor }) => amountMinor <= upToMinor) ?? tariff.at(-1))?.feeMinor ?? 0
}

const tariff = () =>
  z
    .union([
      money(),
      z.strictObject({
        table: checked(
          z
            .array(
              z.strictObject({
                upTo: described(money(), 'amounts up to this one, in shillings', 1000),
                fee: described(money(), 'cost this fee, in shillings', 13),
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
      description: 'the fee in shillings, or a { table }',
      examples: [35, { table: [{ upTo: 1000, fee: 13 }] }],
    })

const minor = (amount: number) => must(toMinor(amount))

function readTariff(file: z.infer<ReturnType<typeof tariff>>): Tariff {
  const steps = typeof file === 'number' ? [{ upTo: 0, fee: file }] : file.table
  return steps.map(({ upTo, fee }) => ({ upToMinor: minor(upTo), feeMinor: minor(fee) }))
}

const on = (kinds: readonly Kind[]) => {
  const names = kinds.map(({ name }) => name)
  const kind = z.enum(names)
  return described(
    z.union([kind, z.array(kind).min(1)]),
    `the kind of payment, or a list of kinds: ${names.join(', ')}`,
    names[0],
    names.slice(0, 2),
  )
}
const currencyOf = ({ currencies, home }: Countries) =>
  optional(z.enum(currencies), `the currency; payments in others are not affected; ${home.currency} when left out`)

const USUAL_OPENING = '08:00'

function checkFailure(fields: JsonObject | undefined, then: string, on: readonly Kind[], tell: Tell): void {
  if (fields && then === 'fail') checkFields(fields, on, tell, ['with'])
  else if (fields) tell('Only a failure sets fields of the record. Write then: fail, or remove with.', ['with'])
}

export function railsOf({ kinds, countries }: Service) {
  const name = optional(shortText(120), 'a sentence that is shown when it applies; its place in the file when left out')
  const kindsOn = (names: string | readonly string[]) => [names].flat().map((one) => kinds.of(one))
  const timeOfDay = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/)
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
  ).describe('a limit: on, with perTransaction or daily or both')

  const fee = z.strictObject({ name, on: on(payouts), amount: tariff(), currency }).describe('a fee: on and amount')

  const float = checked(
    z.strictObject({
      name,
      on: on(payouts),
      amount: described(money(), "the rail's own money, in shillings; POST /_mfano/floats/fund adds more", 100_000),
      currency,
      then: optional(
        z.enum(['refuse', 'fail', 'hold']),
        'the answer to a payout above the float; refuse: 503 SERVICE_UNAVAILABLE; fail: accepted, then FAILED; hold: accepted, and PENDING until the float has enough; fail when left out',
      ),
      with: fields.optional(),
    }),
    ({ then = 'fail', ...file }, tell) => checkFailure(file.with, then, kindsOn(file.on), tell),
  ).describe('a float: on and amount')

  const cutOff = checked(
    z.strictObject({
      name,
      on: on(waiting),
      at: described(timeOfDay, 'the time of day when the rail closes, in quotes', '16:00'),
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
  ).describe('the hours of a rail: on and at')

  const maintenance = checked(
    z.strictObject({
      name,
      on: on([...kinds]),
      every: described(
        checked(z.string().regex(everyPattern), (text, tell) => {
          const window = parseEvery(text)
          if (typeof window === 'string') tell(window)
        }),
        "a daily or weekly window, in the scenario's time zone, in quotes",
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
    },
  ).describe('a maintenance window: on and every')

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
    .describe(
      'limits, fees, floats and hours of the rails; they apply to payments that the rules accept; a list here replaces that of the extended scenario',
    )
}

type RailsFile = z.infer<ReturnType<typeof railsOf>>
export type RailFile = NonNullable<RailsFile[keyof RailsFile]>[number]

export interface Entry extends SourcePlace {
  name: string
  on: readonly PaymentKind[]
}

type Placed<Key extends keyof RailsFile> = Omit<NonNullable<RailsFile[Key]>[number], 'on'> & Entry
export type PlacedRails = { [Key in keyof RailsFile]?: readonly Placed<Key>[] }

export type Rails = ReturnType<typeof readRails>
export type Limit = Rails['limits'][number]
export type Float = Rails['float'][number]

export function readRails(
  { limits = [], fees = [], float = [], cutOff = [], maintenance = [] }: PlacedRails,
  home: Currency,
) {
  return {
    limits: limits.map(({ currency = home, with: fields = {}, ...one }) => ({
      ...one,
      currency,
      with: fields,
      perTransactionMinor: one.perTransaction === undefined ? undefined : minor(one.perTransaction),
      dailyMinor: one.daily === undefined ? undefined : minor(one.daily),
      per: one.per ?? 'party',
      error: readRefusal(one.error ?? { code: commonReasons.limitExceeded.code }),
      then: one.then ?? 'refuse',
    })),
    fees: fees.map(({ currency = home, ...one }) => ({ ...one, currency, tariff: readTariff(one.amount) })),
    float: float.map(({ currency = home, with: fields = {}, ...one }) => ({
      ...one,
      currency,
      with: fields,
      amountMinor: minor(one.amount),
      then: one.then ?? 'fail',
    })),
    cutOff: cutOff.map((one) => ({
      ...one,
      opensAt: must(parseTimeOfDay(one.opens ?? USUAL_OPENING)),
      cutOffAt: must(parseTimeOfDay(one.at)),
      weekends: one.weekends ?? false,
      holidays: one.holidays && new Set(one.holidays),
    })),
    maintenance: maintenance.map(({ with: fields = {}, ...one }) => ({
      ...one,
      with: fields,
      window: parseEvery(one.every) as Window,
      then: one.then ?? 'refuse',
    })),
  }
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
