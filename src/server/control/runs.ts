/** Operations on runs, which group what happened during a test. */
import * as z from 'zod'
import { didYouMean, hintOf } from '../../core/model/problems.ts'
import { Refusal } from '../../core/model/refusal.ts'
import { entryKinds, spanOf, type TestRun } from '../../core/model/test-run.ts'
import { clockModes } from '../../core/model/time.ts'
import type { World } from '../../core/world.ts'
import { callbackCountsShape, shownZoneShape } from '../../inspect/present.ts'
import { countsIn, problemCodes, shownRun, verdictNames } from '../../inspect/run-report.ts'
import { shape } from '../../inspect/view.ts'
import { controlOperation } from './declared-operation.ts'
import { findingShape } from './reconcile.ts'

// Answer schemas of runs.

const gapShape = shape('Gap', () =>
  z.object({
    name: z.string(),
    scenario: z.string().describe('The shipped scenario that reaches it.').optional(),
    command: z
      .string()
      .describe('What to type; left out where only the app itself can get there, by asking for it.')
      .optional(),
    operation: z.string().describe('The same as an operation, where it is one.').optional(),
    with: z.record(z.string(), z.unknown()).describe('Its parameters.').optional(),
  }),
)

export const coveredShape = shape('Covered', () =>
  z.object({
    hit: z.array(z.string()),
    gaps: z.array(gapShape()),
    percent: z.number().describe('From 0 to 100; 100 where there is nothing to cover.'),
  }),
)

const coveredPartShape = shape('CoveredPart', () =>
  z.object({ dimension: z.string(), percent: z.number(), hit: z.number(), gaps: z.array(gapShape()) }),
)

const askedOperationShape = shape('AskedOperation', () =>
  z.object({ operation: z.string().nullable(), count: z.number(), refused: z.number() }),
)

const firedShape = shape('Fired', () =>
  z.object({
    scenario: z.string(),
    why: z.string().nullable().describe('Why it never fired, and what came nearest; or null.'),
    what: z.enum(entryKinds),
    name: z.string(),
    file: z.string(),
    line: z.number(),
    inherited: z.boolean().describe('It comes from a scenario that its own extends.'),
    hits: z.number(),
  }),
)

const givenUpShape = shape('GivenUp', () =>
  z.object({
    id: z.number(),
    payment: z.string().nullable().describe("The payment's uuid; null where it tells of none."),
    referenceId: z.string().nullable(),
    url: z.string(),
    attempts: z.number(),
    error: z.string().nullable().describe('Why the last attempt did not count, and the cause.'),
    why: z.string().nullable(),
    todo: z.string().nullable(),
  }),
)

const namedPaymentShape = shape('NamedPayment', () =>
  z.object({
    uuid: z.string(),
    kind: z.string(),
    referenceId: z.string().nullable(),
    party: z.string().nullable().describe('Whom it is with, as the request writes it.'),
    amount: z.number(),
    currency: z.string(),
    status: z.string(),
    reason: z.string().nullable().describe('In words; null where it ended well.'),
    createdAt: z.string(),
  }),
)

const refusedRequestsShape = shape('RefusedRequests', () =>
  z.object({
    operation: z.string().nullable().describe('By its id in the contract; null where nothing is.'),
    status: z.number().describe('HTTP status of the answer.'),
    code: z.string().nullable().describe("Code in the answer's body; null where there is none."),
    rule: z
      .string()
      .nullable()
      .describe("The scenario's rule or fault behind it; null where the service itself refused."),
    count: z.number(),
    says: z.string().describe('Message of the first answer, and how to find it.'),
    requestId: z.string(),
  }),
)

const scenarioInForceShape = shape('ScenarioInForce', () =>
  z.object({
    scenario: z.string(),
    seed: z.number(),
    since: z.string().nullable().describe('Null: since the world began.'),
    until: z.string(),
    assumptions: z
      .array(z.object({ id: z.string(), value: z.string(), default: z.string(), question: z.string() }))
      .describe('Assumptions that were not at their default.'),
  }),
)

const toldAddressShape = shape('ToldAddress', () =>
  z.object({
    url: z.string(),
    callbacks: z.number(),
    delivered: z.number(),
    givenUp: z.number().describe('Given up, though nothing in the scenario wanted that.'),
    attempts: z.number(),
  }),
)

const toldFaultShape = shape('ToldFault', () =>
  z.object({ rule: z.string().describe('The rule or fault of the scenario.'), does: z.string(), count: z.number() }),
)

const shownRunShape = shape('ShownRun', () =>
  z.object({
    id: z.number(),
    name: z.string(),
    note: z.string().nullable(),
    begunAt: z.string().describe('World time.'),
    endedAt: z.string().nullable().describe('Null while it goes on.'),
    payments: z.number(),
    requests: z.number(),
  }),
)

