/** Schemas that selectors share: odds, turns, names of faults. */
import * as z from 'zod'
import { shortText } from './schema-parts.ts'

export const odds = (description: string) =>
  z
    .number()
    .min(0)
    .max(1)
    .optional()
    .meta({ description, examples: [0.05] })

export const turnTakers = ['payer', 'payee', 'organisation'] as const
export type TurnTaker = (typeof turnTakers)[number]

export const turnField = (description: string, takers: readonly TurnTaker[] = turnTakers) => {
  const per = z
    .enum(takers)
    .optional()
    .meta({
      description: `whose matches are counted for themselves: ${takers.join(', ')}; those of the whole world together when left out`,
      examples: [takers[0]],
    })
  return z
    .union([
      z.int().min(1),
      z.strictObject({ first: z.int().min(1).meta({ description: 'how many of the first matches' }), per }),
      z.strictObject({ only: z.int().min(1).meta({ description: 'which of the matches, from 1' }), per }),
      z.strictObject({ every: z.int().min(1).meta({ description: 'each n-th match: 3 is the 3rd, 6th, 9th' }), per }),
    ])
    .optional()
    .meta({ description, examples: [3, { first: 2 }, { every: 3 }, { only: 1, per: takers[0] }] })
}

export const faultSelectorOf = (takers: readonly TurnTaker[]) => ({
  name: shortText(120).optional().meta({
    description: 'a sentence that says what goes wrong; a fault of the same name in the extended scenario is replaced',
  }),
  chance: odds('the odds that it happens where its condition holds, from 0 to 1'),
  nth: turnField(
    'which of those that it matches it meets: the n-th (a number), the first ones ({ first: n }) or each n-th ({ every: n }); per organisation, payer or payee with { only: n, per: … }',
    takers,
  ),
})
