import * as z from 'zod'
import { type Core, decidingVersion, kindOf } from '../../core/core.ts'
import { isInstant } from '../../core/lifecycle.ts'
import type { Assumptions } from '../../core/model/assumption.ts'
import { zonedText } from '../../core/model/calendar.ts'
import type { Attempt, Callback } from '../../core/model/callback.ts'
import { describeCallbackFault } from '../../core/model/callback-fault.ts'
import { LANE } from '../../core/model/due.ts'
import { printErrorAnswer } from '../../core/model/faults.ts'
import type { JournalEntry } from '../../core/model/journal.ts'
import { asJson } from '../../core/model/json.ts'
import { partyOf } from '../../core/model/kind.ts'
import { maskPath } from '../../core/model/mask.ts'
import { moneyText, type Transfer } from '../../core/model/money.ts'
import { isRecord } from '../../core/model/must.ts'
import type { JsonObject, Moment, Payment, Plan } from '../../core/model/payment.ts'
import { errorParts } from '../../core/model/refusal.ts'
import type { RailSort } from '../../core/model/rule-summaries.ts'
import { formatDuration, type InstantUs, isoInstant } from '../../core/model/time.ts'
import { endsWell, waitOfPayment } from '../../core/rail-outcomes.ts'
import type { ScenarioVersion } from '../../core/scenario.ts'
import type { World } from '../../core/world.ts'
import { accountCodes, diagnosisShape, failureText, prevented } from '../present.ts'
import { type Decision, decisionShape, explainTrace } from '../trace-text.ts'
import { type AnswerOf, shape } from '../view.ts'
import { railWords } from './reason-of-end.ts'

const stations = [
  'request',
  'rule',
  'rails',
  'plan',
  'transition',
  'transfer',
  'answer',
  'repeat',
  'callback',
  'attempt',
] as const

export const storyStepShape = shape('StoryStep', () =>
  z.object({
    at: z.string(),
    station: z.enum(stations),
    text: z.string(),
    requestId: z.string().nullable().describe('The request that is told of, or answered.').optional(),
    method: z.string().optional(),
    path: z.string().optional(),
    passed: z.array(decisionShape()).describe('Rules that were asked before, each with why it did not.').optional(),
    from: z.string().nullable().describe('The status before; null at the beginning.').optional(),
    to: z.string().optional(),
    callback: z.number().optional(),
    tells: z.string().describe('The status in the body of the callback.').optional(),
    status: z.number().nullable().describe('HTTP status of the answer; null where none came.').optional(),
    fault: z.string().nullable().describe('The change that a fault made to the answer on its way.').optional(),
    error: z.string().nullable().describe('Why the attempt did not count.').optional(),
    diagnosis: diagnosisShape().nullable().optional(),
  }),
)
type StoryStep = AnswerOf<typeof storyStepShape>

export function creationSteps({ core }: World, payment: Payment): StoryStep[] {
  const requests = core.store.journal.ofPayment(seqOfRequest(payment))
  const entry = requests.find(({ notes }) => !notes?.replayed)
  const at = isoInstant(payment.createdAtUs)
  const version = decidingVersion(core, payment)
  const trace = explainTrace(version.rules, payment.kind, payment.plan.trace)
  const decided = trace.findIndex(({ outcome }) => outcome === 'decided')
  const passed = decided < 0 ? trace : trace.slice(0, decided)
  return [
    {
      ...{ at, station: 'request', text: requestText(core, payment, entry) },
      ...{ requestId: entry?.requestId ?? null, ...(entry && { method: entry.method, path: entry.path }) },
    },
    { at, station: 'rule', text: ruleText(core, payment, version, { decided: trace[decided], passed }), passed },
    ...railed(core, version, payment).map((text): StoryStep => ({ at, station: 'rails', text })),
    { at, station: 'plan', text: `Planned: ${planned(core, payment)}` },
  ]
}

/** A request that is executed twice makes both payments together, so their `seq` follow each other. */
function seqOfRequest({ history, seq }: Payment): number {
  return history[0]?.by === 'plan' ? seq - 1 : seq
}

