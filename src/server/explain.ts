/** Explains what would happen to a request: makes it in a copy of the world, and runs time there until nothing is due. */
import * as z from 'zod'
import type { DecisionTrace } from '../core/core.ts'
import { parseInZone, presentZone } from '../core/model/calendar.ts'
import type { JournalEntry } from '../core/model/journal.ts'
import type { Kind, ServiceOperation } from '../core/model/kind.ts'
import { must } from '../core/model/must.ts'
import type { JsonObject, Payment } from '../core/model/payment.ts'
import { didYouMean } from '../core/model/problems.ts'
import { Refusal } from '../core/model/refusal.ts'
import { textOf } from '../core/model/text.ts'
import { LAST_INSTANT_US } from '../core/model/time.ts'
import type { Command } from '../core/perform.ts'
import { perform } from '../core/perform.ts'
import { faultTarget, isOff, requestOf, turnOn, watches } from '../core/response-faults.ts'
import { vocabularyOf } from '../core/vocabulary.ts'
import type { World } from '../core/world.ts'
import type { Env, Operation } from '../http/operation.ts'
import { serviceApp } from '../http/serve.ts'
import { validate } from '../http/validate.ts'
import { answerSteps, paymentStory, stopped, storyStepShape } from '../inspect/explain-payment.ts'
import { paymentPlan, shownZoneShape } from '../inspect/present.ts'
import { type Decision, decisionShape, explainFaults, explainTrace } from '../inspect/trace-text.ts'
import { type AnswerOf, shape } from '../inspect/view.ts'
import { completeRequest } from '../service/complete-request.ts'
import { paymentsService } from '../service/service.ts'
import { invalidField, organisationOf } from './control/control-context.ts'
import { startingInstant, wholeNumber } from './control/fields.ts'
import { openCollectionCommand } from './control/payments.ts'

const LARGEST_NTH = 1000
export const explainRequestOf = () =>
  z.strictObject({
    kind: z.enum(paymentsService.kinds.names).optional().describe('The kind of payment that is asked for.'),
    operation: z.string().optional().describe('Instead of a kind: any operation, by id or by method and path.'),
    request: z
      .record(z.string(), z.unknown())
      .default({})
      .describe('Its body. Without `asWritten`, other fields are as in the example.'),
    asWritten: z.boolean().optional().describe('Fields that are left out of the request stay out.'),
    scenario: z.string().optional().describe('Another scenario than the one in force, as text: a draft of one.'),
    organisationId: z.string().optional().describe('Uuid of the organisation that asks. Default: the default one.'),
    nth: wholeNumber(1, LARGEST_NTH).optional().describe('It is the n-th of the same requests in a row.'),
    at: startingInstant
      .optional()
      .describe("Simulated time, in the scenario's time zone unless it has a zone of its own."),
  })

interface MadeRequest extends ReturnType<typeof requestToMake> {
  trace: DecisionTrace
  entry: JournalEntry | null
  payment: Payment | undefined
}

function requestToMake(copy: World, asked: ExplainRequest) {
  const { core } = copy
  const operation = operationOf(asked)
  const name = asked.kind ?? operation?.opens
  return {
    ...{ copy, operation },
    kind: name === undefined ? null : paymentsService.kinds.of(name),
    /** The operation is switched off, so nothing is sent. */
    off: operation !== null && isOff(operation, core.scenario.assumptions),
    caller: organisationOf(copy, asked.organisationId),
    startUs: asked.at === undefined ? core.clock.now() : must(parseInZone(asked.at, core.scenario.zone)),
  }
}

async function makeRequest(copy: World, asked: ExplainRequest): Promise<MadeRequest> {
  const { core, commit } = copy
  const made: MadeRequest = { ...requestToMake(copy, asked), trace: {}, entry: null, payment: undefined }
  if (made.off) return made
  await copy.perform({ command: 'set-clock', mode: 'frozen', nowUs: made.startUs })
  const { body, token } = await commit.submit(() => prepareRequest(made, asked))
  for (let nth = 1; nth < (asked.nth ?? 1); nth++) {
    await send(made, body, token)
    await copy.runClock({ to: (nowUs) => nowUs })
  }
  const { payments, journal, counters } = core.store
  const before = { payment: counters.current('payment'), request: counters.current('journal') }
  core.trace = made.trace
  await send(made, body, token)
  core.trace = undefined
  made.entry = journal.page({ after: before.request, limit: 1 })[0] ?? null
  made.payment = payments.bySeq(made.entry ? (made.entry.paymentSeq ?? 0) : before.payment + 1)
  return made
}

