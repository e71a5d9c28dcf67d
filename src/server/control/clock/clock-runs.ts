/** Advances and settles the clock: the target, the limits, and the answer. */

import * as z from 'zod'
import { openStates } from '../../../core/lifecycle.ts'
import { offsetText, presentZone, type Zone, zonedText } from '../../../core/model/calendar.ts'
import type { ClockRun, ClockRunResult } from '../../../core/model/clock-run.ts'
import type { DomainEvent } from '../../../core/model/domain-event.ts'
import { type Due, LANE } from '../../../core/model/due.ts'
import { must } from '../../../core/model/must.ts'
import type { Absence } from '../../../core/model/participant.ts'
import { Refusal } from '../../../core/model/refusal.ts'
import { formatInstant, type InstantUs, isoInstant, LAST_INSTANT_US } from '../../../core/model/time.ts'
import type { World } from '../../../core/world.ts'
import { callbackUnderWay, stopped } from '../../../inspect/explain-payment.ts'
import { nearestTo, sayMissed } from '../../../inspect/near-miss.ts'
import { EvaluationContext, readPredicate } from '../../../inspect/predicate.ts'
import { presentDomainEvent } from '../../../inspect/present.ts'
import type { AnswerOf } from '../declared-operation.ts'
import { durationField, instant } from '../time-fields.ts'
import type { advancedShape, pendingShape, settledShape } from './clock-answers.ts'

const LISTED = 1_000
const PENDING_LISTED = 100
const STUCK_AMONG = 10_000
const LONGEST_US = 600_000_000

/** `steps` is the default limit of due events; `timeoutUs` is in real microseconds. */
const bounds = (steps: number, timeoutUs: number) => ({
  until: z.string().optional().describe('CEL over what happens: time stops where it holds.'),
  steps: z
    .int('must be a whole number')
    .min(1, 'must be at least 1')
    .max(10_000_000, 'must be at most 10000000')
    .default(steps)
    .describe('At most so many due events.'),
  timeout: durationField
    .refine((us) => us <= LONGEST_US, 'must be at most 10m')
    .default(timeoutUs)
    .describe('At most so much real time.'),
})

export const advanceBody = z
  .strictObject({
    by: durationField.optional().describe('So far ahead, such as 5m.'),
    to: instant.optional().describe('Up to this instant of simulated time.'),
    ...bounds(10_000_000, LONGEST_US),
    list: z.boolean().default(false).describe('Tells what happened.'),
  })
  .refine(
    (given) => (given.by === undefined) !== (given.to === undefined),
    'must have either by, such as {"by":"5m"}, or to, such as {"to":"2025-01-24T18:00:00"}',
  )

export const settleBody = z.strictObject({
  within: durationField.default(7 * 86_400_000_000).describe('Simulated time.'),
  ...bounds(1_000_000, 60_000_000),
  list: z.boolean().default(true).describe('Tells what happened, event by event.'),
})

export function toInstant(world: World, { by, to, ...rest }: z.output<typeof advanceBody>): ClockRun {
  const arrivedUs = world.core.clock.now()
  const { zone } = world.core.scenario
  if (to !== undefined && to < arrivedUs)
    throw wrongTarget(
      'to',
      `must not be before the world's now, ${formatInstant(arrivedUs + zone.offsetUs)}${offsetText(zone)}; time does not go back`,
    )
  return {
    // `by` counts from its turn: two at once move time by both.
    to: (nowUs) => reachable(zone, by === undefined ? 'to' : 'by', to ?? nowUs + (by ?? 0)),
    ...boundsOf(world, rest),
  }
}

export function untilSettled(world: World, { within, ...rest }: z.output<typeof settleBody>): ClockRun {
  const { zone } = world.core.scenario
  return { to: (nowUs) => reachable(zone, 'within', nowUs + within), untilIdle: true, ...boundsOf(world, rest) }
}

function boundsOf(
  world: World,
  { until, steps, timeout, list }: { until?: string | undefined; steps: number; timeout: number; list: boolean },
) {
  const { core } = world
  const predicate = until === undefined ? undefined : readPredicate(until, 'breakpoint', 'until', core.service)
  // One that asks of no event can be answered before there is one.
  const standing = predicate && [...predicate.names].every((name) => name === 'now' || name === 'pending')
  return {
    until: predicate && ((domainEvent: DomainEvent) => predicate.holds(EvaluationContext.of(core, domainEvent))),
    already: standing ? () => predicate.holds(new EvaluationContext(core, {})) : undefined,
    most: steps,
    timeoutMs: timeout / 1000,
    keep: list || until !== undefined ? LISTED : 0,
  }
}

function reachable(zone: Zone, field: string, targetUs: InstantUs): InstantUs {
  if (targetUs <= LAST_INSTANT_US) return targetUs
  throw wrongTarget(field, `must not lead beyond ${zonedText(LAST_INSTANT_US, zone)}`)
}

function wrongTarget(field: string, what: string): Refusal {
  return new Refusal('INVALID_FIELD', `${field}: ${what}`)
}

/** Part of the API, so the texts must not change. */
const endedText: Record<ClockRunResult['ended'], string> = {
  target_reached: 'the target is reached',
  nothing_pending: 'nothing is due',
  breakpoint_holds: 'the breakpoint holds',
  step_limit: 'limit of steps',
  timeout: 'the timeout passed',
}

