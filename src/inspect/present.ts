import * as z from 'zod'
import { type Core, kindOf } from '../core/core.ts'
import { type Attempt, type Callback, callbackStates, signatureStates } from '../core/model/callback.ts'
import { type CallbackFault, describeCallbackFault } from '../core/model/callback-fault.ts'
import { LANE } from '../core/model/due.ts'
import type { InboxMessage } from '../core/model/inbox.ts'
import type { JournalEntry } from '../core/model/journal.ts'
import { asJson } from '../core/model/json.ts'
import { maskPath } from '../core/model/mask.ts'
import { type Transfer, toMajor, transferStates } from '../core/model/money.ts'
import { recordFor } from '../core/model/must.ts'
import type { JsonObject, Moment, Payment, Plan } from '../core/model/payment.ts'
import { textOf } from '../core/model/text.ts'
import { formatDuration, isoInstant } from '../core/model/time.ts'
import { endReasonShape, reasonOfEnd } from './explain/reason-of-end.ts'
import { instantOf, instantOrNull, majorOf, type Reader, shape, view } from './view.ts'

export const shownZoneShape = shape('ShownZone', () =>
  z
    .object({ name: z.string(), offsetMinutes: z.number() })
    .describe('That of the scenario: days, times of day and what is written without a zone are read in it.'),
)

export const hintsShape = shape('Hints', () =>
  z
    .array(
      z.object({
        operation: z.string().describe('The operationId of what helps.'),
        with: z.record(z.string(), z.unknown()).describe('Its parameters: of path, query and body together.'),
        words: z.string().describe('A sentence in which `{}` stands for the operation.'),
        at: z.string().optional().describe('Base URL of the world to ask, where that is another one.'),
        text: z.string().describe('The same with a request, as it stands in the text.'),
      }),
    )
    .describe('The next step, for programs.'),
)

export const jsonObjectShape = shape('JsonObject', (): z.ZodType<JsonObject> => z.record(z.string(), z.any()))

const paymentPartyShape = shape('PaymentParty', () =>
  z.object({
    type: z.enum(['account', 'business', 'phone']),
    id: z.string(),
    bank: z.string().nullable(),
    name: z.string().nullable(),
  }),
)

export const paymentSummary = view('PaymentSummary', (read: Reader<Payment, Core>) => ({
  uuid: z.string(),
  kind: z.string(),
  id: z.number().describe('Counted per kind.'),
  status: z.string(),
  amount: majorOf('amountMinor'),
  currency: z.string(),
  organisationId: read(z.string(), ({ organisationId }, { store }) => store.organisations.byId(organisationId).uuid),
  referenceId: z.string().nullable(),
  party: read(paymentPartyShape().nullable().describe('The other party, or null.'), partyShown),
  rule: read(z.string().describe("The scenario's rule that decided."), ({ plan }) => plan.rule),
  reason: read(endReasonShape().nullable().describe('The reason of a failure, or null.'), (payment, core) =>
    reasonOfEnd(core, payment),
  ),
  createdAt: instantOf('createdAtUs'),
  updatedAt: instantOf('updatedAtUs'),
}))

function partyShown(payment: Payment, core: Core) {
  const { party } = kindOf(core, payment)
  if (party === null) return null
  const { request, details } = payment
  const text = (field: string | undefined, ...from: JsonObject[]) => {
    const value = field === undefined ? undefined : from.map((one) => one[field]).find((one) => one !== undefined)
    return value === undefined || value === null ? null : textOf(value)
  }
  const id = text(party.field, request)
  return id === null
    ? null
    : { type: party.type, id, bank: text(party.bank, request), name: text(party.name, request, details) }
}

export function record(core: Core, payment: Payment): Record<string, unknown> | null {
  return (kindOf(core, payment).record?.(core, payment) as Record<string, unknown> | undefined) ?? null
}

const plannedFault = view('PlannedFault', (read: Reader<CallbackFault>) => ({
  rule: read(z.string(), ({ by }) => by),
  does: read(z.string(), describeCallbackFault),
}))

const errorAnswerShape = shape('ErrorAnswer', () =>
  z.object({
    status: z.number(),
    code: z.string(),
    message: z.string().describe('That of the published table when left out.').optional(),
    html: z.literal(true).describe('The page of a gateway instead of JSON.').optional(),
  }),
)

