/** Explains how a payment came to be: request, rule, rails and plan. */
import { type Core, decidingVersion, kindOf } from '../../core/core.ts'
import { isInstant } from '../../core/lifecycle.ts'
import type { Assumptions } from '../../core/model/assumption.ts'
import { zonedText } from '../../core/model/calendar.ts'
import type { Attempt, Callback } from '../../core/model/callback.ts'
import { describeCallbackFault } from '../../core/model/callback-fault.ts'
import { LANE } from '../../core/model/due.ts'
import { printErrorAnswer } from '../../core/model/faults.ts'
import type { JournalEntry } from '../../core/model/journal.ts'
import { partyOf } from '../../core/model/kind.ts'
import { maskPath } from '../../core/model/mask.ts'
import { moneyText } from '../../core/model/money.ts'
import type { JsonObject, Payment, Plan } from '../../core/model/payment.ts'
import type { RailSort } from '../../core/model/rule-summaries.ts'
import { formatDuration, isoInstant } from '../../core/model/time.ts'
import { waitOfPayment } from '../../core/rail-outcomes.ts'
import type { ScenarioVersion } from '../../core/scenario.ts'
import type { World } from '../../core/world.ts'
import { planOf } from '../present.ts'
import { explainTrace } from '../trace-text.ts'

export function creationLinks(world: World, payment: Payment, entry: JournalEntry | undefined) {
  const at = isoInstant(payment.createdAtUs)
  const version = decidingVersion(world.core, payment)
  return [
    { at, station: 'request' as const, ...requested(world, payment, entry) },
    { at, station: 'rule' as const, ...ruled(world.core, version, payment) },
    ...railed(world.core, version, payment).map((one) => ({ at, station: 'rails' as const, ...one })),
    { at, station: 'plan' as const, text: `Planned: ${planned(world.core, payment)}`, plan: planOf(payment) },
  ]
}

function requested({ core }: World, payment: Payment, entry: JournalEntry | undefined) {
  const organisation = core.store.organisations.byId(payment.organisationId)
  const by = payment.history[0]?.by ?? 'request'
  const reference = payment.referenceId === null ? '' : `, reference ${payment.referenceId}`
  const subject = `${subjectOf(core, payment)}${reference}`
  // A request that is executed twice makes both payments together, so their `seq` follow each other.
  const first = by === 'plan' ? core.store.payments.bySeq(payment.seq - 1) : undefined
  const ways: Record<string, string> = {
    operator: `An operator made ${subject} for ${organisation.name}`,
    plan: `The plan of ${first?.uuid} has its request executed a second time: ${subject}`,
    request: `${organisation.name} asked for ${subject}: ${
      entry ? `${entry.method} ${entry.path} (${entry.requestId})` : 'the journal does not have that request'
    }`,
  }
  return {
    text: ways[by] ?? `${by} made ${subject}`,
    by,
    requestId: entry?.requestId ?? null,
    method: entry?.method ?? null,
    path: entry?.path ?? null,
    organisation: { uuid: organisation.uuid, name: organisation.name },
    firstOfTwo: first?.uuid ?? null,
  }
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

function ruled(core: Core, version: ScenarioVersion, { kind, plan }: Payment) {
  const trace = explainTrace(version, kind, plan.trace)
  const at = trace.findIndex(({ outcome }) => outcome === 'decided')
  const decided = trace[at]
  const rule = version.rules.find(({ name }) => decided?.rule === name)
  const passed = decided ? trace.slice(0, at) : trace
  const before =
    passed.length === 0 ? '' : `. ${passed.length === 1 ? 'The rule' : `The ${passed.length} rules`} before it did not`
  return {
    text: decided
      ? `"${decided.rule}" decided, because ${decided.why}${before}`
      : `No rule of the scenario ${version.scenario} decides ${kindOf(core, { kind }).phrase} like this one`,
    rule: plan.rule,
    scenario: version.scenario,
    file: rule?.file ?? null,
    line: rule?.line ?? null,
    passed,
  }
}

function railed({ scenario }: Core, version: ScenarioVersion, { plan, currency, createdAtUs }: Payment) {
  const endsAt = plan.afterUs === null ? null : zonedText(createdAtUs + plan.afterUs, scenario.zone)
  const names = plan.rails ?? []
  const fees = names.filter((name) => version.rails[name] === 'fee')
  const others = names.filter((name) => !fees.includes(name))
  return [
    ...others.map((name) => link([name], version.rails[name], verdict(name, version.rails[name], plan, endsAt))),
    ...(plan.float === undefined ? [] : [link([plan.float], 'float', `It is paid from the float "${plan.float}"`)]),
    ...(fees.length === 0
      ? []
      : [link(fees, 'fee', `${list(fees)}: ${moneyText(plan.feeMinor ?? 0, currency)} on top of the amount`)]),
  ]
}

function link(rails: string[], sort: RailSort | undefined, text: string) {
  return { text, rails, sort: sort ?? null }
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

export function answerLinks(entries: readonly JournalEntry[]) {
  return entries.map((entry) => {
    const again = `The same reference came again (${entry.requestId}), and this payment answers for it. `
    const { replayed, fault, unread, warnings } = entry.notes ?? {}
    return {
      at: isoInstant(entry.atUs),
      station: replayed ? ('repeat' as const) : ('answer' as const),
      text: `${replayed ? again : ''}${answered(entry)}`,
      requestId: entry.requestId,
      status: entry.status,
      fault: fault ?? null,
      unreadFields: unread ?? [],
      warnings: warnings ?? [],
    }
  })
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
    ...core.store.callbacks.attemptsOf(callback.id).map((attempt) => attemptLink(core, callback, attempt)),
  ])
}

function callbackLink(callback: Callback) {
  const body: Record<string, unknown> = JSON.parse(callback.body)
  const says = typeof body['status'] === 'string' ? ` says ${body['status']}` : ''
  const { fault } = callback
  const faulty = fault === null ? '' : `; "${fault.by}": ${describeCallbackFault(fault)}`
  return {
    at: isoInstant(callback.createdAtUs),
    station: 'callback' as const,
    text: `Callback ${callback.id}${says}, for ${maskPath(callback.url)}${faulty}`,
    callback: callback.id,
    uid: callback.uid,
    url: maskPath(callback.url),
    state: callback.state,
    body,
  }
}

function attemptLink(core: Core, callback: Callback, attempt: Attempt) {
  const { number, status, tookMs, error, responseBody, diagnosis } = attempt
  const next = number === callback.attempts ? core.store.agenda.of(LANE.deliveries, callback.id)[0] : undefined
  const again = next ? `; tried again at ${zonedText(next.dueAtUs, core.scenario.zone)}` : ''
  return {
    // The clock may still show an instant before the callback's stamp.
    at: isoInstant(Math.max(attempt.sentAtUs, callback.createdAtUs)),
    station: 'attempt' as const,
    text: `Attempt ${number} of callback ${callback.id}: ${tried(attempt)}${again}`,
    callback: callback.id,
    number,
    url: attempt.url,
    status,
    tookMs,
    responseBody,
    error,
    diagnosis,
  }
}

function tried({ error, diagnosis, status, tookMs }: Attempt): string {
  if (error !== null) return `${error}${diagnosis ? `, because ${diagnosis.why}` : ''}`
  const odd = diagnosis ? `, but ${diagnosis.what}: ${diagnosis.why}` : ''
  return `received, answered ${status} in ${tookMs} ms${odd}`
}
