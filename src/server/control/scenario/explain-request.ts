/** Predicts the result of a request: runs the real handlers in a transaction that is rolled back. */

import * as z from 'zod'
import type { Command } from '../../../core/commands.ts'
import type { Core, DecisionTrace } from '../../../core/core.ts'
import { parseInZone } from '../../../core/model/calendar.ts'
import { didYouMean } from '../../../core/model/did-you-mean.ts'
import { LANE } from '../../../core/model/due.ts'
import type { ResponseFault } from '../../../core/model/faults.ts'
import { LONGEST_HISTORY } from '../../../core/model/filters.ts'
import { type Kind, moneyIn } from '../../../core/model/kind.ts'
import { toMinor } from '../../../core/model/money.ts'
import { must } from '../../../core/model/must.ts'
import type { JsonObject, Organisation, Payment } from '../../../core/model/payment.ts'
import { Refusal } from '../../../core/model/refusal.ts'
import { type InstantUs, parseDuration, parseWorldInstant, WORLD_INSTANT } from '../../../core/model/time.ts'
import { perform } from '../../../core/perform.ts'
import { faultTarget, isOff } from '../../../core/response-faults.ts'
import {
  forgetHistory,
  type SupposedSubject,
  supposeHistory,
  supposeOrganisation,
  supposeWallet,
} from '../../../core/supposition.ts'
import type { World } from '../../../core/world.ts'
import type { IssuedToken } from '../../../http/http-service.ts'
import type { Answer, Operation } from '../../../http/operation.ts'
import { answerDry } from '../../../http/service-app.ts'
import { validate } from '../../../http/validate.ts'
import { completeRequest } from '../../../service/complete-request.ts'
import { paymentsService } from '../../../service/service.ts'
import { organisationOf } from '../control-context.ts'
import { openCollectionCommand } from '../payments/collection-operations.ts'

const LARGEST_NTH = 1000
/** Limited because rules look at a party's last thousand payments only. */
const count = z
  .int('must be a whole number')
  .min(0, 'must be at least 0')
  .max(LONGEST_HISTORY, `must be at most ${LONGEST_HISTORY}`)
  .optional()

/** A hypothetical request and suppositions about the world. Whatever is not supposed stays as it is. */
export const explainRequestOf = () =>
  z.strictObject({
    kind: z
      .enum(paymentsService.kinds.names, `must be one of ${paymentsService.kinds.names.join(', ')}`)
      .optional()
      .describe('The kind of payment that is asked for.'),
    operation: z
      .string()
      .optional()
      .describe('In place of a kind: any operation, by id or by method and path. Only faults are asked about it.'),
    request: z
      .record(z.string(), z.unknown())
      .describe('The body of the request; what is left out is as in the example of the contract.'),
    asWritten: z.boolean().optional().describe('What is left out of the request stays out.'),
    scenario: z.string().optional().describe('Another scenario than the one in force, as text: a draft of one.'),
    organisationId: z.string().optional().describe('Who asks, by uuid; the default organisation without.'),
    nth: z
      .int('must be a whole number')
      .min(1, 'must be at least 1')
      .max(LARGEST_NTH, `must be at most ${LARGEST_NTH}`)
      .optional()
      .describe('It is the n-th of the same requests, each right behind the one before.'),
    at: z
      .string()
      .refine((text) => parseWorldInstant(text) !== undefined, `must be ${WORLD_INSTANT}`)
      .optional()
      .describe("Simulated time, in the scenario's time zone unless it has a zone of its own."),
    wallet: z.number().min(0, 'must be at least 0').optional().describe('What the wallet can spend, in major units.'),
    history: z
      .strictObject({
        succeeded: count.describe('How many succeeded.'),
        failed: count.describe('How many failed.'),
        pending: count.describe('How many are still under way.'),
        paidToday: z
          .number()
          .min(0, 'must be at least 0')
          .optional()
          .describe('What was paid out to it today, in major units.'),
      })
      .optional()
      .describe('Earlier payments of the kind with the party that the request names.'),
    organisation: z
      .strictObject({
        uuid: z.string().optional().describe('Its uuid.'),
        name: z.string().optional().describe('Its name.'),
        parent: z.boolean().optional().describe('Whether it is no sub-account.'),
      })
      .optional()
      .describe('Instead of what the organisation is.'),
    tokenAge: z
      .string()
      .refine((text) => parseDuration(text) !== undefined, 'must be a length of time such as 2m')
      .optional()
      .describe('How old the token is, such as 2m.'),
  })
