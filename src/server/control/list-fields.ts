/** Fields by which lists are asked for. */
import * as z from 'zod'

const whole = z.coerce.number().int('must be a whole number')

export const listLimit = whole
  .min(1, 'must be at least 1')
  .max(1000, 'must be at most 1000')
  .default(100)
  .describe('At most so many.')

export const pageBefore = whole.optional().describe('`next` of the page before.')

/** `description`: what is searched. */
export const searched = (description: string) => z.string().min(1).max(200).optional().describe(description)
