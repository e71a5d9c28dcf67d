/** Schema of `rails:`, which apply whatever the rules decide. */
// biome-ignore-all lint/suspicious/noThenProperty: the word that scenarios read best with; none is ever awaited.
import * as z from 'zod'
import { waitsForRail } from '../../lifecycle.ts'
import type { Countries } from '../../model/country.ts'
import { durationSchema } from '../../model/delay-schemas.ts'
import type { Kind } from '../../model/kind.ts'
import type { Service } from '../../model/simulated-service.ts'
import { tariff } from './fees.ts'
import { everyPattern } from './hours.ts'
import { limitError } from './refuse-schema.ts'
import { fieldsOf, shortText } from './schema-parts.ts'

const on = (kinds: readonly Kind[]) => {
  const names = kinds.map(({ name }) => name)
  const kind = z.enum(names)
  return z.union([kind, z.array(kind).min(1)]).meta({
    description: `the kind of payment that it is about, or a list of kinds: ${names.join(', ')}`,
    examples: [names[0], names.slice(0, 2)],
  })
}
const name = shortText(120)
  .optional()
  .meta({ description: 'a sentence that is shown wherever it decides; its place in the file when left out' })
const currencyOf = ({ currencies, home }: Countries) =>
  z
    .enum(currencies)
    .optional()
    .meta({
      description: `the currency that it is in; payments in others are not touched. ${home.currency} when left out`,
    })
const amount = z.number().min(0)

