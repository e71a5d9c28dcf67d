/** Answer schemas of reconciliation. */
import * as z from 'zod'
import { shape } from '../shape.ts'

export const findingShape = shape('Finding', () =>
  z.object({
    explain: z
      .object({
        operation: z.string(),
        with: z.record(z.string(), z.unknown()),
        command: z.string(),
        url: z.string(),
      })
      .describe('What tells all about its payment: an operation, and the same as a command and as an address.')
      .optional(),
    code: z.string().describe("One of the codes above, or that of a finding of somebody's own."),
    level: z.enum(['error', 'warning']),
    reference: z.string().optional(),
    requestId: z.string().describe("The service's id of the payment.").optional(),
    kind: z.string().optional(),
    line: z.number().describe('Of the books, counted from 1.').optional(),
    others: z.array(z.string()).describe('The other payments that it is about.').optional(),
    amount: z.number().describe('What is at risk, in major units; left out where it is about no sum.').optional(),
    currency: z.string().describe('Of `amount`.').optional(),
    text: z.string(),
    todo: z.string().optional().describe('What to change in the app.'),
  }),
)

export const verdictShape = shape('Verdict', () =>
  z.object({
    findings: z.array(findingShape()).describe('What counts: money. Empty when the books are right.'),
    warnings: z.array(findingShape()).describe('Advice: habits, and what nobody is to blame for.'),
    at: z.string().describe('Simulated time.'),
    unmatched: z
      .object({ lines: z.array(z.number()), payments: z.array(z.string()) })
      .describe('What stands in one of the two only.'),
    compared: z.object({ lines: z.number(), payments: z.number(), matched: z.number() }),
    unreadFields: z.array(z.string()).describe('Fields of the books that were not compared, at most 20.'),
    asked: z
      .array(
        z.object({
          kind: z.string(),
          party: z.string().describe('Whom they are with; left out where they name nobody.').optional(),
          amount: z.number().describe('Major units.'),
          currency: z.string(),
          times: z.number(),
        }),
      )
      .describe(
        'How often each payment was asked for: handed to the comparison of a like run, it tells what was asked for twice.',
      ),
  }),
)
