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
      description: `whose matches are counted: ${takers.join(', ')}; all of the world when left out`,
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
    description: 'a sentence about the fault; it replaces a fault of that name in the extended scenario',
  }),
  chance: odds('the probability, from 0 to 1'),
  nth: turnField(
    'the turn: 3 for the third match, { first: 2 }, { every: 3 }, or { only: 1, per: organisation }',
    takers,
  ),
})