function prepareRequest({ copy, kind, operation, caller, startUs }: MadeRequest, asked: ExplainRequest) {
  const token = operation?.auth === 'bearer' ? paymentsService.issueToken(copy, caller, startUs) : undefined
  const sent = asked.request as JsonObject
  const body =
    operation && kind && !asked.asWritten ? completeRequest(copy.core, caller, kind, operation, sent, BASE_URL) : sent
  return { token, body }
}

/** Never resolves, so that callbacks of a prediction go nowhere. */
const BASE_URL = 'http://mfano.invalid'

/** Over HTTP, like a merchant; a customer's payment starts without a request. */
async function send(made: MadeRequest, body: JsonObject, token: string | undefined): Promise<void> {
  const { copy, operation } = made
  if (!operation) {
    await copy.commit
      .submit(() => perform(copy.core, collectCommand(made, body)))
      .catch((error) => {
        if (!(error instanceof Refusal)) throw error
      })
    return
  }
  const isGet = operation.method === 'get'
  const fields = Object.entries(body).map(([name, value]) => [name, textOf(value)])
  const path = operation.path + (isGet && fields.length > 0 ? `?${new URLSearchParams(fields)}` : '')
  const env: Env = {
    world: copy,
    baseUrl: BASE_URL,
    path,
    connection: { sever: async () => new Response(null, { status: 502 }) },
    observe: ({ error }) => {
      if (error !== undefined) throw error
    },
  }
  const headers = {
    'content-type': 'application/json',
    ...Object.fromEntries((operation.headers ?? []).map(({ name }) => [name, 'mfano'])),
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  }
  const request = { method: operation.method.toUpperCase(), headers, ...(!isGet && { body: JSON.stringify(body) }) }
  const answer = await serviceApp(paymentsService).fetch(new Request(BASE_URL + path, request), env)
  await answer.arrayBuffer()
}

function collectCommand({ copy, kind, caller }: MadeRequest, body: JsonObject): Command<'open-payment'> {
  const collection = paymentsService.collections.find((one) => one.kind === kind?.name)
  if (!collection) throw invalidField(`kind: nothing begins ${kind?.phrase}, neither a request nor a customer`)
  const given = validate(z.object(collection.given.shape), { amount: 1000, ...body })
  return openCollectionCommand(copy.core, collection, caller, given)
}

function operationOf({ kind, operation: name }: ExplainRequest): Operation | null {
  const { kinds, operations } = paymentsService
  if ((kind === undefined) === (name === undefined))
    throw invalidField(
      `kind: is required (${kinds.names.join(', ')}), or operation in its place; got ${kind === undefined ? 'neither' : 'both'}`,
    )
  if (name === undefined) return operations.find(({ opens }) => opens === kind) ?? null
  const found = operations.find((one) => one.id === name || faultTarget(one) === name)
  if (found) return found
  const known = operations.flatMap((one) => [one.id, faultTarget(one)])
  throw invalidField(`operation: ${JSON.stringify(name)} is not one.${didYouMean(name, known)}`)
}

export type ExplainRequest = z.infer<ReturnType<typeof explainRequestOf>>

const STEPS_MAX = 20_000

export async function explain(copy: World, asked: ExplainRequest): Promise<AnswerOf<typeof explanationShape>> {
  try {
    const made = await makeRequest(copy, asked)
    return { ...decisionOf(made, asked), ...(await storyOf(made)) }
  } finally {
    copy.close()
  }
}