export const paymentPlan = view('PaymentPlan', (read: Reader<Plan>) => ({
  after: read(z.string(), ({ afterUs }) => durationOrNever(afterUs)),
  end: z.string(),
  with: jsonObjectShape(),
  revise: read(z.object({ end: z.string(), with: jsonObjectShape(), after: z.string() }).nullable(), ({ revise }) => {
    if (revise === null) return null
    const { afterUs, ...rest } = revise
    return { ...rest, after: formatDuration(afterUs) }
  }),
  rails: z.array(z.string()).optional(),
  fee: read(z.number().optional(), ({ feeMinor }) => (feeMinor === undefined ? undefined : toMajor(feeMinor))),
  answer: z.union([z.enum(['lost', 'reset']), errorAnswerShape()]).optional(),
  twice: z.boolean().optional(),
  until: read(z.object({ poll: z.number().optional(), float: z.string().optional() }).optional(), (plan) =>
    plan.untilPoll === undefined && !plan.untilFunded
      ? undefined
      : { poll: plan.untilPoll, float: plan.untilFunded && plan.float },
  ),
  callback: read(plannedFault.schema().optional(), ({ callback }) => callback && plannedFault(callback)),
  pay: read(
    z.object({ after: z.string(), confirm: z.string().optional() }).nullable(),
    ({ payAfterUs, confirmAfterUs }) =>
      payAfterUs === null || payAfterUs === undefined
        ? null
        : {
            after: formatDuration(payAfterUs),
            confirm: confirmAfterUs === undefined ? undefined : durationOrNever(confirmAfterUs),
          },
  ),
}))

function durationOrNever(us: number | null): string {
  return us === null ? 'never' : formatDuration(us)
}

const moment = view(null, (read: Reader<Moment>) => ({
  at: instantOf('atUs'),
  event: z.string(),
  status: z.string(),
  by: read(z.string(), (one) => (one.detail === undefined ? one.by : `${one.by}, ${prevented(one)}`)),
}))

export function prevented({ detail }: Moment): string {
  if (detail === 'wallet_exhausted') return 'but the wallet no longer holds it'
  return `but the second time was refused: ${detail}`
}

export const timeline = view(null, (read: Reader<Payment, Core>) => ({
  happened: read(z.array(moment.schema()), ({ history }) => history.map((one) => moment(one))),
  due: read(z.array(z.object({ at: z.string(), event: z.string() })), ({ seq }, { store }) =>
    store.agenda
      .of(LANE.steps, seq)
      .map(({ dueAtUs, event }) => ({ at: isoInstant(dueAtUs), event: event.split('.')[2] ?? event })),
  ),
}))

export const transferShown = view('Transfer', (read: Reader<Transfer, ReadonlyMap<number, string>>) => ({
  id: z.number(),
  kind: z.string(),
  debit: read(z.string().optional(), ({ debitAccount }, code) => code.get(debitAccount)),
  credit: read(z.string().optional(), ({ creditAccount }, code) => code.get(creditAccount)),
  amount: majorOf('amountMinor'),
  state: z.enum(transferStates),
  createdAt: instantOf('createdAtUs'),
  settledAt: instantOrNull('settledAtUs'),
}))

export function accountCodes({ ledger }: Core): ReadonlyMap<number, string> {
  return new Map(ledger.accounts().map(({ id, code }) => [id, code]))
}

export const diagnosisShape = shape('Diagnosis', () =>
  z.object({
    code: z.string().describe('Stays the same when the words change: `container-loopback`, `login-page`.'),
    what: z.string().describe('The event, in half a sentence.'),
    why: z.string().describe('The cause, or the likeliest one.'),
    todo: z.string().describe('The step that helps.'),
  }),
)

const attemptShown = view('Attempt', (_read: Reader<Attempt>) => ({
  number: z.number(),
  byHand: z.boolean().describe('An operator asked for it: it is no automatic retry.'),
  sentAt: instantOf('sentAtUs'),
  tookMs: z.number().describe('Real milliseconds.'),
  url: z.string().describe('The address it was really sent to.'),
  forwarder: z.string().nullable().describe('Name of the forwarder that posted it. Null when the world did.'),
  headers: z.record(z.string(), z.string()),
  status: z.number().nullable().describe("The receiver's answer; null when there was none."),
  responseBody: z.string().nullable(),
  error: z.string().nullable().describe('Why it did not count; null when it did.'),
  diagnosis: diagnosisShape().nullable().describe('The cause and the cure, or an oddity of an attempt that counted.'),
}))

export function failureText(attempt: Pick<Attempt, 'error' | 'diagnosis'> | null | undefined): string {
  return [attempt?.error, attempt?.diagnosis?.why].filter(Boolean).join(', because ')
}

const lastAttemptShape = shape('LastAttempt', () =>
  z.object({ status: z.number().nullable(), error: z.string().nullable(), diagnosis: diagnosisShape().nullable() }),
)

const callbackSubject = view('CallbackSubject', (_read: Reader<Payment>) => ({
  referenceId: z.string().nullable(),
  amount: majorOf('amountMinor'),
  currency: z.string(),
}))

export const callbackCountsShape = shape('CallbackCounts', () =>
  z.object(recordFor(callbackStates.toSorted(), () => z.number())),
)

