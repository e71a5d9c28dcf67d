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
    description: `the kind of payment, or a list of kinds: ${names.join(', ')}`,
    examples: [names[0], names.slice(0, 2)],
  })
}
const currencyOf = ({ currencies, home }: Countries) =>
  z
    .enum(currencies)
    .optional()
    .meta({
      description: `the currency; payments in others are not affected; ${home.currency} when left out`,
    })
export function railsOf({ kinds, countries }: Service) {
  const name = shortText(120)
    .optional()
    .meta({ description: 'a sentence that is shown when it applies; its place in the file when left out' })
  const amount = z.number().min(0)
  const timeOfDay = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/)
  const instant = z.string().max(40)
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
        .meta({ description: 'the limit of one payment, in shillings', examples: [250_000] }),
      daily: amount.optional().meta({
        description:
          'the limit of one simulated day, in shillings, over all kinds of this limit; failed payments do not count',
        examples: [500_000],
      }),
      per: z.enum(['party', 'organisation', 'world']).optional().meta({
        description:
          'whose payments of the day are added: party (one phone, business or account), organisation, or world; party when left out',
      }),
      currency,
      lasts: z
        .union([z.literal('until midnight'), durationSchema])
        .optional()
        .meta({
          description:
            'how long every payment is refused after one above the limit: until midnight, or a duration such as 2h; only the payment above the limit when left out',
          examples: ['until midnight', '2h'],
        }),
      error: limitError().optional(),
      then: z.enum(['refuse', 'fail']).optional().meta({
        description: 'refuse: answered with an error; fail: accepted, then FAILED; refuse when left out',
      }),
      with: fields.optional(),
    })
    .meta({ description: 'a limit: on, with perTransaction or daily or both' })

  const fee = z
    .strictObject({ name, on: on(payouts), amount: tariff(), currency })
    .meta({ description: 'a fee: on and amount' })

  const float = z
    .strictObject({
      name,
      on: on(payouts),
      amount: amount.meta({
        description: "the rail's own money, in shillings; POST /_mfano/floats/fund adds more",
        examples: [100_000],
      }),
      currency,
      then: z.enum(['refuse', 'fail', 'hold']).optional().meta({
        description:
          'the answer to a payout above the float; refuse: 503 SERVICE_UNAVAILABLE; fail: accepted, then FAILED; hold: accepted, and PENDING until the float has enough; fail when left out',
      }),
      with: fields.optional(),
    })
    .meta({ description: 'a float: on and amount' })

  const cutOff = z
    .strictObject({
      name,
      on: on(waiting),
      at: timeOfDay.meta({
        description: 'the time of day when the rail closes, in quotes',
        examples: ['16:00'],
      }),
      opens: timeOfDay.optional().meta({
        description: 'the time of day when the rail opens, in quotes; 08:00 when left out',
        examples: ['08:00'],
      }),
      weekends: z
        .boolean()
        .optional()
        .meta({ description: 'true: it also works on Saturdays and Sundays; false when left out' }),
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
        description: "the start in simulated time, in the scenario's time zone unless it names one",
        examples: ['2025-01-25T22:00:00'],
      }),
      to: instant.optional().meta({ description: 'the end in simulated time', examples: ['2025-01-27T06:00:00'] }),
      every: z
        .string()
        .regex(everyPattern)
        .optional()
        .meta({
          description: "a daily or weekly window instead of from and to, in the scenario's time zone, in quotes",
          examples: ['SUN 01:00..05:00', '01:00..03:00', 'FRI 22:00..MON 06:00'],
        }),
      then: z.enum(['refuse', 'hold', 'fail']).optional().meta({
        description:
          'refuse: 503 SERVICE_UNAVAILABLE; hold: accepted, and processed when the window ends; fail: accepted, then FAILED; refuse when left out',
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
          description: 'limits of one payment and of one day; a payment must keep all of them',
          examples: [[{ on: names[0], perTransaction: 250_000, daily: 500_000, per: 'party' }]],
        }),
      fees: z
        .array(fee)
        .max(100)
        .optional()
        .meta({
          description:
            'fees of payouts, paid by the organisation; a fee is reserved with the amount, charged on success and returned on failure; all fees that match are added; the record of a bank payout shows it',
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
          description: "the rails' own money; payouts use it, failures and reversals return it",
          examples: [[{ name: 'the mobile float', on: names.slice(0, 2), amount: 100_000 }]],
        }),
      cutOff: z
        .array(cutOff)
        .max(100)
        .optional()
        .meta({
          description: 'the hours of the rails; later payments are processed at the next opening',
          examples: [[{ on: names.at(-1), at: '16:00', holidays: ['2025-12-25'] }]],
        }),
      maintenance: z
        .array(maintenance)
        .max(100)
        .optional()
        .meta({
          description: 'windows in which rails do not work',
          examples: [[{ on: names.slice(1, 3), every: 'SUN 01:00..05:00' }]],
        }),
    })
    .meta({
      description:
        'limits, fees, floats and hours of the rails; they apply to payments that the rules accept; a list here replaces that of the extended scenario',
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
