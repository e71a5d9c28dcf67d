/** Explains how a payment came to be: request, rule, rails and plan. */
import * as z from 'zod'
import { type Core, decidingVersion, kindOf } from '../../core/core.ts'
import { isInstant } from '../../core/lifecycle.ts'
import type { Assumptions } from '../../core/model/assumption.ts'
import { MINUTE_US, plainTime, type presentZone, toldZone, zonedText } from '../../core/model/calendar.ts'
import { type Attempt, type Callback, callbackStates } from '../../core/model/callback.ts'
import { describeCallbackFault } from '../../core/model/callback-fault.ts'
import { LANE } from '../../core/model/due.ts'
import { printErrorAnswer } from '../../core/model/faults.ts'
import type { JournalEntry } from '../../core/model/journal.ts'
import { partyOf } from '../../core/model/kind.ts'
import { maskPath } from '../../core/model/mask.ts'
import { moneyText, type Transfer } from '../../core/model/money.ts'
import { isRecord, must } from '../../core/model/must.ts'
import { type JsonObject, type Moment, momentBy, type Payment, type Plan } from '../../core/model/payment.ts'
import { type RailSort, railSorts } from '../../core/model/rule-summaries.ts'
import { formatDuration, type InstantUs, isoInstant, parseInstant } from '../../core/model/time.ts'
import { endsWell, waitOfPayment } from '../../core/rail-outcomes.ts'
import type { ScenarioVersion } from '../../core/scenario.ts'
import type { World } from '../../core/world.ts'
import { accountCodes, broughtAbout, diagnosisShape, paymentPlan, prevented } from '../present.ts'
import { type Sequence, type SequencePart, shortened } from '../report-document.ts'
import { explainTrace, ruleTraceShape } from '../trace-text.ts'
import { constant, instantOf, majorOf, type Reader, shape, view } from '../view.ts'

export function creationLinks(world: World, payment: Payment, entry: JournalEntry | undefined) {
  const { core } = world
  const version = decidingVersion(core, payment)
  return [
    requestLink(payment, { core, entry }),
    ruleLink(payment, { core, version, ...ruled(version, payment) }),
    ...railed(core, version, payment).map((one) => railsLink(payment, one)),
    planLink(payment, core),
  ]
}

interface Asked {
  core: Core
  entry: JournalEntry | undefined
}

const requestLink = view(null, (read: Reader<Payment, Asked>) => ({
  at: instantOf('createdAtUs'),
  station: constant('request'),
  text: read(z.string(), requestText),
  by: read(z.enum(momentBy), ({ history }) => history[0]?.by ?? 'request'),
  requestId: read(z.string().nullable(), (_, { entry }) => entry?.requestId ?? null),
  method: read(z.string().nullable(), (_, { entry }) => entry?.method ?? null),
  path: read(z.string().nullable(), (_, { entry }) => entry?.path ?? null),
  organisation: read(z.object({ uuid: z.string(), name: z.string() }), ({ organisationId }, { core }) => {
    const { uuid, name } = core.store.organisations.byId(organisationId)
    return { uuid, name }
  }),
  firstOfTwo: read(z.string().nullable(), (payment, { core }) => firstOfTwo(core, payment)?.uuid ?? null),
}))

/** A request that is executed twice makes both payments together, so their `seq` follow each other. */
function firstOfTwo({ store }: Core, { history, seq }: Payment): Payment | undefined {
  return history[0]?.by === 'plan' ? store.payments.bySeq(seq - 1) : undefined
}

function requestText(payment: Payment, { core, entry }: Asked): string {
  const { name } = core.store.organisations.byId(payment.organisationId)
  const by = payment.history[0]?.by ?? 'request'
  const reference = payment.referenceId === null ? '' : `, reference ${payment.referenceId}`
  const subject = `${subjectOf(core, payment)}${reference}`
  const ways: Record<string, string> = {
    operator: `An operator made ${subject} for ${name}`,
    plan: `The plan of ${firstOfTwo(core, payment)?.uuid} has its request executed a second time: ${subject}`,
    request: `${name} asked for ${subject}: ${
      entry ? `${entry.method} ${entry.path} (${entry.requestId})` : 'the journal does not have that request'
    }`,
  }
  return ways[by] ?? `${by} made ${subject}`
}