export const callbackSummary = view('CallbackSummary', (read: Reader<Callback, Core>) => ({
  id: z.number(),
  uid: z.string().describe('Stable over attempts.'),
  topic: z.string().describe('The kind of payment that it tells of.'),
  payment: read(z.string().nullable().describe("The payment's uuid."), uuidOfPayment),
  about: read(callbackSubject.schema().nullable().describe('The payment now.'), (callback, core) => {
    const payment = paymentOf(core, callback)
    return payment ? callbackSubject(payment) : null
  }),
  tells: read(z.string().nullable().describe('The status in its body, or null.'), ({ body }) => {
    const { status } = JSON.parse(body)
    return typeof status === 'string' ? status : null
  }),
  url: read(z.string(), ({ url }) => maskPath(url)),
  state: z.enum(callbackStates),
  heldFor: read(
    z.enum(['next_callback', 'resume']).nullable().describe('It waits for the next to its address, or a resume.'),
    ({ state }, { store }) => {
      if (state !== 'pending' && state !== 'held') return null
      if (store.meta.callbacksPaused) return 'resume'
      return state === 'held' ? 'next_callback' : null
    },
  ),
  attempts: z.number(),
  lastAttempt: read(
    lastAttemptShape().nullable().describe('Result of the last attempt. null before the first.'),
    // By number, because an event has the callback as it was then.
    ({ id, attempts }, { store }) => (attempts === 0 ? null : (store.callbacks.endOfAttempt(id, attempts) ?? null)),
  ),
  createdAt: instantOf('createdAtUs'),
  settledAt: instantOrNull('settledAtUs'),
  nextAttemptAt: read(z.string().nullable(), ({ id }, { store }) => {
    const next = store.agenda.of(LANE.deliveries, id)[0]
    return next ? isoInstant(next.dueAtUs) : null
  }),
  fault: read(
    plannedFault.schema().nullable().describe('The fault that the scenario planned for it.'),
    ({ fault }) => fault && plannedFault(fault),
  ),
  body: read(z.record(z.string(), z.unknown()), ({ body }) => JSON.parse(body)),
}))

interface OfPayment {
  paymentSeq: number | null
}

function paymentOf({ store }: Core, { paymentSeq }: OfPayment): Payment | undefined {
  return paymentSeq === null ? undefined : store.payments.bySeq(paymentSeq)
}

export function uuidOfPayment(row: OfPayment, core: Core): string | null {
  return paymentOf(core, row)?.uuid ?? null
}

export const callbackDetail = view('CallbackDetail', (read: Reader<Callback, Core>) => ({
  ...callbackSummary.fields((core: Core) => core),
  tries: read(z.array(attemptShown.schema()), ({ id }, { store }) =>
    store.callbacks.attemptsOf(id).map((attempt) => attemptShown(attempt)),
  ),
}))

export const inboxMessage = view('InboxMessageShown', (read: Reader<InboxMessage>) => ({
  id: z.number(),
  at: instantOf('atUs'),
  headers: z.record(z.string(), z.string()),
  body: read(z.unknown(), ({ body }) => asJson(body)),
  text: read(z.string().describe('The body as it came, to the letter: for its signature.'), (message) => message.body),
  answered: z.string().nullable().describe('A status, `hang`, `close` or `reset`, perhaps with a delay.'),
  signature: z.enum(signatureStates).nullable().describe('The result of the signature check.'),
}))

const sentRequest = view('SentRequest', (read: Reader<JournalEntry>) => ({
  headers: read(z.record(z.string(), z.string()), ({ requestHeaders }) => requestHeaders),
  body: read(z.unknown(), ({ requestBody }) => asJson(requestBody)),
}))

export const requestEntry = view('RequestEntry', (read: Reader<JournalEntry, Core>) => ({
  requestId: z.string(),
  at: instantOf('atUs'),
  operation: z.string().nullable().describe("The operation's name in the contract; null where there is none."),
  method: z.string(),
  path: z.string(),
  organisationId: read(z.string().nullable(), ({ organisationId }, { store }) =>
    organisationId === null ? null : store.organisations.byId(organisationId).uuid,
  ),
  request: read(sentRequest.schema(), (entry) => sentRequest(entry)),
  status: z.number(),
  response: read(z.unknown(), ({ responseBody }) => asJson(responseBody)),
  rule: z.string().nullable(),
  payment: read(z.string().nullable().describe('The uuid of the payment that it made or answered for.'), uuidOfPayment),
  unreadFields: read(z.array(z.string()).describe('Sent, but not read by mfano.'), ({ notes }) => notes?.unread ?? []),
  warnings: read(z.array(z.string()), ({ notes }) => notes?.warnings ?? []),
  fault: read(z.string().nullable().describe('Change of the answer by a fault.'), ({ notes }) => notes?.fault ?? null),
  replayed: read(z.boolean().describe('An earlier answer was given again.'), ({ notes }) => notes?.replayed ?? false),
  assumed: read(z.array(z.string()).describe('Assumptions that decided.'), ({ notes }) => notes?.assumed ?? []),
}))
