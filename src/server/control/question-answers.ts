/** Answer schemas of questions. */
import * as z from 'zod'
import { callbackSummaryShape } from './callback-answers.ts'
import { missedShape, shape } from './fields.ts'
import { inboxMessageShownShape } from './inbox-answers.ts'
import { paymentSummaryShape } from './payment-answers.ts'
import { requestEntryShape } from './request-answers.ts'

const questionSubjectShape = shape('QuestionSubject', () =>
  z.union([
    paymentSummaryShape(),
    callbackSummaryShape(),
    requestEntryShape(),
    inboxMessageShownShape().extend({ inbox: z.string() }),
  ]),
)

/** The nearest miss, where nothing fulfils all that was asked. */
export const nearestShape = () =>
  z
    .union([
      paymentSummaryShape().extend({ held: z.array(z.string()), missed: z.array(missedShape()) }),
      callbackSummaryShape().extend({ held: z.array(z.string()), missed: z.array(missedShape()) }),
      requestEntryShape().extend({ held: z.array(z.string()), missed: z.array(missedShape()) }),
      inboxMessageShownShape().extend({
        inbox: z.string(),
        held: z.array(z.string()),
        missed: z.array(missedShape()),
      }),
    ])
    .nullable()

export const waitResultShape = shape('WaitResult', () =>
  z.object({ matched: z.boolean(), now: z.string(), matches: z.array(questionSubjectShape()) }),
)

export const checkShape = shape('Check', () =>
  z.object({
    check: z.enum(['inOrder', 'noneAfter', 'times']),
    ok: z.boolean(),
    expected: z.string(),
    why: z.string(),
  }),
)

export const verificationShape = shape('Verification', () =>
  z.object({
    ok: z.boolean(),
    found: z.number(),
    checks: z.array(checkShape()),
    why: z.string().nullable(),
    matches: z.array(questionSubjectShape()),
    nearest: nearestShape(),
  }),
)
