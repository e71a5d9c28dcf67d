/** Answer schemas of callbacks. */
import * as z from 'zod'
import { diagnosisShape, shape } from './fields.ts'

export const plannedFaultAnswer = shape('PlannedFault', () => z.object({ rule: z.string(), does: z.string() }))

const callbackSubjectShape = shape('CallbackSubject', () =>
  z.object({ referenceId: z.string().nullable(), amount: z.number(), currency: z.string() }),
)

const lastAttemptShape = shape('LastAttempt', () =>
  z.object({ status: z.number().nullable(), error: z.string().nullable(), diagnosis: diagnosisShape().nullable() }),
)

export const callbackCountsShape = shape('CallbackCounts', () =>
  z.object({ delivered: z.number(), dropped: z.number(), failed: z.number(), held: z.number(), pending: z.number() }),
)

export const callbackSummaryShape = shape('CallbackSummary', () =>
  z.object({
    id: z.number(),
    uid: z.string().describe('Stable over attempts.'),
    topic: z.string().describe('The kind of payment that it tells of.'),
    payment: z.string().nullable().describe("The payment's uuid."),
    about: callbackSubjectShape().nullable().describe('The payment now.'),
    tells: z.string().nullable().describe('The status in its body, or null.'),
    url: z.string(),
    state: z.enum(['delivered', 'dropped', 'failed', 'held', 'pending']),
    heldFor: z
      .enum(['next_callback', 'resume'])
      .nullable()
      .describe('Waits for the next callback to its address, or until callbacks resume.'),
    attempts: z.number(),
    lastAttempt: lastAttemptShape().nullable().describe('Result of the last attempt. null before the first.'),
    createdAt: z.string(),
    settledAt: z.string().nullable(),
    nextAttemptAt: z.string().nullable(),
    fault: plannedFaultAnswer().nullable().describe('The fault that the scenario planned for it.'),
    body: z.record(z.string(), z.unknown()),
  }),
)

const attemptShape = shape('Attempt', () =>
  z.object({
    number: z.number(),
    byHand: z.boolean().describe('An operator asked for it: it is no automatic retry.'),
    sentAt: z.string(),
    tookMs: z.number().describe('Real milliseconds.'),
    url: z.string().describe('Where it really went.'),
    forwarder: z
      .string()
      .nullable()
      .describe('Who posted it in the place of the world, by its name; null: the world did.'),
    headers: z.record(z.string(), z.string()),
    status: z.number().nullable().describe("The receiver's answer; null when there was none."),
    responseBody: z.string().nullable(),
    error: z.string().nullable().describe('Why it did not count; null when it did.'),
    diagnosis: diagnosisShape()
      .nullable()
      .describe('What is behind that and what to do, or what is odd although it counted.'),
  }),
)

export const callbackDetailShape = shape('CallbackDetail', () =>
  callbackSummaryShape().extend({ tries: z.array(attemptShape()) }),
)

export const examinationShape = shape('Examination', () =>
  z.object({
    url: z.string(),
    sentTo: z.string().nullable().describe('Where callbacks to it go from here, when that differs.'),
    from: z.object({ container: z.boolean(), callbackHost: z.string().nullable() }),
    ok: z.boolean(),
    stages: z.array(
      z.object({
        stage: z.enum(['address', 'answer', 'body', 'connect', 'name', 'tls']),
        ok: z.boolean(),
        tookMs: z.number(),
        text: z.string(),
      }),
    ),
    untried: z
      .array(z.enum(['address', 'answer', 'body', 'connect', 'name', 'tls']))
      .describe('What comes behind the last stage, and was not tried.'),
    diagnosis: diagnosisShape().nullable(),
    sample: z
      .object({
        kind: z.string().nullable(),
        headers: z.record(z.string(), z.string()),
        body: z.record(z.string(), z.unknown()),
      })
      .nullable()
      .describe('What was sent, when something was.'),
    answer: z.object({ status: z.number(), body: z.string() }).nullable(),
  }),
)
