/** Fees that a rail charges for a payout. */
import * as z from 'zod'
import { type Currency, toMinor } from '../../model/money.ts'
import { must } from '../../model/must.ts'
import { checked } from '../../model/problems.ts'
import { money } from './schema-parts.ts'

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
          min: money().optional().meta({ description: 'at least this much, in shillings' }),
          max: money().optional().meta({ description: 'at most this much, in shillings' }),
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

export function readTariff(file: TariffFile): Tariff {
  const minor = (amount: number) => must(toMinor(amount))
  if (typeof file === 'number') return { flatMinor: minor(file) }
  if ('table' in file)
    return { steps: file.table.map(({ upTo, fee }) => ({ upToMinor: minor(upTo), feeMinor: minor(fee) })) }
  const { percent, min = 0, max } = file
  return { percent, minMinor: minor(min), maxMinor: max === undefined ? Number.MAX_SAFE_INTEGER : minor(max) }
}

export interface FeeTerms {
  currency: Currency
  tariff: Tariff
}
