import * as z from 'zod'
import type { Service } from '../core/model/kind.ts'
import { callbackHabits, polledTooFast, secretMisplaced, tokenForEveryCall } from './reconcile/habit-findings.ts'
import { differences, levels } from './reconcile/money-findings.ts'
import { type AnswerOf, shape } from './view.ts'

/** The worst first. A finding's record holds all of its texts. */
export const findingRecords = {
  ...differences,
  ...callbackHabits,
  token_for_every_call: tokenForEveryCall,
  secret_misplaced: secretMisplaced,
  polled_too_fast: polledTooFast,
}

export type FindingCode = keyof typeof findingRecords

export const findingShape = shape('Finding', () =>
  z.object({
    explain: z
      .object({
        operation: z.string(),
        with: z.record(z.string(), z.unknown()),
        command: z.string(),
        url: z.string(),
      })
      .describe('The way to everything about its payment: an operation, also as a command and as an address.')
      .optional(),
    code: z.string().describe("One of the codes above, or that of a finding of somebody's own."),
    level: z.enum(levels),
    reference: z.string().optional(),
    requestId: z.string().describe("The service's id of the payment.").optional(),
    kind: z.string().optional(),
    line: z.number().describe('Line of the books, counted from 1.').optional(),
    others: z.array(z.string()).describe('The other payments that it is about.').optional(),
    amount: z.number().describe('Money at risk, in major units; left out where it is about no sum.').optional(),
    currency: z.string().describe('Currency of `amount`.').optional(),
    text: z.string(),
    todo: z.string().optional().describe('The change that the app needs.'),
  }),
)
export type FindingShown = AnswerOf<typeof findingShape>
export type Finding = Omit<FindingShown, 'explain'>

/** The service has no list of these kinds, so an app that loses the id cannot find the payment again. */
export function kindsWithoutList({ operations }: Service): Set<string> {
  const read = operations.filter(({ method, path }) => method === 'get' && !path.includes('{'))
  return new Set(
    operations.flatMap(({ opens, path }) => {
      const place = path.replace(/\/new$/, '')
      return opens && !read.some((one) => one.path.startsWith(`${place}/`)) ? opens : []
    }),
  )
}

const requestWithoutPaymentShape = shape(null, () =>
  z.object({
    kind: z.string(),
    party: z.string().describe('The payer or receiver. Left out where the payments name nobody.').optional(),
    amount: z.number().describe('Major units.'),
    currency: z.string(),
    times: z.number(),
  }),
)
export type RequestWithoutPayment = AnswerOf<typeof requestWithoutPaymentShape>

export const verdictShape = shape('Verdict', () =>
  z.object({
    findings: z.array(findingShape()).describe('Findings about money. Empty when the books are right.'),
    warnings: z.array(findingShape()).describe('Advice: habits, and what nobody is to blame for.'),
    at: z.string().describe('Simulated time.'),
    unmatched: z
      .object({ lines: z.array(z.number()), payments: z.array(z.string()) })
      .describe('Entries that only the books or only the ledger has.'),
    compared: z.object({ lines: z.number(), payments: z.number(), matched: z.number() }),
    unreadFields: z.array(z.string()).describe('Fields of the books that were not compared, at most 20.'),
    asked: z
      .array(requestWithoutPaymentShape())
      .describe('How often each was asked for, for the comparison of a like run.'),
  }),
)
export type ReconcileVerdict = AnswerOf<typeof verdictShape>
export type Reconciled = Omit<ReconcileVerdict, 'at' | 'unreadFields'>