function subjectOf(core: World['core'], payment: Payment): string {
  const { request, amountMinor, currency, details } = payment
  const kind = kindOf(core, payment)
  const amount = amountMinor === 0 ? '' : ` of ${moneyText(amountMinor, currency)}`
  const party = partyOf(kind, request)
  const preposition = kind.direction === 'in' ? 'from' : 'to'
  const nameOf = (field: string) => core.store.organisations.byId(Number(details[field])).name
  const between =
    kind.direction === 'between' ? ` from ${nameOf('fromOrganisation')} to ${nameOf('toOrganisation')}` : ''
  return `${kind.phrase}${amount}${party === null ? between : ` ${preposition} ${party}`}`
}

interface Ruled extends ReturnType<typeof ruled> {
  core: Core
  version: ScenarioVersion
}

function ruled(version: ScenarioVersion, { kind, plan }: Payment) {
  const trace = explainTrace(version, kind, plan.trace)
  const at = trace.findIndex(({ outcome }) => outcome === 'decided')
  const decided = trace[at]
  return {
    decided,
    rule: version.rules.find(({ name }) => decided?.rule === name),
    passed: decided ? trace.slice(0, at) : trace,
  }
}

const ruleLink = view(null, (read: Reader<Payment, Ruled>) => ({
  at: instantOf('createdAtUs'),
  station: constant('rule'),
  text: read(z.string(), ({ kind }, { core, version, decided, passed }) => {
    if (!decided)
      return `No rule of the scenario ${version.scenario} decides ${kindOf(core, { kind }).phrase} like this one`
    const before = passed.length === 1 ? 'The rule' : `The ${passed.length} rules`
    return `"${decided.rule}" decided, because ${decided.why}${passed.length === 0 ? '' : `. ${before} before it did not`}`
  }),
  rule: read(z.string(), ({ plan }) => plan.rule),
  scenario: read(z.string(), (_, { version }) => version.scenario),
  file: read(z.string().nullable(), (_, { rule }) => rule?.file ?? null),
  line: read(z.number().nullable(), (_, { rule }) => rule?.line ?? null),
  passed: read(
    z.array(ruleTraceShape()).describe('The rules that were asked before, each with why it did not decide.'),
    (_, { passed }) => passed,
  ),
}))

interface Rails {
  text: string
  rails: string[]
  sort: RailSort | undefined
}

const railsLink = view(null, (read: Reader<Payment, Rails>) => ({
  at: instantOf('createdAtUs'),
  station: constant('rails'),
  text: read(z.string(), (_, { text }) => text),
  rails: read(z.array(z.string()), (_, { rails }) => rails),
  sort: read(z.enum(railSorts).nullable(), (_, { sort }) => sort ?? null),
}))

const planLink = view(null, (read: Reader<Payment, Core>) => ({
  at: instantOf('createdAtUs'),
  station: constant('plan'),
  text: read(z.string(), (payment, core) => `Planned: ${planned(core, payment)}`),
  plan: read(paymentPlan.schema(), ({ plan }) => paymentPlan(plan)),
}))

function railed({ scenario }: Core, version: ScenarioVersion, { plan, currency, createdAtUs }: Payment): Rails[] {
  const endsAt = plan.afterUs === null ? null : zonedText(createdAtUs + plan.afterUs, scenario.zone)
  const names = plan.rails ?? []
  const fees = names.filter((name) => version.rails[name] === 'fee')
  const others = names.filter((name) => !fees.includes(name))
  const links: Rails[] = others.map((name) => {
    const sort = version.rails[name]
    return { rails: [name], sort, text: verdict(name, sort, plan, endsAt) }
  })
  if (plan.float !== undefined)
    links.push({ rails: [plan.float], sort: 'float', text: `It is paid from the float "${plan.float}"` })
  if (fees.length > 0) {
    const fee = moneyText(plan.feeMinor ?? 0, currency)
    links.push({ rails: fees, sort: 'fee', text: `${list(fees)}: ${fee} on top of the amount` })
  }
  return links
}

