/** Answer schemas of payments. */
import * as z from 'zod'
import { callbackDetailShape, plannedFaultAnswer } from './callback-answers.ts'
import { diagnosisShape, hintsShape, jsonObjectShape, shape, shownZoneShape } from './fields.ts'

const errorAnswerShape = shape('ErrorAnswer', () =>
  z.object({
    status: z.number(),
    code: z.string(),
    message: z.string().describe('That of the published table when left out.').optional(),
    html: z.literal(true).describe('The page of a gateway instead of JSON.').optional(),
  }),
)

const endReasonShape = shape('EndReason', () =>
  z.object({
    code: z
      .string()
      .nullable()
      .describe('As the record has it, such as `NAME_MISMATCH` or `1032`; null where the rail gives none.'),
    says: z
      .string()
      .describe('In plain words, without a full stop: those of the rail, or what happened where it has none.'),
    by: z.enum(['card', 'float', 'limit', 'maintenance', 'merchant', 'operator', 'payer', 'rule', 'time', 'wallet']),
    name: z.string().nullable().describe('The rule, or the entry of the rails; null where none is behind it.'),
    why: z
      .string()
      .nullable()
      .describe(
        'What or who brought it about: `the limit "daily" is broken`; null for a rule, and where `says` tells it.',
      ),
  }),
)

const paymentPartyShape = shape('PaymentParty', () =>
  z.object({
    type: z.enum(['account', 'business', 'phone']),
    id: z.string(),
    bank: z.string().nullable(),
    name: z.string().nullable(),
  }),
)

export const paymentSummaryShape = shape('PaymentSummary', () =>
  z.object({
    uuid: z.string(),
    kind: z.string(),
    id: z.number().describe('Counted per kind.'),
    status: z.string(),
    amount: z.number(),
    currency: z.string(),
    organisationId: z.string(),
    referenceId: z.string().nullable(),
    party: paymentPartyShape().nullable().describe('The other party, or null.'),
    rule: z.string().describe("The scenario's rule that decided."),
    reason: endReasonShape().nullable().describe('The reason of a failure, or null.'),
    createdAt: z.string(),
    updatedAt: z.string(),
  }),
)

export const paymentPlanShape = shape('PaymentPlan', () =>
  z.object({
    after: z.string(),
    end: z.string(),
    with: jsonObjectShape(),
    revise: z.object({ end: z.string(), with: jsonObjectShape(), after: z.string() }).nullable(),
    rails: z.array(z.string()).optional(),
    fee: z.number().optional(),
    answer: z.union([z.enum(['lost', 'reset']), errorAnswerShape()]).optional(),
    twice: z.boolean().optional(),
    until: z.object({ poll: z.number().optional(), float: z.string().optional() }).optional(),
    callback: plannedFaultAnswer().optional(),
    pay: z.object({ after: z.string(), confirm: z.string().optional() }).nullable(),
  }),
)

export const ruleTraceShape = shape('RuleTrace', () =>
  z.object({
    rule: z.string(),
    outcome: z.enum(['chance missed', 'condition failed', 'condition false', 'decided', 'not asked', 'not its turn']),
    why: z.string(),
  }),
)

export const faultTraceShape = shape('FaultTrace', () =>
  z.object({
    fault: z.string(),
    outcome: z.enum([
      'cannot happen',
      'chance missed',
      'condition failed',
      'condition false',
      'let through',
      'met',
      'not asked',
      'not its turn',
    ]),
    why: z.string(),
  }),
)

const transferShape = shape('Transfer', () =>
  z.object({
    id: z.number(),
    kind: z.string(),
    debit: z.string().optional(),
    credit: z.string().optional(),
    amount: z.number(),
    state: z.enum(['pending', 'posted', 'voided']),
    createdAt: z.string(),
    settledAt: z.string().nullable(),
  }),
)