export const runReportShape = shape('RunReport', () =>
  z.object({
    title: z.string().describe('What it is called: the run, or the world.'),
    run: z
      .object({
        id: z.number(),
        name: z.string(),
        note: z.string().nullable(),
        begunAt: z.string().describe('World time.'),
        endedAt: z.string().nullable().describe('Null while it goes on.'),
      })
      .nullable(),
    world: z.string(),
    baseUrl: z.string(),
    mfano: z.string(),
    asOf: z.string().describe('World time when it was made: what it tells of payments and callbacks is as of then.'),
    from: z.string(),
    until: z.string().nullable(),
    zone: shownZoneShape(),
    clock: z.enum(clockModes),
    seed: z.number().describe('Of the world: the same seed and the same requests give the same outcomes.'),
    isDrawn: z.boolean().describe('The seed decides every assumption that the scenario does not.'),
    verdict: z.enum(verdictNames),
    checks: z.number().describe('Expectations that were verified.'),
    problems: z.array(
      z.object({
        code: z.enum(problemCodes),
        level: z.enum(['error', 'warning']),
        count: z.number(),
      }),
    ),
    counts: z.object({
      payments: z.object({
        ...{ all: z.number(), well: z.number(), bad: z.number(), open: z.number() },
        repeated: z.number().describe('References that were sent for more than one payment.'),
      }),
      requests: z.object({ all: z.number(), refused: z.number() }),
      callbacks: callbackCountsShape().extend({
        all: z.number(),
        attempts: z.number(),
        retried: z.number(),
        byHand: z.number(),
        givenUp: z.number(),
        undelivered: z.number().describe('Tried and not delivered yet.'),
      }),
    }),
    scenarios: z.array(scenarioInForceShape()),
    fired: z.array(firedShape()),
    outcomes: z.array(
      z.object({
        kind: z.string(),
        status: z.string(),
        open: z.boolean().describe('It may still change.'),
        currency: z.string(),
        count: z.number(),
        amount: z.number().describe('The sum of them, in major units.'),
        code: z
          .string()
          .nullable()
          .describe('As their records have it; null where they ended well, or the rail gives none.'),
        why: z
          .string()
          .nullable()
          .describe('What the rail says, and what brought it about, in words; null where they did not end badly.'),
      }),
    ),
    failed: z.array(namedPaymentShape()),
    byHand: z.array(namedPaymentShape()),
    operations: z.array(askedOperationShape()),
    refusals: z.array(refusedRequestsShape()),
    addresses: z.array(toldAddressShape()),
    callbackFaults: z.array(toldFaultShape()),
    givenUp: z.array(givenUpShape()),
    compared: z
      .object({ at: z.string(), findings: z.array(findingShape()), warnings: z.array(findingShape()) })
      .nullable(),
    coverage: z.array(coveredPartShape()),
  }),
)

const newRun = z.strictObject({
  name: z
    .string()
    .trim()
    .min(1, 'must not be empty')
    .max(200, 'must be at most 200 characters')
    .describe('What it is called in lists and reports.'),
  note: z.string().max(1000, 'must be at most 1000 characters').optional().describe('For those who read the report.'),
})
const path = { id: 'A run: its name, its number, or `last`.' }

const listRuns = controlOperation('run.list', {
  method: 'GET',
  path: '/runs',
  summary: 'List test runs, newest first',
  answer: () => z.object({ runs: z.array(shownRunShape()) }),
  list: {
    name: 'runs',
    columns: ['id', 'name', 'note', 'begunAt', 'endedAt', 'payments', 'requests'],
    rows: ({ runs }) => runs,
  },
  run(c) {
    const { world } = c.env
    return { runs: world.core.store.runs.all().map((run) => counted(world, run)) }
  },
})

const beginRun = controlOperation('run.start', {
  method: 'POST',
  path: '/runs',
  summary: 'Start a test run',
  body: newRun,
  answer: shownRunShape,
  status: 201,
  async run(c, { body }) {
    const { world } = c.env
    const run = await world.perform({ command: 'begin-run', ...body })
    return counted(world, run)
  },
})

const readRun = controlOperation('run.show', {
  method: 'GET',
  path: '/runs/:id',
  summary: 'Show one test run',
  params: path,
  answer: shownRunShape,
  errors: ['NOT_FOUND'],
  run(c, { params }) {
    const { world } = c.env
    return counted(world, requireRun(world, params.id))
  },
})

const endRun = controlOperation('run.end', {
  method: 'POST',
  path: '/runs/:id/end',
  summary: 'End a test run',
  params: path,
  answer: shownRunShape,
  errors: ['NOT_FOUND'],
  async run(c, { params }) {
    const { world } = c.env
    const { id } = requireRun(world, params.id)
    return counted(world, await world.perform({ command: 'end-run', id }))
  },
})

const removeRun = controlOperation('run.remove', {
  method: 'DELETE',
  path: '/runs/:id',
  summary: 'Delete a test run and keep its payments',
  params: path,
  answer: () => z.object({ removed: z.number() }),
  errors: ['NOT_FOUND'],
  async run(c, { params }) {
    const { world } = c.env
    return await world.perform({ command: 'remove-run', id: requireRun(world, params.id).id })
  },
})

function counted(world: World, run: TestRun) {
  return { ...shownRun(run), ...countsIn(world, spanOf(run)) }
}

export const runOperations = [listRuns, beginRun, readRun, endRun, removeRun] as const

// Finds runs by name.

export const runName = z.string().min(1).max(200)

const LAST = 'last'

/** `named` is a name, a number, or `last`. The newest run of a name wins. Throws a `Refusal` if there is none. */
function requireRun(world: World, named: string): TestRun {
  const { runs } = world.core.store
  const all = () => runs.all()
  const found =
    runs.byName(named) ??
    (/^\d{1,15}$/.test(named) ? runs.byId(Number(named)) : undefined) ??
    (named === LAST ? all()[0] : undefined)
  if (found) return found
  const names = all().map(({ name }) => name)
  throw new Refusal('NOT_FOUND', `run: there is no run "${named.slice(0, 80)}".${didYouMean(named, names)}`, {
    hints: names.length === 0 ? [hintOf('No run has begun yet: {} begins one', 'run.start')] : [],
  })
}

export function runOf(world: World, named: string | undefined): TestRun | undefined {
  return named === undefined ? undefined : requireRun(world, named)
}