function verdict(name: string, sort: RailSort | undefined, plan: Plan, endsAt: string | null): string {
  const end = endsAt === null ? 'off the end' : `the end off to ${endsAt}`
  switch (sort) {
    case 'limit':
      return `The limit "${name}" is broken: ${plan.end}`
    case 'float':
      return `The float "${name}" has too little left: ${plan.untilFunded ? 'the payout waits until it has enough' : plan.end}`
    case 'cut-off':
      return `The rail is closed, says "${name}": that puts ${end}`
    case 'maintenance':
      return plan.end === 'FAILED'
        ? `The rail is under maintenance, says "${name}": ${plan.end}`
        : `The rail is under maintenance, says "${name}": that puts ${end}`
    default:
      return `The rail says "${name}"`
  }
}

function planned(core: Core, payment: Payment): string {
  const kind = kindOf(core, payment)
  const { plan, createdAtUs } = payment
  const { revise, answer, twice, callback } = plan
  return [
    isInstant(kind)
      ? `${plan.end} at once`
      : kind.page
        ? ofSession(payment, core.scenario.assumptions)
        : ofEnd(payment),
    revise &&
      `${revise.end === 'FAILED' ? 'taken back' : 'done after all'} ${formatDuration(revise.afterUs)} later: ${revise.end}${fields(revise.with)}`,
    answer && `the answer goes wrong: ${typeof answer === 'string' ? answer : printErrorAnswer(answer)}`,
    twice && 'the request is executed twice',
    callback && `what goes wrong with the callback: ${describeCallbackFault(callback)} ("${callback.by}")`,
  ]
    .filter(Boolean)
    .join('; ')

  function ofEnd({ plan: { afterUs, bankingUs, end, untilPoll, untilFunded, with: extra } }: Payment): string {
    if (untilPoll !== undefined) return `${end}${fields(extra)} with read number ${untilPoll}, PENDING until then`
    if (afterUs === null) return 'it never ends by itself'
    if (untilFunded) return `${end}${fields(extra)} ${formatDuration(afterUs)} after its float holds the amount`
    return `${end}${fields(extra)} after ${formatDuration(afterUs)}${bankingUs === undefined ? '' : ` (${formatDuration(bankingUs)} while banks are open)`}, at ${zonedText(createdAtUs + afterUs, core.scenario.zone)}`
  }
}

function ofSession(payment: Payment, assumptions: Assumptions): string {
  const { plan } = payment
  const read = plan.untilPoll === undefined ? undefined : `${plan.end} with read number ${plan.untilPoll}`
  if (plan.end === 'EXPIRED') return `nobody pays, ${read ?? `EXPIRED after ${formatDuration(plan.afterUs ?? 0)}`}`
  const confirmed = plan.confirmAfterUs === null ? 'never confirmed' : 'confirmed on the phone'
  const paid =
    plan.payAfterUs === null || plan.payAfterUs === undefined
      ? 'it waits for somebody to pay on its page'
      : `paid by itself after ${formatDuration(plan.payAfterUs)}${plan.confirmAfterUs === undefined ? '' : `, ${confirmed}`}`
  if (read !== undefined) return `${paid}, then ${read}`
  const expires = formatDuration(waitOfPayment(payment, 'expire', assumptions) ?? 0)
  const end = plan.afterUs === null ? 'then it never ends' : `then ${plan.end} after ${formatDuration(plan.afterUs)}`
  return `${paid}, ${end}; unpaid it expires after ${expires}`
}

