/** Schema of an error that refuses a request. */
import * as z from 'zod'
import { refusalCodes } from '../../model/refusal.ts'
import { shortText } from './schema-parts.ts'

const refusalShape = () => ({
  status: z
    .int()
    .min(400)
    .max(599)
    .optional()
    .meta({
      description: 'HTTP status; that of the published table when left out',
      examples: [400, 503],
    }),
  code: z
    .string()
    .regex(/^[A-Z][A-Z0-9_]{1,63}$/)
    .meta({
      description: 'error code in capitals, from the published table or one of your own',
      examples: refusalCodes,
    }),
  message: shortText()
    .optional()
    .meta({ description: "the error's message; that of the published table when left out" }),
  details: shortText().optional().meta({ description: "the error's details; the rule's name when left out" }),
})

export const refuse = () =>
  z.strictObject(refusalShape()).meta({
    description: 'the error that is answered at once; no payment is created',
    examples: [{ code: 'PAYMENT_LIMIT_EXCEEDED' }],
  })

export const limitError = () =>
  z.strictObject(refusalShape()).meta({
    description:
      'the error of a payment above the limit; a refused payment gets it as answer, a failed payment in its record; 403 PAYMENT_LIMIT_EXCEEDED when left out',
    examples: [{ code: 'DAILY_LIMIT_REACHED', status: 403, message: 'Daily limit reached' }],
  })

export type RefuseFile = z.infer<ReturnType<typeof refuse>>
