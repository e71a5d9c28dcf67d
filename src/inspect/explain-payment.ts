import * as z from 'zod'
import { type Core, kindOf } from '../core/core.ts'
import { isOpen, legalEvents } from '../core/lifecycle.ts'
import { plainTime, presentZone, toldZone, withPlainTimes, type Zone, zonedText } from '../core/model/calendar.ts'
import type { Attempt, Callback } from '../core/model/callback.ts'
import { type Due, LANE } from '../core/model/due.ts'
import { isUnsent, pluralOf } from '../core/model/kind.ts'
import { maskPath } from '../core/model/mask.ts'
import { moneyText, toMajor } from '../core/model/money.ts'
import { must } from '../core/model/must.ts'
import type { Payment } from '../core/model/payment.ts'
import { capital, type Hint, hintOf, type ShownHint, withHints } from '../core/model/problems.ts'
import { oneLine } from '../core/model/text.ts'
import { isoInstant, parseInstant, withShortDurations } from '../core/model/time.ts'
import { endingEvent, remaining } from '../core/rail-outcomes.ts'
import type { World } from '../core/world.ts'
import {
  answerSteps,
  callbackSteps,
  creationSteps,
  storyStepShape,
  transferSteps,
  transitionSteps,
} from './explain/creation.ts'
import { moveTime, type Reason, reasonOfEnd, reasonText, waitingFor } from './explain/reason-of-end.ts'
import { failureText, hintsShape, paymentSummary, shownZoneShape } from './present.ts'
import { shape } from './view.ts'

export { answerSteps, storyStepShape } from './explain/creation.ts'
export { endingOfStatus, endings } from './explain/reason-of-end.ts'

export function stopped(world: World, payment: Payment, baseUrl: string) {
  const due = world.core.store.agenda.of(LANE.steps, payment.seq)[0]
  const { dueAtUs, ...reason } = isOpen(payment.status)
    ? (underWay(world, payment, due, baseUrl) ?? stuck(world, payment))
    : ended(world, payment, due)
  return { state: payment.status, ...reason, dueAt: dueAtUs === undefined ? null : isoInstant(dueAtUs) }
}

function underWay(world: World, payment: Payment, due: Due | undefined, baseUrl: string): Reason | undefined {
  if (!due) return undefined
  const { dueAtUs } = due
  const at = zonedText(dueAtUs, world.core.scenario.zone)
  const time = moveTime(world, dueAtUs)
  if (due.event === 'expire') {
    const url = kindOf(world.core, payment).page?.url(world.core, payment, baseUrl)
    const pays = payment.plan.end === 'EXPIRED' ? 'Nobody is to pay' : 'It waits for somebody to pay on its page'
    return { waitsFor: 'payer', dueAtUs, why: `${pays}. Unpaid, it expires at ${at}.`, next: [`Pay at ${url}`, time] }
  }
  const coming: Readonly<Record<string, string>> = {
    settle: `becomes ${payment.plan.end === 'EXPIRED' ? 'SUCCEEDED' : payment.plan.end}`,
    autopay: 'is paid by itself',
    autoprompt: 'sends its prompt to the phone of the payer',
    prompt: 'is confirmed on the phone of the payer',
    unanswered: 'fails, if nobody answers the prompt on the phone',
  }
  const what = coming[due.event] ?? 'goes on'
  return { waitsFor: 'time', dueAtUs, why: `It waits for time: it ${what} at ${at}, as planned.`, next: [time] }
}

function stuck({ core }: World, payment: Payment): Reason {
  const { status, plan, seq, uuid } = payment
  const kind = kindOf(core, payment)
  const ends = legalEvents(kind, status).map(({ leadsTo }) => leadsTo)
  const next = [...new Set(ends)].map((end) =>
    hintOf(`End it as ${end}: {}`, 'payment.resolve', { id: uuid, status: end }),
  )
  if (core.store.floatQueue.has(seq)) return short(core, payment, next)
  if (plan.untilPoll !== undefined && endingEvent(kind, payment) !== undefined) {
    const reads = core.store.counters.current(`reads:${seq}`)
    const left = plan.untilPoll - reads
    return {
      waitsFor: 'reads',
      why: `It waits to be read: the rule "${plan.rule}" ends it with read number ${plan.untilPoll}, and ${reads} came so far.`,
      next: [`Read it ${left} more ${left === 1 ? 'time' : 'times'}, by its id, as your app does`, ...next],
    }
  }
  const why =
    status === 'REQUIRES_CUSTOMER_ACTION'
      ? `It waits for the payer to confirm, which the rule "${plan.rule}" says never happens.`
      : plan.afterUs === null
        ? `It stays ${status} for ever: the rule "${plan.rule}" says that it never ends by itself.`
        : `It stays ${status}: what the rule "${plan.rule}" planned could not be done. The log of mfano says why.`
  return { waitsFor: 'operator', why, next }
}

