/** Answer schemas of scenarios. */
import * as z from 'zod'
import { faultTraceShape, paymentPlanShape, ruleTraceShape } from '../payments/payment-answers.ts'
import { shape } from '../shape.ts'
import { jsonObjectShape, problemShape, shownZoneShape } from '../shared-answers.ts'

const parameterShape = shape('Parameter', () =>
  z.object({
    name: z.string(),
    value: z.union([z.boolean(), z.string(), z.number()]),
    default: z.union([z.boolean(), z.string(), z.number()]),
    description: z.string().optional(),
  }),
)

const nearestShape = shape('Nearest', () =>
  z.object({
    payment: z.string().optional(),
    requestId: z.string().optional(),
    kind: z.string().optional(),
    operation: z.string().describe('`POST /api/v1/get-token`, where a request is shown for itself.').optional(),
    at: z.string(),
    request: jsonObjectShape(),
    decidedBy: z.string().nullable().describe('The rule or fault that had it; null when none did.'),
    held: z.array(z.string()).describe('Parts of the condition that held, and that did not.'),
    missed: z.array(z.string()),
  }),
)

const RAILS = ['cut-off', 'fee', 'float', 'limit', 'maintenance'] as const
const place = { file: z.string(), line: z.number() }
const written = { ...place, inherited: z.boolean().describe('It comes from a scenario that this one extends.') }
const decided = {
  hits: z.number(),
  on: z.array(z.string()),
  when: z.string().nullable(),
  nth: z.string().nullable().describe('`the 3rd`: the only matches that it decides; null where it decides all.'),
  ...written,
}

export const hitsShape = shape('Hits', () =>
  z.object({
    scenario: z.string(),
    rules: z.array(z.object({ ...decided, rule: z.string() })),
    rails: z.array(
      z.object({ sort: z.enum(RAILS), on: z.array(z.string()), ...written, rail: z.string(), hits: z.number() }),
    ),
    faults: z.array(z.object({ ...decided, fault: z.string() })),
    neverFired: z
      .array(
        z.object({
          nearest: nearestShape().nullable(),
          why: z.string(),
          rule: z.string(),
          what: z.enum(['rule', 'fault', 'callback fault', ...RAILS]),
          ...place,
        }),
      )
      .describe("The scenario's own rules, faults and entries of its rails that never did, and what came nearest."),
  }),
)

export const explanationShape = shape('Explanation', () =>
  z.object({
    timezone: shownZoneShape().describe('That of the scenario; `at` was read in it.'),
    off: z.string().nullable().describe('Why no such request comes to anything here, when none does.'),
    rule: z.string().nullable().describe('Null when something turns the request away before any rule is asked.'),
    refuse: z
      .object({ status: z.number(), code: z.string(), message: z.string().nullable(), details: z.string().nullable() })
      .optional(),
    plan: paymentPlanShape().optional(),
    short: z
      .object({ available: z.number(), needed: z.number() })
      .nullable()
      .describe('Why it comes to nothing although a rule accepts it: the wallet does not hold enough.'),
    trace: z.array(ruleTraceShape()),
    faults: z
      .object({
        answer: z
          .object({
            operation: z.string(),
            met: z.string().nullable(),
            does: z.string().nullable(),
            executed: z.boolean(),
            trace: z.array(faultTraceShape()),
          })
          .nullable(),
        callback: z.object({ met: z.string().nullable(), trace: z.array(faultTraceShape()) }).nullable(),
      })
      .describe('What goes wrong with the answer to the request, and with the callbacks of its payment.'),
    unread: z.array(z.string()).describe('Fields of the request that no condition can read.'),
  }),
)

const ruleShape = shape('ScenarioRule', () =>
  z.object({
    name: z.string(),
    on: z.array(z.string()),
    when: z.string().optional(),
    chance: z.number().optional(),
    nth: z.string().describe('`the 3rd`, `the first 2`: the only matches that it decides.').optional(),
    then: z.string().describe('In words: `after 4s FAILED (errorCode NAME_MISMATCH)`.'),
    ...written,
  }),
)

export const lintedShape = shape('Linted', () =>
  z.object({
    valid: z.boolean(),
    problems: z.array(problemShape()),
    name: z.string().optional(),
    rules: z.number().describe('How many.').optional(),
    own: z.array(ruleShape()).describe('Rules of the text itself, in words.').optional(),
    warnings: z.array(problemShape()).optional(),
  }),
)

export const scenarioShape = shape('Scenario', () =>
  z.object({
    name: z.string(),
    description: z.string(),
    seed: z.number(),
    callbacks: z.object({
      attempts: z.number(),
      backoff: z.array(z.string()),
      timeout: z.string(),
      loseAnswers: z.number(),
      concurrency: z.number(),
      signatureTime: z.enum(['real', 'world']),
    }),
    wallets: z.record(z.string(), z.number()),
    assumptions: z.record(z.string(), z.string()),
    rules: z.array(ruleShape().extend({ decided: z.number() })),
    faults: z.array(
      z.object({
        name: z.string(),
        on: z.array(z.string()).describe('Kinds of payment, or operations.'),
        when: z.string().optional(),
        chance: z.number().optional(),
        nth: z.string().optional(),
        then: z.string().describe('In words.'),
        passes: z
          .boolean()
          .describe(
            'It lets some of what it matches pass: a rate that is kept, a good token, a payment that never ends.',
          ),
        ...written,
        decided: z.number(),
      }),
    ),
    parameters: z.array(parameterShape()),
    warnings: z.array(problemShape()),
    source: z.string(),
  }),
)

export const appliedScenarioShape = shape('AppliedScenario', () =>
  scenarioShape().extend({
    changedAssumptions: z
      .array(z.object({ id: z.string(), was: z.string(), is: z.string() }))
      .describe('Assumptions that differ from before, also those that were chosen by a request.'),
  }),
)