const timeOfDay = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/)
const instant = z.string().max(40)
export function railsOf({ kinds, countries }: Service) {
  const currency = currencyOf(countries)
  const fields = fieldsOf(kinds)
  const payouts = kinds.filter(({ direction }) => direction === 'out')
  const names = payouts.map(({ name }) => name)
  const moving = kinds.filter(({ direction }) => direction !== 'none')
  const waiting = kinds.filter(waitsForRail)
  const limit = z
    .strictObject({
      name,
      on: on(moving),
      perTransaction: amount
        .optional()
        .meta({ description: 'the most that one payment may carry, in shillings', examples: [250_000] }),
      daily: amount.optional().meta({
        description:
          'the most for one day of simulated time, in shillings, over all kinds of this limit together; what fails does not count',
        examples: [500_000],
      }),
      per: z.enum(['party', 'organisation', 'world']).optional().meta({
        description:
          'whose payments of the day are added up: those of one phone, business or account (party), of one organisation, or all (world); party when left out',
      }),
      currency,
      lasts: z
        .union([z.literal('until midnight'), durationSchema])
        .optional()
        .meta({
          description:
            "how long nothing passes any more once the limit was broken, however small: until midnight (in the scenario's time zone), or a length of simulated time such as 2h; only what breaks it when left out",
          examples: ['until midnight', '2h'],
        }),
      error: limitError.optional(),
      then: z.enum(['refuse', 'fail']).optional().meta({
        description:
          'refuse: answered with its error, and nothing is made; fail: accepted, then FAILED when the rule said it would end. refuse when left out',
      }),
      with: fields.optional(),
    })
    .meta({ description: 'a limit: on, with perTransaction or daily or both' })

  const fee = z
    .strictObject({ name, on: on(payouts), amount: tariff, currency })
    .meta({ description: 'a fee: on and amount' })

  const float = z
    .strictObject({
      name,
      on: on(payouts),
      amount: amount.meta({
        description:
          'what the rail itself has to pay out, in shillings, until it is topped up by POST /_mfano/floats/fund',
        examples: [100_000],
      }),
      currency,
      then: z.enum(['refuse', 'fail', 'hold']).optional().meta({
        description:
          'what becomes of a payout that is more than what is left. refuse: 503 SERVICE_UNAVAILABLE and nothing is made; fail: accepted, then FAILED; hold: accepted, and PENDING until a top-up or a failure gives the float enough, the oldest first. fail when left out',
      }),
      with: fields.optional(),
    })
    .meta({ description: 'a float: on and amount' })

  const cutOff = z
    .strictObject({
      name,
      on: on(waiting),
      at: timeOfDay.meta({
        description: 'the time of day, in quotes, from which payments wait for the next opening',
        examples: ['16:00'],
      }),
      opens: timeOfDay.optional().meta({
        description: 'the time of day, in quotes, at which the rail opens; 08:00 when left out',
        examples: ['08:00'],
      }),
      weekends: z
        .boolean()
        .optional()
        .meta({ description: 'true: it works on Saturdays and Sundays too; false when left out' }),
      holidays: z
        .array(z.string().regex(/^\d{4}-\d{2}-\d{2}$/))
        .max(1000)
        .optional()

        .meta({
          description: "dates on which it does not open; the scenario's holidays when left out",
          examples: [['2025-12-25', '2025-12-26']],
        }),
    })
    .meta({ description: 'the hours of a rail: on and at' })

  const maintenance = z
    .strictObject({
      name,
      on: on([...kinds]),
      from: instant.optional().meta({
        description:
          "simulated time of the beginning, ISO 8601, in the scenario's time zone unless it has a zone of its own",
        examples: ['2025-01-25T22:00:00'],
      }),
      to: instant.optional().meta({ description: 'simulated time of the end', examples: ['2025-01-27T06:00:00'] }),
      every: z
        .string()
        .regex(everyPattern)
        .optional()
        .meta({
          description:
            'a window of every day or week in place of from and to, on the wall clock of the service, in quotes',
          examples: ['SUN 01:00..05:00', '01:00..03:00', 'FRI 22:00..MON 06:00'],
        }),
      then: z.enum(['refuse', 'hold', 'fail']).optional().meta({
        description:
          'refuse: 503 SERVICE_UNAVAILABLE and nothing is made; hold: accepted, and worked on when the window ends; fail: accepted, then FAILED. refuse when left out',
      }),
      with: fields.optional(),
    })
    .meta({ description: 'a maintenance window: on, with every, or with from and to' })

  const rails = z
    .strictObject({
      limits: z
        .array(limit)
        .max(100)
        .optional()
        .meta({
          description: 'the most that a payment may carry, and the most for a day; every one of them has to be kept',
          examples: [[{ on: names[0], perTransaction: 250_000, daily: 500_000, per: 'party' }]],
        }),
      fees: z
        .array(fee)
        .max(100)
        .optional()
        .meta({
          description:
            "what payouts cost their organisation: reserved with the amount, charged with success, given back with failure; all that fit are added up. A bank payout's record shows it in its breakdown",
          examples: [
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
          ],
        }),
      float: z
        .array(float)
        .max(100)
        .optional()
        .meta({
          description: "the rails' own money: payouts use it up, failures and reversals give it back",
          examples: [[{ name: 'the mobile float', on: names.slice(0, 2), amount: 100_000 }]],
        }),
      cutOff: z
        .array(cutOff)
        .max(100)
        .optional()
        .meta({
          description: 'the hours of the rails: what comes outside of them is worked on from the next opening',
          examples: [[{ on: names.at(-1), at: '16:00', holidays: ['2025-12-25'] }]],
        }),
      maintenance: z
        .array(maintenance)
        .max(100)
        .optional()
        .meta({
          description: 'when rails do not work at all',
          examples: [[{ on: names.slice(1, 3), every: 'SUN 01:00..05:00' }]],
        }),
    })
    .meta({
      description:
        "what the rails are like, on the world's clock; payments that the rules accept meet them. A list here replaces the same list of the extended scenario",
    })

  return { rails, limit, fee, float, cutOff, maintenance }
}

type Shapes = ReturnType<typeof railsOf>
export type RailsFile = z.infer<Shapes['rails']>
export type LimitFile = z.infer<Shapes['limit']>
export type FeeFile = z.infer<Shapes['fee']>
export type FloatFile = z.infer<Shapes['float']>
export type CutOffFile = z.infer<Shapes['cutOff']>
export type MaintenanceFile = z.infer<Shapes['maintenance']>