function short(core: Core, { plan, amountMinor, currency }: Payment, next: Hint[]): Reason {
  const name = must(plan.float)
  const float = core.scenario.rails.float.find((one) => one.name === name && one.currency === currency)
  const leftMinor = Math.max(0, float ? remaining(core, float) : 0)
  const topUp = { name, amount: toMajor(amountMinor - leftMinor) }
  return {
    waitsFor: 'float',
    why: `It waits for the float "${name}", which has ${moneyText(leftMinor, currency)} of ${moneyText(amountMinor, currency)}.`,
    next: [hintOf('Top it up: {}', 'float.fund', topUp), ...next],
  }
}

function ended(world: World, payment: Payment, due: Due | undefined): Reason {
  const told = callbackStatus(world, payment)
  const reason = reasonOfEnd(world.core, payment)
  const byHand = payment.history.at(-1)?.by === 'operator' ? 'Forced by hand. ' : ''
  const because = reason ? `${capital(reasonText(reason))}. ` : byHand
  if (!due) return { ...told, why: `${because}${payment.status} is final. ${told.why}` }
  const at = zonedText(due.dueAtUs, world.core.scenario.zone)
  const why = `${because}${payment.status} is not its last state: by the plan it becomes ${payment.plan.revise?.end} at ${at}. ${told.why}`
  if (told.waitsFor !== 'nothing') return { ...told, why }
  return { waitsFor: 'time', dueAtUs: due.dueAtUs, why, next: [moveTime(world, due.dueAtUs)] }
}

export function callbackUnderWay(world: World, callback: Callback): Reason {
  const { id, state, attempts, url } = callback
  const { scenario, store } = world.core
  const due = store.agenda.of(LANE.deliveries, id)[0]
  const most = scenario.callbacks.attempts
  const held = state === 'held' ? ', or when the next callback to that address has gone' : ''
  const last = attempts === 0 ? undefined : store.callbacks.attemptsOf(id).at(-1)
  const so = last ? ` Attempt ${attempts} of ${most} failed: ${failureText(last)}.` : ''
  if (store.meta.callbacksPaused) return paused(callback)
  if (!due || due.dueAtUs <= world.core.clock.now())
    return { waitsFor: 'receiver', why: `Callback ${id} is on its way to ${url}.${so}`, next: [] }
  const at = zonedText(due.dueAtUs, scenario.zone)
  return {
    waitsFor: last ? 'receiver' : 'time',
    dueAtUs: due.dueAtUs,
    why: `Its merchant is not notified yet: callback ${id} to ${url} is sent at ${at}${held}.${so}`,
    next: [...mend(last), moveTime(world, due.dueAtUs)],
  }
}

function callbackStatus(world: World, payment: Payment): Reason {
  const callbacks = world.core.store.callbacks.ofPayment(payment.seq)
  const find = (state: Callback['state']) => callbacks.findLast((callback) => callback.state === state)
  const failed = find('failed')
  if (failed) return givenUp(world, failed)
  const waiting = find('pending') ?? find('held')
  if (waiting) return callbackUnderWay(world, waiting)
  const dropped = find('dropped')
  if (dropped) {
    const by = dropped.fault?.by
    return {
      waitsFor: 'nothing',
      why: `Its merchant was not notified: "${by}" keeps callback ${dropped.id} back.`,
      next: [],
    }
  }
  const last = callbacks.at(-1)
  if (!last) return untold(world, payment)
  const at = zonedText(last.settledAtUs ?? last.createdAtUs, world.core.scenario.zone)
  return { waitsFor: 'nothing', why: `Its merchant was notified: callback ${last.id} was received at ${at}.`, next: [] }
}

function givenUp({ core }: World, { id, url, attempts }: Callback): Reason {
  const last = core.store.callbacks.attemptsOf(id).at(-1)
  return {
    waitsFor: 'receiver',
    why: `Its merchant was not notified: callback ${id} to ${maskPath(url)} was given up after ${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}. The last one: ${failureText(last)}.`,
    next: [...mend(last), hintOf('Then send it again: {}', 'callback.redeliver', { id })],
  }
}

function paused({ id, url }: Callback): Reason {
  return {
    waitsFor: 'operator',
    why: `Callback ${id} to ${maskPath(url)} is paused, because this world came from a file. Its address may be somebody else's.`,
    next: [hintOf('Send all that is due: {}', 'callback.resume')],
  }
}

function mend(attempt: Attempt | undefined): string[] {
  return attempt?.diagnosis ? [attempt.diagnosis.todo] : []
}

