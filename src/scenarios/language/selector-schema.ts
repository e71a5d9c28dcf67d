/** The shape of what selectors have in common: odds and turns, and the name of a fault. */
import { z } from 'zod'
import { text } from './schema-parts.ts'

/** `description`: what is so where the odds are for it. */
export const odds = (description: string) =>
  z
    .number()
    .min(0)
    .max(1)
    .optional()
    .meta({ description, examples: [0.05] })

export const turn = (description: string) =>
  z
    .union([
      z.int().min(1),
      z.strictObject({ first: z.int().min(1).meta({ description: 'how many of the first matches' }) }),
    ])
    .optional()
    .meta({ description, examples: [3, { first: 2 }] })

/** Of faults of both sorts. */
export const faultSelector = {
  name: text(120).optional().meta({
    description: 'a sentence that says what goes wrong; a fault of the same name in the extended scenario is replaced',
  }),
  chance: odds('the odds that it happens where its condition holds, from 0 to 1'),
  nth: turn('which of those that it matches it meets: the n-th (a number), or the first ones ({ first: n })'),
}