async function storyOf({ copy, entry, payment }: MadeRequest) {
  if (!payment) return { story: entry ? answerSteps([entry]) : [], stopped: null }
  await copy.runClock({ to: () => LAST_INSTANT_US, untilIdle: true, most: STEPS_MAX })
  const { payments } = copy.core.store
  const now = must(payments.bySeq(payment.seq))
  const second = now.plan.twice ? payments.bySeq(now.seq + 1) : undefined
  return {
    story: paymentStory(copy, now, ...(second ? [second] : [])),
    stopped: stopped(copy, now, BASE_URL).why,
  }
}

export const explanationShape = shape('Explanation', () =>
  z.object({
    timezone: shownZoneShape().describe('That of the scenario; `at` was read in it.'),
    off: z.string().nullable().describe('Why no such request comes to anything here, when none does.'),
    rule: z.string().nullable().describe('Null when something turns the request away before any rule is asked.'),
    refuse: z
      .object({ status: z.number(), code: z.string(), message: z.string().nullable(), details: z.string().nullable() })
      .optional(),
    plan: paymentPlan.schema().optional(),
    decisions: z.array(decisionShape()).describe('Faults and rules that were asked, each with why it decided or not.'),
    unread: z.array(z.string()).describe('Fields of the request that no condition can read.'),
    story: z.array(storyStepShape()).describe('All that comes of it. Receivers take every callback; nobody else acts.'),
    stopped: z.string().nullable().describe('Why its payment goes no further then; null where none is made.'),
  }),
)

function decisionOf(made: MadeRequest, asked: ExplainRequest) {
  const { copy, kind, operation, off, payment, trace } = made
  const refusal = refusalOf(made)
  const read = explainedFields(kind, operation)
  return {
    timezone: presentZone(copy.core.scenario.zone),
    off: off && operation ? `${turnOn(operation)} Until then, such a request is answered 404.` : null,
    rule: refusal?.rule ?? (payment?.plan ?? trace.payment?.railed.plan)?.rule ?? null,
    refuse: refusal && refuseOf(refusal, trace),
    plan: payment && paymentPlan(payment.plan),
    decisions: decisionsOf(made),
    unread: Object.keys(asked.request).filter((field) => !read.has(field)),
  }
}

/** The refusal of a payment only. A fault that turns the request away is no refusal of the service. */
function refusalOf({ kind, payment, trace }: MadeRequest): Refusal | undefined {
  return !kind || payment || trace.fault?.fault?.executed === false ? undefined : trace.refusal
}

function refuseOf(refusal: Refusal, trace: DecisionTrace) {
  const ruled = trace.payment?.railed.refuse
  const details = refusal.rule === undefined || ruled?.details ? refusal.details : undefined
  const { status, code, message } = refusal.rule === undefined ? refusal : { message: undefined, ...ruled }
  return { status: status as number, code: code as string, message: message ?? null, details: details ?? null }
}

const MET_BEFORE = 'a fault before it was met'

function decisionsOf({ copy, kind, operation, off, trace: { fault, payment } }: MadeRequest): Decision[] {
  const { faults, callbackFaults } = copy.core.scenario
  const watching = operation && !off ? faults.filter(({ on }) => watches({ on }, operation)) : []
  const ofAnswer = explainFaults('answer', watching, fault?.trace ?? '', MET_BEFORE)
  if (!kind || !payment) return ofAnswer
  const { decision, railed, hasCallback } = payment
  const ofRules = explainTrace(copy.core.scenario.rules, kind.name, (decision.refuse ?? decision.plan).trace)
  if (!hasCallback || !railed.plan) return [...ofAnswer, ...ofRules]
  const { callbackTrace } = decision
  const behind =
    callbackTrace === undefined ? `the rule "${railed.plan.rule}" says itself what becomes of the callback` : MET_BEFORE
  const toldOf = callbackFaults.filter(({ on }) => on.includes(kind.name))
  return [...ofAnswer, ...ofRules, ...explainFaults('callback', toldOf, callbackTrace ?? '', behind)]
}

function explainedFields(kind: Kind | null, operation: ServiceOperation | null): Set<string> {
  const ofKind = kind ? (vocabularyOf(kind).get('request')?.fields ?? {}) : {}
  return new Set(Object.keys({ ...ofKind, ...(operation && requestOf(operation).fields) }))
}