function requestText(core: Core, payment: Payment, entry: JournalEntry | undefined): string {
  const { name } = core.store.organisations.byId(payment.organisationId)
  const by = payment.history[0]?.by ?? 'request'
  const reference = payment.referenceId === null ? '' : `, reference ${payment.referenceId}`
  const subject = `${subjectOf(core, payment)}${reference}`
  const ways: Record<string, string> = {
    operator: `An operator made ${subject} for ${name}`,
    plan: `The plan of ${core.store.payments.bySeq(seqOfRequest(payment))?.uuid} has its request executed a second time: ${subject}`,
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

function ruleText(
  core: Core,
  { kind }: Payment,
  { scenario }: ScenarioVersion,
  { decided, passed }: { decided: Decision | undefined; passed: readonly Decision[] },
): string {
  if (!decided) return `No rule of the scenario ${scenario} decides ${kindOf(core, { kind }).phrase} like this one`
  const before = passed.length === 1 ? 'The rule' : `The ${passed.length} rules`
  const of = scenario === core.scenario.name ? '' : ` of the scenario ${scenario}`
  return `"${decided.name}"${of} decided, because ${decided.why}${passed.length === 0 ? '' : `. ${before} before it did not`}`
}

function railed({ scenario }: Core, version: ScenarioVersion, { plan, currency, createdAtUs }: Payment): string[] {
  const endsAt = plan.afterUs === null ? null : zonedText(createdAtUs + plan.afterUs, scenario.zone)
  const names = plan.rails ?? []
  const fees = names.filter((name) => version.rails[name] === 'fee')
  const fee = moneyText(plan.feeMinor ?? 0, currency)
  return [
    ...names.filter((name) => !fees.includes(name)).map((name) => verdict(name, version.rails[name], plan, endsAt)),
    ...(plan.float === undefined ? [] : [`It is paid from the float "${plan.float}"`]),
    ...(fees.length === 0 ? [] : [`${fees.map((name) => `"${name}"`).join(' and ')}: ${fee} on top of the amount`]),
  ]
}

function verdict(name: string, sort: RailSort | undefined, plan: Plan, endsAt: string | null): string {
  if (sort === undefined || sort === 'fee') return `The rail says "${name}"`
  const says = railWords[sort](name)
  if (sort === 'float' && plan.untilFunded) return `${says}: the payout waits until it has enough`
  const isPutOff = sort === 'cut-off' || (sort === 'maintenance' && plan.end !== 'FAILED')
  const putOff = `that puts ${endsAt === null ? 'off the end' : `the end off to ${endsAt}`}`
  return `${says}: ${isPutOff ? putOff : plan.end}`
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

  function ofEnd({ plan: { afterUs, end, untilPoll, untilFunded, with: extra } }: Payment): string {
    if (untilPoll !== undefined) return `${end}${fields(extra)} with read number ${untilPoll}, PENDING until then`
    if (afterUs === null) return 'it never ends by itself'
    if (untilFunded) return `${end}${fields(extra)} ${formatDuration(afterUs)} after its float holds the amount`
    return `${end}${fields(extra)} after ${formatDuration(afterUs)}, at ${zonedText(createdAtUs + afterUs, core.scenario.zone)}`
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

export function answerSteps(entries: readonly JournalEntry[]): StoryStep[] {
  return entries.map((entry) => {
    const { atUs, requestId, status, notes } = entry
    const again = notes?.replayed
      ? `The same reference came again (${requestId}), and this payment answers for it. `
      : ''
    return {
      ...{ at: isoInstant(atUs), station: notes?.replayed ? 'repeat' : 'answer', text: `${again}${answered(entry)}` },
      ...{ requestId, status, fault: notes?.fault ?? null },
    }
  })
}

function answered({ status, rule, notes, responseBody }: JournalEntry): string {
  const unread = notes?.unread ? `; nothing read ${notes.unread.join(', ')}` : ''
  const warnings = notes?.warnings ? `; ${notes.warnings.join('; ')}` : ''
  const answer = status === 0 ? 'Not answered' : `Answered ${status}`
  const { code, message, details } = status < 400 || notes?.fault ? {} : errorParts(asJson(responseBody))
  const why = [code, details || message].filter(Boolean).join(': ') + (code && rule ? `, by "${rule}"` : '')
  return `${answer}${why && ` ${why}`}${notes?.fault ? ` (${notes.fault})` : ''}${unread}${warnings}`
}

export function callbackSteps(core: Core, callbacks: readonly Callback[]): StoryStep[] {
  return callbacks.flatMap((callback) => {
    const { id, createdAtUs, url, fault } = callback
    const { status: tells } = JSON.parse(callback.body)
    const of = { callback: id, ...(typeof tells === 'string' && { tells }) }
    const faulty = fault === null ? '' : `; "${fault.by}": ${describeCallbackFault(fault)}`
    const text = `Callback ${id}${of.tells === undefined ? '' : ` says ${tells}`}, for ${maskPath(url)}${faulty}`
    const attempts = core.store.callbacks.attemptsOf(id).map((attempt): StoryStep => {
      const { status, error, diagnosis } = attempt
      // The clock may still show an instant before the callback's stamp.
      const at = isoInstant(Math.max(attempt.sentAtUs, createdAtUs))
      return { at, station: 'attempt', text: attemptText(core, callback, attempt), ...of, status, error, diagnosis }
    })
    return [{ at: isoInstant(createdAtUs), station: 'callback', text, ...of }, ...attempts]
  })
}

function attemptText({ store, scenario }: Core, { id, attempts }: Callback, attempt: Attempt): string {
  const next = attempt.number === attempts ? store.agenda.of(LANE.deliveries, id)[0] : undefined
  const again = next ? `; tried again at ${zonedText(next.dueAtUs, scenario.zone)}` : ''
  return `Attempt ${attempt.number} of callback ${id}: ${tried(attempt)}${again}`
}

function tried(attempt: Attempt): string {
  const { error, diagnosis, status, tookMs } = attempt
  if (error !== null) return failureText(attempt)
  const odd = diagnosis ? `, but ${diagnosis.what}: ${diagnosis.why}` : ''
  return `received, answered ${status} in ${tookMs} ms${odd}`
}

export function transitionSteps(payment: Payment): StoryStep[] {
  return payment.history.map((moment, i) => {
    const before = payment.history[i - 1]
    const text = moved(payment, before, moment)
    return { at: isoInstant(moment.atUs), station: 'transition', text, from: before?.status ?? null, to: moment.status }
  })
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

export function transferSteps(core: Core, { seq, currency }: Payment): StoryStep[] {
  const code = accountCodes(core)
  return core.ledger.transfersOf(seq).flatMap((transfer) => {
    const way = `${code.get(transfer.debitAccount)} to ${code.get(transfer.creditAccount)}`
    const amount = moneyText(transfer.amountMinor, currency)
    return movementsOf(transfer).map(({ atUs, did }): StoryStep => {
      return { at: isoInstant(atUs), station: 'transfer', text: `${describeTransfer(transfer, did)} ${amount}: ${way}` }
    })
  })
}

type Movement = 'reserve' | 'post' | 'void'

function movementsOf({ createdAtUs, settledAtUs, state }: Transfer): { atUs: InstantUs; did: Movement }[] {
  const reserved = { atUs: createdAtUs, did: 'reserve' as const }
  if (settledAtUs === null) return [reserved]
  const end = { atUs: settledAtUs, did: state === 'voided' ? ('void' as const) : ('post' as const) }
  return settledAtUs === createdAtUs ? [end] : [reserved, end]
}

function describeTransfer({ kind }: Transfer, did: Movement): string {
  const verb = { reserve: 'Reserved', post: kind === 'reversal' ? 'Took back' : 'Moved', void: 'Let go of' }[did]
  return kind === 'fee' ? `${verb} the fee of` : verb
}