export interface RequestSubject {
  kind: Kind | null
  /** Null for payments that a customer starts. */
  operation: Operation | null
  off: boolean
}

export interface DryRun extends RequestSubject {
  trace: DecisionTrace
  fault: ResponseFault | undefined
  refusal: Refusal | undefined
  /** The new payment, or the existing one that the request repeats. */
  payment: Payment | undefined
  unread: readonly string[]
  /** The caller's available balance, if it is too small. */
  availableMinor: number
}

export function explainedRequest(world: World, asked: ExplainRequest): RequestSubject {
  const operation = operationOf(asked)
  const kind = asked.kind ?? operation?.opens
  return {
    kind: kind === undefined ? null : paymentsService.kinds.of(kind),
    operation,
    off: operation !== null && isOff(operation, world.core.scenario.assumptions),
  }
}

/** Changes nothing: no payment is created and no rule counts it. */
export function dryRun(world: World, asked: ExplainRequest): DryRun {
  const { core, commit } = world
  const about = explainedRequest(world, asked)
  const nothing = { trace: {}, fault: undefined, refusal: undefined, payment: undefined, unread: [], availableMinor: 0 }
  // An organisation that there is not is refused, whatever is asked of it.
  organisationOf(world, asked.organisationId)
  if (about.off) return { ...about, ...nothing }
  try {
    return core.clock.during(instantOf(world, asked), () =>
      commit.dryRun(() => {
        const request = prepareRequest(world, asked, about)
        let found: DryRun = { ...about, ...nothing }
        for (let nth = 1; nth <= (asked.nth ?? 1); nth++) {
          stepDue(world, request.firstSeq)
          request.suppose()
          core.trace = {}
          found = { ...about, ...answerOnce(world, request), trace: core.trace }
        }
        return found
      }),
    )
  } finally {
    core.trace = undefined
  }
}

export function instantOf({ core }: World, { at }: ExplainRequest): InstantUs {
  return at === undefined ? core.clock.now() : must(parseInZone(at, core.scenario.zone))
}

export interface PreparedRequest {
  operation: Operation | null
  kind: Kind | null
  caller: Organisation
  body: JsonObject
  token: IssuedToken | undefined
  /** Payments from this sequence number on were created by the request. */
  firstSeq: number
  suppose(): void
}

/** Changes the world, so it must be called inside a commit that is rolled back. */
export function prepareRequest(
  world: World,
  asked: ExplainRequest,
  { kind, operation }: RequestSubject,
): PreparedRequest {
  const { core } = world
  const own = organisationOf(world, asked.organisationId)
  const caller = asked.organisation ? supposeOrganisation(core, own.id, given(asked.organisation)) : own
  const issuedAtUs = core.clock.now() - (asked.tokenAge === undefined ? 0 : (parseDuration(asked.tokenAge) ?? 0))
  const token = operation?.auth === 'bearer' ? paymentsService.issueToken(world, caller, issuedAtUs) : undefined
  const sent = asked.request as JsonObject
  const body =
    operation && kind && !asked.asWritten
      ? completeRequest(core, caller, kind, operation, sent, EXPLAINED_BASE_URL)
      : sent
  const subject: SupposedSubject | null = kind && {
    kind: kind.name,
    organisationId: caller.id,
    currency: moneyIn(kind, body).currency,
    request: body,
  }
  if (subject && asked.history) supposeHistory(core, subject, asked.history)
  const firstSeq = core.store.counters.current('payment') + 1
  const suppose = () => {
    if (!subject) return
    if (asked.wallet !== undefined) supposeWallet(core, subject, toMinor(asked.wallet) ?? 0)
    if (asked.history) forgetHistory(core, subject, firstSeq - 1)
  }
  return { operation, kind, caller, body, token, firstSeq, suppose }
}