function fields(extra: JsonObject): string {
  const shown = Object.entries(extra).map(
    ([name, value]) => `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  )
  return shown.length > 0 ? ` (${shown.join(', ')})` : ''
}

function list(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(' and ')
}

// Explains what the merchant received: the answer, the callbacks, and each attempt.

const answerLink = view(null, (read: Reader<JournalEntry>) => ({
  at: instantOf('atUs'),
  station: read(z.enum(['answer', 'repeat']), ({ notes }) => (notes?.replayed ? 'repeat' : 'answer')),
  text: read(z.string(), (entry) => {
    const again = `The same reference came again (${entry.requestId}), and this payment answers for it. `
    return `${entry.notes?.replayed ? again : ''}${answered(entry)}`
  }),
  requestId: z.string(),
  status: z.number(),
  fault: read(z.string().nullable(), ({ notes }) => notes?.fault ?? null),
  unreadFields: read(z.array(z.string()), ({ notes }) => notes?.unread ?? []),
  warnings: read(z.array(z.string()), ({ notes }) => notes?.warnings ?? []),
}))

export function answerLinks(entries: readonly JournalEntry[]) {
  return entries.map((entry) => answerLink(entry))
}

function answered({ status, notes }: JournalEntry): string {
  const unread = notes?.unread ? `; nothing read ${notes.unread.join(', ')}` : ''
  const warnings = notes?.warnings ? `; ${notes.warnings.join('; ')}` : ''
  const answer = status === 0 ? 'Not answered' : `Answered ${status}`
  return `${answer}${notes?.fault ? ` (${notes.fault})` : ''}${unread}${warnings}`
}

export function callbackLinks(core: Core, callbacks: readonly Callback[]) {
  return callbacks.flatMap((callback) => [
    callbackLink(callback),
    ...core.store.callbacks.attemptsOf(callback.id).map((attempt) => attemptLink(attempt, { core, callback })),
  ])
}

const callbackLink = view(null, (read: Reader<Callback>) => ({
  at: instantOf('createdAtUs'),
  station: constant('callback'),
  text: read(z.string(), ({ id, url, body, fault }) => {
    const { status } = JSON.parse(body)
    const says = typeof status === 'string' ? ` says ${status}` : ''
    const faulty = fault === null ? '' : `; "${fault.by}": ${describeCallbackFault(fault)}`
    return `Callback ${id}${says}, for ${maskPath(url)}${faulty}`
  }),
  callback: read(z.number(), ({ id }) => id),
  uid: z.string(),
  url: read(z.string(), ({ url }) => maskPath(url)),
  state: z.enum(callbackStates),
  body: read(z.record(z.string(), z.unknown()), ({ body }) => JSON.parse(body)),
}))

interface Sent {
  core: Core
  callback: Callback
}

const attemptLink = view(null, (read: Reader<Attempt, Sent>) => ({
  // The clock may still show an instant before the callback's stamp.
  at: read(z.string(), ({ sentAtUs }, { callback }) => isoInstant(Math.max(sentAtUs, callback.createdAtUs))),
  station: constant('attempt'),
  text: read(z.string(), (attempt, { core, callback: { id, attempts } }) => {
    const next = attempt.number === attempts ? core.store.agenda.of(LANE.deliveries, id)[0] : undefined
    const again = next ? `; tried again at ${zonedText(next.dueAtUs, core.scenario.zone)}` : ''
    return `Attempt ${attempt.number} of callback ${id}: ${tried(attempt)}${again}`
  }),
  callback: read(z.number(), (_, { callback }) => callback.id),
  number: z.number(),
  url: z.string(),
  status: z.number().nullable(),
  tookMs: z.number(),
  responseBody: z.string().nullable(),
  error: z.string().nullable(),
  diagnosis: diagnosisShape().nullable(),
}))

function tried({ error, diagnosis, status, tookMs }: Attempt): string {
  if (error !== null) return `${error}${diagnosis ? `, because ${diagnosis.why}` : ''}`
  const odd = diagnosis ? `, but ${diagnosis.what}: ${diagnosis.why}` : ''
  return `received, answered ${status} in ${tookMs} ms${odd}`
}

export const storyStepShape = shape('StoryStep', () =>
  z.union([
    ...movementLinks(),
    answerLink.schema(),
    callbackLink.schema(),
    attemptLink.schema(),
    requestLink.schema(),
    ruleLink.schema(),
    railsLink.schema(),
    planLink.schema(),
  ]),
)

// Explains transitions of a payment and movements of its money.

interface Change {
  payment: Payment
  before: Moment | undefined
}

const transitionLink = view(null, (read: Reader<Moment, Change>) => ({
  at: instantOf('atUs'),
  station: constant('transition'),
  text: read(z.string(), (moment, { payment, before }) => moved(payment, before, moment)),
  event: z.string(),
  from: read(z.string().nullable(), (_, { before }) => before?.status ?? null),
  to: read(z.string(), ({ status }) => status),
  by: read(z.string(), broughtAbout),
}))

export function transitionLinks(payment: Payment) {
  return payment.history.map((moment, i) => transitionLink(moment, { payment, before: payment.history[i - 1] }))
}

function moved({ plan, details }: Payment, before: Moment | undefined, moment: Moment): string {
  const { event, status, by, detail } = moment
  if (!before) return `It began as ${status}`
  if (detail !== undefined) return `It stays ${status}: ${event} was planned, ${prevented(moment)}`
  if (event === 'funded') return `It stays ${status}: its float holds the amount now, and the rail takes it up`
  if (event === 'ignore') return `It stays ${status}: the payer put the phone with the prompt aside`
  if (event === 'hold') return `It stays ${status}: somebody has the phone with the prompt open, so it waits longer`
  if (event === 'leave') return `It stays ${status}: the payer cancelled on the page and went back to the merchant`
  const way = before.status === status ? status : `${before.status} to ${status}`
  if (by === 'plan' && event === 'settle' && details['declined'] !== undefined)
    return `${way}: the bank behind the card said ${details['declined']}`
  if (by === 'plan' && event === 'settle' && endsWell(plan.end) && !endsWell(status))
    return `${way}: ${plan.end} was planned, but the wallet did not hold the amount when it was due`
  const whose: Record<string, string> = {
    plan: 'as planned',
    operator: 'forced by hand',
    payer: 'by the payer',
    request: 'by a request of the merchant',
  }
  const card = event.startsWith('PAY_CARD') && isRecord(details['card']) ? details['card'] : undefined
  return `${way}: ${event}, ${whose[by] ?? `by ${by}`}${card ? `, with a ${card['brand']} that ends in ${card['last4']}` : ''}`
}

interface Movement {
  atUs: InstantUs
  step: TransferStep
  currency: Payment['currency']
  code: ReadonlyMap<number, string>
}

const transferLink = view(null, (read: Reader<Transfer, Movement>) => ({
  at: read(z.string(), (_, { atUs }) => isoInstant(atUs)),
  station: constant('transfer'),
  text: read(
    z.string(),
    (transfer, { step, currency, code }) =>
      `${words(transfer, step)} ${moneyText(transfer.amountMinor, currency)}: ${code.get(transfer.debitAccount)} to ${code.get(transfer.creditAccount)}`,
  ),
  id: z.number(),
  kind: z.string(),
  step: read(z.enum(transferSteps), (_, { step }) => step),
  debit: read(z.string().nullable(), ({ debitAccount }, { code }) => code.get(debitAccount) ?? null),
  credit: read(z.string().nullable(), ({ creditAccount }, { code }) => code.get(creditAccount) ?? null),
  amount: majorOf('amountMinor'),
}))

export function transferLinks(core: Core, { seq, currency }: Payment) {
  const code = accountCodes(core)
  return core.ledger
    .transfersOf(seq)
    .flatMap((transfer) => stepsOf(transfer).map((one) => transferLink(transfer, { ...one, currency, code })))
}

const movementLinks = () => [transitionLink.schema(), transferLink.schema()] as const

const transferSteps = ['reserve', 'post', 'void'] as const
type TransferStep = (typeof transferSteps)[number]

function stepsOf({ createdAtUs, settledAtUs, state }: Transfer): { atUs: number; step: TransferStep }[] {
  const end: TransferStep = state === 'voided' ? 'void' : 'post'
  if (settledAtUs === null) return [{ atUs: createdAtUs, step: 'reserve' }]
  if (settledAtUs === createdAtUs) return [{ atUs: settledAtUs, step: end }]
  return [
    { atUs: createdAtUs, step: 'reserve' },
    { atUs: settledAtUs, step: end },
  ]
}

function words({ kind }: Transfer, step: TransferStep): string {
  const verb = { reserve: 'Reserved', post: kind === 'reversal' ? 'Took back' : 'Moved', void: 'Let go of' }[step]
  return kind === 'fee' ? `${verb} the fee of` : verb
}

// Payments as a sequence between their app and the service.

const LANES = ['App', 'Service'] as const
const STEPS_MAX = 16

interface Link {
  at: string
  station: string
  method?: string | null
  path?: string | null
  text: string
  status?: number | null
  error?: string | null
  fault?: string | null
  from?: string | null
  to?: string
  callback?: number
  body?: Readonly<Record<string, unknown>>
}

interface ToldPayment {
  payment: { kind: string; uuid: string }
  timezone: ReturnType<typeof presentZone>
  story: readonly Link[]
}

/** Instants that are less than a minute apart are told once. */
export function sequenceOfPayments(told: readonly ToldPayment[]): Sequence {
  const payments = told.toSorted((a, b) => (began(a) < began(b) ? -1 : 1))
  const links = payments.flatMap(({ payment, timezone, story }, i) => {
    const name = payments.length === 1 ? payment.kind : `${payment.kind} ${i + 1}`
    const says = new Map(story.flatMap(({ callback, body }) => (body ? [[callback, body['status']]] : [])))
    return story.map((link) => ({
      atUs: must(parseInstant(link.at)),
      zone: toldZone(timezone),
      step: stepOf(name, link, String(says.get(link.callback) ?? '')),
    }))
  })
  let shownUs: InstantUs = Number.NEGATIVE_INFINITY
  const steps = links
    .toSorted((a, b) => a.atUs - b.atUs)
    .flatMap(({ atUs, zone, step }): SequencePart[] => {
      if (!step) return []
      if (atUs - shownUs < MINUTE_US) return [step]
      shownUs = atUs
      return [{ over: LANES, text: plainTime(atUs, zone) }, step]
    })
  return shortened({ lanes: LANES, steps }, STEPS_MAX)
}

function began({ story }: ToldPayment): string {
  return story[0]?.at ?? ''
}

function stepOf(name: string, link: Link, says: string): SequencePart | undefined {
  const { station, text, method, path, status, error, fault, from, to } = link
  const back = { from: 'Service', to: 'App' }
  switch (station) {
    case 'request':
      return path
        ? { from: 'App', to: 'Service', text: `${method} ${path.split('/').slice(4).join('/')} (${name})` }
        : { over: ['Service'], text }
    case 'answer':
    case 'repeat': {
      const told = `${status || 'the answer is lost'} (${name}${fault ? `, ${fault}` : ''})`
      return { ...back, text: told, sort: status ? 'answer' : 'lost' }
    }
    case 'transition':
      return from === null || from === to ? undefined : { over: ['Service'], text: `${name} is ${to}` }
    case 'attempt':
      return error === null
        ? { ...back, text: `callback ${says} → ${status}` }
        : { ...back, text: `callback ${says}: ${error}`, sort: 'lost' }
    default:
      return undefined
  }
}
