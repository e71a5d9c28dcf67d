/** Answer schemas of simulated phones. */
import * as z from 'zod'
import { shape } from '../shape.ts'

export const phoneViewShape = shape('PhoneView', () =>
  z.object({
    phone: z.string(),
    name: z.string(),
    network: z.string(),
    currency: z.string(),
    balance: z.number().nullable().describe("What is left of what the scenario's directory lists; null: plenty."),
    prompts: z.array(
      z.object({
        id: z.string(),
        kind: z.string(),
        merchant: z.string(),
        amount: z.number(),
        currency: z.string(),
        reference: z.string().nullable(),
        description: z.string().nullable(),
        askedAt: z.string(),
        expiresAt: z
          .string()
          .nullable()
          .describe('When it goes away by itself, and what its payment becomes then; null: never.'),
        otherwise: z.string().nullable(),
        ignored: z.boolean(),
        held: z.boolean().describe('It waits longer than planned, because somebody has the page of the phone open.'),
      }),
    ),
    messages: z.array(z.object({ at: z.string(), from: z.string(), text: z.string(), payment: z.string() })),
  }),
)