/** Never resolves, so that callbacks of a prediction go nowhere. */
export const EXPLAINED_BASE_URL = 'http://mfano.invalid'

function answerOnce(world: World, request: PreparedRequest): Omit<DryRun, keyof RequestSubject | 'trace'> {
  const { core, commit } = world
  const { operation, kind, body, token, caller } = request
  const { fault, unread, outcome } = operation
    ? answerDry(
        world,
        { service: paymentsService, operation, body, credential: token, baseUrl: EXPLAINED_BASE_URL },
        kind === null,
      )
    : { fault: undefined, unread: [], outcome: commit.attempt(() => collect(world, request)) }
  const refusal = outcome && !outcome.ok && outcome.error instanceof Refusal ? outcome.error : undefined
  if (outcome && !outcome.ok && !refusal) throw outcome.error
  const seq = outcome?.ok ? outcome.value.payment?.seq : undefined
  return {
    fault,
    unread,
    refusal: fault?.executed !== false ? refusal : undefined,
    payment: seq === undefined ? undefined : core.store.payments.bySeq(seq),
    availableMinor: kind ? core.ledger.available(caller.id, moneyIn(kind, body).currency) : 0,
  }
}

/** A customer's payment. Default amount: 1,000 shillings. */
export function collectCommand(core: Core, { kind, caller, body }: PreparedRequest): Command<'open-payment'> {
  const collection = paymentsService.collections.find((one) => one.kind === kind?.name)
  if (!collection) throw invalid(`kind: nothing begins ${kind?.phrase}, neither a request nor a customer`)
  const given = validate(z.object(collection.given.shape), { amount: 1000, ...body })
  return openCollectionCommand(core, collection, caller, given)
}

function collect({ core }: World, request: PreparedRequest): Pick<Answer, 'payment'> {
  const { payment, replayed } = perform(core, collectCommand(core, request))
  return { payment: { seq: payment.seq, replayed } }
}

function stepDue({ core }: World, firstSeq: number): void {
  const { agenda, counters } = core.store
  for (let seq = firstSeq; seq <= counters.current('payment'); seq++) {
    for (let due = agenda.of(LANE.steps, seq)[0]; due && due.dueAtUs <= core.clock.now(); ) {
      perform(core, { command: 'step-payment', seq, event: due.event })
      agenda.remove(LANE.steps, due)
      due = agenda.of(LANE.steps, seq)[0]
    }
  }
}

function operationOf({ kind, operation: name }: ExplainRequest): Operation | null {
  const { kinds, operations } = paymentsService
  if ((kind === undefined) === (name === undefined))
    throw invalid(
      `kind: is required (${kinds.names.join(', ')}), or operation in its place; got ${kind === undefined ? 'neither' : 'both'}`,
    )
  if (name === undefined) return operations.find(({ opens }) => opens === kind) ?? null
  const found = operations.find((one) => one.id === name || faultTarget(one) === name)
  if (found) return found
  const known = operations.flatMap((one) => [one.id, faultTarget(one)])
  throw invalid(`operation: ${JSON.stringify(name)} is not one.${didYouMean(name, known)}`)
}

function invalid(details: string): Refusal {
  return new Refusal('INVALID_FIELD', details)
}

function given<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never
}

export type ExplainRequest = z.infer<ReturnType<typeof explainRequestOf>>
