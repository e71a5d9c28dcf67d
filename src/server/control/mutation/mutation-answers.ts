/** Answer schemas of mutations. */
import * as z from 'zod'
import { shape } from '../shape.ts'

export const toldShape = shape('Told', () =>
  z.object({
    in: z.enum(['answer', 'callback']),
    of: z.string(),
    method: z.string().describe('`GET`, of an answer.').optional(),
    bodies: z.array(z.unknown()),
    signed: z.boolean().describe('Of callbacks.').optional(),
  }),
)