function untold({ core }: World, payment: Payment): Reason {
  const { organisationId } = payment
  const nothing = { waitsFor: 'nothing' as const, next: [] }
  const kind = kindOf(core, payment)
  if (!kind.callback) return { ...nothing, why: `The service sends no callback about ${pluralOf([kind])}.` }
  const { to, unless } = kind.callback
  if (to === 'request') return { ...nothing, why: 'Nobody was notified: the request named no callbackUrl.' }
  if (isUnsent(kind.callback, core.scenario.assumptions))
    return { ...nothing, why: `Nobody was notified: ${unless?.assumption} is assumed to be ${unless?.is}.` }
  const { uuid } = core.store.organisations.byId(organisationId)
  return {
    ...nothing,
    why: 'Nobody was notified: its organisation had no collectionCallbackUrl.',
    next: [hintOf('Set one for the next: {}', 'organisation.change', { uuid, collectionCallbackUrl: 'http://…' })],
  }
}

const stoppedShape = shape('Stopped', () =>
  z.object({
    waitsFor: z.enum(waitingFor).describe('`operator`: until somebody acts. `receiver`: nobody takes its callback.'),
    why: z.string(),
    next: z.array(z.string()).describe('Steps that move it on: a sentence each, with the request that does it.'),
    hints: hintsShape(),
    state: z.string(),
    dueAt: z.string().nullable(),
  }),
)

export const storyShape = shape('Story', () => z.object({ story: z.array(storyStepShape()), stopped: stoppedShape() }))

export const explainedShape = shape('Explained', () =>
  z.object({ payment: paymentSummary.schema(), timezone: shownZoneShape(), ...storyShape().shape }),
)
export type Explained = ReturnType<typeof explainPayment>

export type ShowHint = (hint: Hint) => ShownHint

/**
 * Sentences with their data, in order of simulated time: request, rule, rails, plan, transitions, transfers, answer,
 * callbacks. Then why it stopped, and what to do. `baseUrl`: the world's.
 */
export function explainPayment(world: World, payment: Payment, baseUrl: string, show: ShowHint) {
  const timezone = presentZone(world.core.scenario.zone)
  return { payment: paymentSummary(payment, world.core), timezone, ...explanation(world, payment, baseUrl, show) }
}

export function explanation(world: World, payment: Payment, baseUrl: string, show: ShowHint) {
  const { next, ...stop } = stopped(world, payment, baseUrl)
  const shown = next.map((one) => (typeof one === 'string' ? { text: one } : show(one)))
  return {
    story: paymentStory(world, payment),
    stopped: { ...stop, next: shown.map(({ text }) => text), hints: shown.filter((one) => 'operation' in one) },
  }
}

export function paymentStory(world: World, ...payments: readonly Payment[]) {
  const { core } = world
  const steps = payments.flatMap((payment) => [
    ...creationSteps(world, payment),
    ...transitionSteps(payment),
    ...transferSteps(core, payment),
    ...callbackSteps(core, core.store.callbacks.ofPayment(payment.seq)),
    ...answerSteps(core.store.journal.ofPayment(payment.seq)),
  ])
  // At one instant, the cause comes first.
  return steps.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
}

export function explanationText(explained: Explained, show?: (hint: ShownHint) => string): string {
  const { payment, timezone, story, stopped } = explained
  const { kind, uuid, status, amount, currency } = payment
  const lines = storyLines(story, toldZone(timezone))
  const next = stopped.next
    .map((line) => (show ? withHints(line, stopped.hints, show) : line))
    // A command in it is typed as it stands.
    .map((line) => `  ${oneLine(line)}`)
  return [
    `${kind} ${uuid}, ${moneyText(Math.round(amount * 100), currency)}: ${status}`,
    '',
    ...lines,
    '',
    `Stopped: ${people(stopped.why)}`,
    ...(next.length > 0 ? ['Next:', ...next] : []),
    '',
  ].join('\n')
}

export function storyLines(story: Explained['story'], zone: Zone): string[] {
  const moments = story.map(({ at }) => plainTime(must(parseInstant(at)), zone))
  const times = Math.max(...moments.map(({ length }) => length))
  const stations = Math.max(...story.map(({ station }) => station.length))
  return story.flatMap(({ station, text, passed = [] }, i) => {
    const time = moments[i] === moments[i - 1] ? '' : moments[i]
    const begin = `${(time ?? '').padEnd(times)}  ${station.padEnd(stations)}  `
    const more = folded(passed)
    return [begin + people(text), ...more.map((line) => ' '.repeat(begin.length) + people(line))]
  })
}

function people(text: string): string {
  return withPlainTimes(withShortDurations(oneLine(text)))
}

function folded(passed: readonly { name: string; why: string }[]): string[] {
  // A line that says "one more" would save nothing.
  const told = passed.length > RULES_TOLD + 1 ? RULES_TOLD : passed.length
  const lines = passed.slice(0, told).map(({ name, why }) => `- not "${name}": ${why}`)
  return told === passed.length ? lines : [...lines, `- nor ${passed.length - told} more, which the JSON form lists`]
}

const RULES_TOLD = 5