export function presentAdvance(
  world: World,
  { until, list }: z.output<typeof advanceBody>,
  result: ClockRunResult,
): AnswerOf<typeof advancedShape> {
  const { nowUs, steps, callbacks, ended } = result
  return {
    now: isoInstant(nowUs),
    timezone: presentZone(world.core.scenario.zone),
    steps,
    callbacks,
    ended: endedText[ended],
    ...absences(result),
    ...breakpoint(world, until, result),
    ...(list && listed(world, result)),
  }
}

/** Participants that the clock did not wait for. Empty if it waited for all. */
function absences({ absent }: ClockRunResult): Pick<AnswerOf<typeof advancedShape>, 'absent'> {
  if (absent.length === 0) return {}
  return {
    absent: absent.map(({ sinceUs, why, ...one }) => ({ ...one, why: absenceText[why], since: isoInstant(sinceUs) })),
  }
}

const absenceText: Record<Absence['why'], string> = {
  never_rests: 'it had more to do at one instant than 1000 grants let it do',
  lease_expired: 'it did not come to rest within its lease',
  disconnected: 'its connection ended while it was at work',
}

export function presentSettle(
  world: World,
  { until, list }: z.output<typeof settleBody>,
  result: ClockRunResult,
  baseUrl: string,
): AnswerOf<typeof settledShape> {
  const { fromUs, nowUs, steps, callbacks, ended } = result
  const { agenda } = world.core.store
  return {
    from: isoInstant(fromUs),
    now: isoInstant(nowUs),
    timezone: presentZone(world.core.scenario.zone),
    steps,
    callbacks,
    ended: ended === 'target_reached' ? 'the budget is spent' : endedText[ended],
    ...absences(result),
    ...breakpoint(world, until, result),
    ...(list && listed(world, result)),
    pending: pending(world, baseUrl),
    pendingTotal: agenda.count(LANE.steps) + agenda.count(LANE.deliveries),
    neverEnding: neverEnding(world, baseUrl),
  }
}

/** The event that matched the breakpoint, or the nearest one. Empty without a breakpoint. */
function breakpoint(
  { core }: World,
  until: string | undefined,
  { ended, broke, happened }: ClockRunResult,
): Pick<AnswerOf<typeof advancedShape>, 'matched' | 'nearest'> {
  if (until === undefined) return {}
  if (ended === 'breakpoint_holds') return { matched: broke ? presentDomainEvent(core, broke) : null }
  const predicate = readPredicate(until, 'breakpoint', 'until', core.service)
  const nearest = nearestTo(
    predicate,
    happened.map((domainEvent) => EvaluationContext.of(core, domainEvent)),
  )
  if (!nearest) return { matched: null, nearest: null }
  const { context, held, missed } = nearest
  const domainEvent = presentDomainEvent(core, must(context.seen.domainEvent))
  return { matched: null, nearest: { ...domainEvent, held, missed, why: sayMissed(missed) } }
}

/** In order of simulated time. `counts` includes events that are not listed. */
function listed({ core }: World, { happened, counts }: ClockRunResult) {
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0)
  return {
    happened: happened.map((domainEvent) => presentDomainEvent(core, domainEvent)),
    counts,
    truncated: total > happened.length,
  }
}

function pending(world: World, baseUrl: string) {
  const { agenda } = world.core.store
  const next = (lane: typeof LANE.steps | typeof LANE.deliveries) =>
    agenda.due(lane, Number.MAX_SAFE_INTEGER, PENDING_LISTED)
  return [
    ...next(LANE.steps).map((due) => ({ due, shown: pendingStep(world, due, baseUrl) })),
    ...next(LANE.deliveries).map((due) => ({ due, shown: pendingDelivery(world, due) })),
  ]
    .sort((a, b) => a.due.dueAtUs - b.due.dueAtUs)
    .slice(0, PENDING_LISTED)
    .map(({ shown }) => shown)
}

type Pending = AnswerOf<typeof pendingShape>

function pendingStep(world: World, { dueAtUs, subject }: Due, baseUrl: string): Pending {
  const payment = world.core.store.payments.bySeq(subject)
  if (!payment) return pendingNothing('payment', dueAtUs, null, subject)
  return {
    at: isoInstant(dueAtUs),
    type: 'payment',
    payment: payment.uuid,
    callback: null,
    why: stopped(world, payment, world.core.store.callbacks.ofPayment(subject), baseUrl).why,
  }
}

/** For a row of a damaged database, whose subject does not exist. */
function pendingNothing(
  type: 'payment' | 'callback',
  dueAtUs: InstantUs,
  callback: number | null,
  subject: number,
): Pending {
  const why = `the agenda names ${type} ${subject}, which is not stored: nothing will happen, and the row goes when it is due`
  return { at: isoInstant(dueAtUs), type, payment: null, callback, why }
}

function pendingDelivery(world: World, { dueAtUs, subject }: Due): Pending {
  const { callbacks, payments } = world.core.store
  const callback = callbacks.byId(subject)
  if (!callback) return pendingNothing('callback', dueAtUs, subject, subject)
  return {
    at: isoInstant(dueAtUs),
    type: 'callback',
    payment: callback.paymentSeq === null ? null : (payments.bySeq(callback.paymentSeq)?.uuid ?? null),
    callback: callback.id,
    why: callbackUnderWay(world, callback).why,
  }
}

function neverEnding(world: World, baseUrl: string) {
  const { payments, callbacks } = world.core.store
  return payments.stuck(openStates, STUCK_AMONG, PENDING_LISTED).map((payment) => ({
    payment: payment.uuid,
    status: payment.status,
    why: stopped(world, payment, callbacks.ofPayment(payment.seq), baseUrl).why,
  }))
}
