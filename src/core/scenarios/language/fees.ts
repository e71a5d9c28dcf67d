/** Fees that a rail charges for a payout. */
import * as z from 'zod'
import type { Currency } from '../../model/money.ts'

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

const money = () => z.number().min(0)

export const tariff = () =>
  z
    .union([
      money(),
      z.strictObject({
        percent: z
          .number()
          .min(0)
          .max(100)
          .meta({ description: 'the part of the amount, in per cent', examples: [1.5] }),
        min: money().optional().meta({ description: 'at least this much, in shillings' }),
        max: money().optional().meta({ description: 'at most this much, in shillings' }),
      }),
      z.strictObject({
        table: z
          .array(
            z.strictObject({
              upTo: money().meta({ description: 'amounts up to this one, in shillings', examples: [1000] }),
              fee: money().meta({ description: 'cost this fee, in shillings', examples: [13] }),
            }),
          )
          .min(1)
          .max(200)
          .meta({
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

export interface FeeTerms {
  currency: Currency
  tariff: Tariff
}