const storyStepShape = shape('StoryStep', () =>
  z.union([
    z.object({
      at: z.string(),
      station: z.literal('transition'),
      text: z.string(),
      event: z.string(),
      from: z.string().nullable(),
      to: z.string(),
      by: z.string(),
    }),
    z.object({
      at: z.string(),
      station: z.literal('transfer'),
      text: z.string(),
      id: z.number(),
      kind: z.string(),
      step: z.enum(['post', 'reserve', 'void']),
      debit: z.string().nullable(),
      credit: z.string().nullable(),
      amount: z.number(),
    }),
    z.object({
      at: z.string(),
      station: z.enum(['answer', 'repeat']),
      text: z.string(),
      requestId: z.string(),
      status: z.number(),
      fault: z.string().nullable(),
      unreadFields: z.array(z.string()),
      warnings: z.array(z.string()),
    }),
    z.object({
      at: z.string(),
      station: z.literal('callback'),
      text: z.string(),
      callback: z.number(),
      uid: z.string(),
      url: z.string(),
      state: z.enum(['delivered', 'dropped', 'failed', 'held', 'pending']),
      body: z.record(z.string(), z.unknown()),
    }),
    z.object({
      at: z.string(),
      station: z.literal('attempt'),
      text: z.string(),
      callback: z.number(),
      number: z.number(),
      url: z.string(),
      status: z.number().nullable(),
      tookMs: z.number(),
      responseBody: z.string().nullable(),
      error: z.string().nullable(),
      diagnosis: diagnosisShape().nullable(),
    }),
    z.object({
      at: z.string(),
      station: z.literal('request'),
      text: z.string(),
      by: z.enum(['float', 'operator', 'payer', 'plan', 'request']),
      requestId: z.string().nullable(),
      method: z.string().nullable(),
      path: z.string().nullable(),
      organisation: z.object({ uuid: z.string(), name: z.string() }),
      firstOfTwo: z.string().nullable(),
    }),
    z.object({
      at: z.string(),
      station: z.literal('rule'),
      text: z.string(),
      rule: z.string(),
      scenario: z.string(),
      file: z.string().nullable(),
      line: z.number().nullable(),
      passed: z.array(ruleTraceShape()).describe('The rules that were asked before, each with why it did not decide.'),
    }),
    z.object({
      at: z.string(),
      station: z.literal('rails'),
      text: z.string(),
      rails: z.array(z.string()),
      sort: z.enum(['cut-off', 'fee', 'float', 'limit', 'maintenance']).nullable(),
    }),
    z.object({ at: z.string(), station: z.literal('plan'), text: z.string(), plan: paymentPlanShape() }),
  ]),
)

const stoppedShape = shape('Stopped', () =>
  z.object({
    waitsFor: z
      .enum(['float', 'nothing', 'operator', 'payer', 'reads', 'receiver', 'time'])
      .describe(
        "`operator`: for ever, unless somebody steps in. `receiver`: the merchant's endpoint takes no callback.",
      ),
    why: z.string(),
    next: z.array(z.string()).describe('What moves it on: one sentence each, with the request that does it.'),
    hints: hintsShape(),
    state: z.string(),
    dueAt: z.string().nullable(),
  }),
)

const storyShape = shape('Story', () => z.object({ story: z.array(storyStepShape()), stopped: stoppedShape() }))

export const explainedShape = shape('Explained', () =>
  z.object({
    payment: paymentSummaryShape(),
    timezone: shownZoneShape(),
    story: z.array(storyStepShape()),
    stopped: stoppedShape(),
  }),
)

export const paymentDetailShape = shape('PaymentDetail', () =>
  paymentSummaryShape().extend({
    record: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe("As the service's own read gives it; null for kinds that it has no record of."),
    request: jsonObjectShape(),
    plan: paymentPlanShape().describe('What the scenario decided for it.'),
    trace: z.array(ruleTraceShape()).describe('Each rule up to the one that decided, and why it did not.'),
    timeline: z.object({
      happened: z.array(z.object({ at: z.string(), event: z.string(), status: z.string(), by: z.string() })),
      due: z.array(z.object({ at: z.string(), event: z.string() })),
    }),
    possible: z.array(z.object({ event: z.string(), leadsTo: z.string() })).describe('What may happen to it now.'),
    transfers: z.array(transferShape()),
    callbacks: z.array(callbackDetailShape()),
    explanation: storyShape().describe('Why it is where it is.'),
  }),
)
