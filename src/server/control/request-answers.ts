/** Answer schemas of the journal. */
import * as z from 'zod'
import { shape } from './fields.ts'

const sentRequestShape = shape('SentRequest', () =>
  z.object({ headers: z.record(z.string(), z.string()), body: z.unknown() }),
)

export const requestEntryShape = shape('RequestEntry', () =>
  z.object({
    requestId: z.string(),
    at: z.string(),
    operation: z.string().nullable().describe("The operation's name in the contract; null where there is none."),
    method: z.string(),
    path: z.string(),
    organisationId: z.string().nullable(),
    request: sentRequestShape(),
    status: z.number(),
    response: z.unknown(),
    rule: z.string().nullable(),
    payment: z.string().nullable().describe('The uuid of the payment that it made or answered for.'),
    unreadFields: z
      .array(z.string())
      .describe('Parts of the request that nothing read: fields, `?parameters`, headers, or the body.'),
    warnings: z.array(z.string()),
    fault: z.string().nullable().describe('What a rule or a fault did to the answer on its way.'),
    replayed: z.boolean().describe('An earlier request with the same reference or Idempotency-Key was answered again.'),
    assumed: z
      .array(z.string())
      .describe(
        'Assumptions that had to be asked how it is taken: it would go otherwise under another of their alternatives.',
      ),
  }),
)
