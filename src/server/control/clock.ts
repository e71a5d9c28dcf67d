import * as z from 'zod'
import { openStates } from '../../core/lifecycle.ts'
import { offsetText, presentZone, type Zone, zonedText } from '../../core/model/calendar.ts'
import { type ClockRun, type ClockRunResult, type Due, LANE } from '../../core/model/due.ts'
import type { DomainEvent } from '../../core/model/journal.ts'
import type { Absence } from '../../core/model/remote.ts'
import { clockModes, formatInstant, type InstantUs, isoInstant, LAST_INSTANT_US } from '../../core/model/time.ts'
import type { World } from '../../core/world.ts'
import { callbackUnderWay, stopped } from '../../inspect/explain-payment.ts'
import { EvaluationContext, readPredicate } from '../../inspect/predicate.ts'
import { shownZoneShape } from '../../inspect/present.ts'
import { instantOf, type Reader, shape, view } from '../../inspect/view.ts'
import { invalidField } from './control-context.ts'
import { controlOperation } from './declared-operation.ts'
import { domainEventShape, eventCountsShape, presentDomainEvent } from './events.ts'
import { durationField, instant, rateField, wholeNumber } from './fields.ts'

export const clockState = view('ClockState', (read: Reader<World>) => ({
  mode: read(z.enum(clockModes), ({ core }) => core.clock.mode),
  rate: read(z.number().describe('World seconds per real second; 0 while frozen.'), ({ core }) => core.clock.rate),
  now: read(z.string(), ({ core }) => isoInstant(core.clock.now())),
  nextDue: read(
    z.string().nullable().describe('When something happens next by itself; null: never.'),
    ({ timekeeper }) => {
      const nextUs = timekeeper.nextDueUs()
      return nextUs === undefined ? null : isoInstant(nextUs)
    },
  ),
  timezone: read(shownZoneShape(), ({ core }) => presentZone(core.scenario.zone)),
}))

const deliveryCountsShape = shape('DeliveryCounts', () => z.object({ delivered: z.number(), failed: z.number() }))

interface ToldRun {
  world: World
  baseUrl: string
  until?: string | undefined
  list: boolean
  /** How it ended where it came to its target. */
  reached: string
}

export const advanced = view('Advanced', (read: Reader<ClockRunResult, ToldRun>) => ({
  now: instantOf('nowUs'),
  timezone: read(shownZoneShape(), (_, { world }) => presentZone(world.core.scenario.zone)),
  steps: z.number().describe('Due events that were gone through.'),
  callbacks: deliveryCountsShape().describe('Attempts to deliver callbacks.'),
  ended: read(
    z.string().describe('Why it went no further, such as `nothing is due` or `the breakpoint holds`.'),
    ({ ended }, { reached }) => (ended === 'target_reached' ? reached : endedText[ended]),
  ),
  absent: read(
    z
      .array(z.object({ id: z.string(), name: z.string(), why: z.string(), since: z.string() }))
      .optional()
      .describe('Participants that time did not wait for.'),
    ({ absent }) =>
      absent.length === 0
        ? undefined
        : absent.map(({ sinceUs, why, ...one }) => ({ ...one, why: absenceText[why], since: isoInstant(sinceUs) })),
  ),
  matched: read(domainEventShape().nullable().optional(), ({ ended, broke }, { world, until }) => {
    if (until === undefined) return undefined
    return ended === 'breakpoint_holds' && broke ? presentDomainEvent(world.core, broke) : null
  }),
  happened: read(z.array(domainEventShape()).optional(), ({ happened }, { world, list }) =>
    list ? happened.map((domainEvent) => presentDomainEvent(world.core, domainEvent)) : undefined,
  ),
  counts: read(eventCountsShape().optional(), ({ counts }, { list }) => (list ? counts : undefined)),
  truncated: read(z.boolean().optional(), ({ counts, happened }, { list }) => {
    const total = Object.values(counts).reduce((sum, count) => sum + count, 0)
    return list ? total > happened.length : undefined
  }),
}))

export const settled = view('Settled', (read: Reader<ClockRunResult, ToldRun>) => ({
  ...advanced.fields((told: ToldRun) => told),
  from: instantOf('fromUs'),
  pending: read(
    z.array(pendingView.schema()).describe('All that is still due, and why it waits.'),
    (_, { world, baseUrl }) => pending(world, baseUrl),
  ),
  pendingTotal: read(z.number(), (_, { world: { core } }) => {
    const { agenda } = core.store
    return agenda.count(LANE.steps) + agenda.count(LANE.deliveries)
  }),
  neverEnding: read(
    z
      .array(z.object({ payment: z.string(), status: z.string(), why: z.string() }))
      .describe('Payments that no passing of time ends.'),
    (_, { world, baseUrl }) =>
      world.core.store.payments.stuck(openStates, STUCK_AMONG, PENDING_LISTED).map((payment) => ({
        payment: payment.uuid,
        status: payment.status,
        why: stopped(world, payment, baseUrl).why,
      })),
  ),
}))

interface Waiting {
  type: 'payment' | 'callback'
  due: Due
}

const pendingView = view('Pending', (read: Reader<Waiting, { world: World; baseUrl: string }>) => ({
  at: read(z.string(), ({ due }) => isoInstant(due.dueAtUs)),
  type: z.string(),
  payment: read(z.string().nullable(), (waiting, { world }) => subjectsOf(world, waiting).payment?.uuid ?? null),
  callback: read(z.number().nullable(), ({ type, due }) => (type === 'callback' ? due.subject : null)),
  why: read(z.string(), (waiting, { world, baseUrl }) => {
    const { type, due } = waiting
    const { payment, callback } = subjectsOf(world, waiting)
    if (type === 'payment' && payment) return stopped(world, payment, baseUrl).why
    if (callback) return callbackUnderWay(world, callback).why
    return `the agenda names ${type} ${due.subject}, which is not stored: nothing will happen, and the row goes when it is due`
  }),
}))

/** A row of a damaged database may name a subject that does not exist. */
function subjectsOf({ core }: World, { type, due }: Waiting) {
  const { callbacks, payments } = core.store
  if (type === 'payment') return { payment: payments.bySeq(due.subject) }
  const callback = callbacks.byId(due.subject)
  return { callback, payment: payments.bySeq(callback?.paymentSeq ?? 0) }
}

function pending(world: World, baseUrl: string) {
  const { agenda } = world.core.store
  const next = (type: Waiting['type'], lane: typeof LANE.steps | typeof LANE.deliveries) =>
    agenda.due(lane, Number.MAX_SAFE_INTEGER, PENDING_LISTED).map((due): Waiting => ({ type, due }))
  return [...next('payment', LANE.steps), ...next('callback', LANE.deliveries)]
    .sort((a, b) => a.due.dueAtUs - b.due.dueAtUs)
    .slice(0, PENDING_LISTED)
    .map((waiting) => pendingView(waiting, { world, baseUrl }))
}

const LISTED = 1_000
const PENDING_LISTED = 100
const STUCK_AMONG = 10_000
const LONGEST_US = 600_000_000

/** `steps` is the default limit of due events; `timeoutUs` is in real microseconds. */
const bounds = (steps: number, timeoutUs: number) => ({
  until: z.string().optional().describe('CEL over what happens: time stops where it holds.'),
  steps: wholeNumber(1, 10_000_000).default(steps).describe('At most so many due events.'),
  timeout: durationField
    .refine((us) => us <= LONGEST_US, 'must be at most 10m')
    .default(timeoutUs)
    .describe('At most so much real time.'),
})

const advanceBody = z
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

const settleBody = z.strictObject({
  within: durationField.default(7 * 86_400_000_000).describe('Simulated time.'),
  ...bounds(1_000_000, 60_000_000),
  list: z.boolean().default(true).describe('Tells what happened, event by event.'),
})

function toInstant(world: World, { by, to, ...rest }: z.output<typeof advanceBody>): ClockRun {
  const arrivedUs = world.core.clock.now()
  const { zone } = world.core.scenario
  if (to !== undefined && to < arrivedUs)
    throw invalidField(
      `to: must not be before the world's now, ${formatInstant(arrivedUs + zone.offsetUs)}${offsetText(zone)}; time does not go back`,
    )
  return {
    // `by` counts from its turn: two at once move time by both.
    to: (nowUs) => reachable(zone, by === undefined ? 'to' : 'by', to ?? nowUs + (by ?? 0)),
    ...boundsOf(world, rest),
  }
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
    keep: list ? LISTED : 0,
  }
}

function reachable(zone: Zone, field: string, targetUs: InstantUs): InstantUs {
  if (targetUs <= LAST_INSTANT_US) return targetUs
  throw invalidField(`${field}: must not lead beyond ${zonedText(LAST_INSTANT_US, zone)}`)
}

/** Part of the API, so the texts must not change. */
const endedText: Record<ClockRunResult['ended'], string> = {
  target_reached: 'the target is reached',
  nothing_pending: 'nothing is due',
  breakpoint_holds: 'the breakpoint holds',
  step_limit: 'limit of steps',
  timeout: 'the timeout passed',
}

const absenceText: Record<Absence['why'], string> = {
  never_rests: 'it had more to do at one instant than 1000 grants let it do',
  lease_expired: 'it did not come to rest within its lease',
  disconnected: 'its connection ended while it was at work',
}

const change = z.strictObject({
  mode: z
    .enum(clockModes)
    .optional()
    .describe('`frozen` moves only when told, `realtime` goes like a watch, `scaled` goes `rate` times as fast.'),
  rate: rateField,
})

export const clockOperations = [
  controlOperation('clock.show', 'GET /clock', {
    summary: 'Show simulated time and the mode of the clock',
    answer: clockState.schema,
    screen: { examples: ['', '--world shop --json'] },
    run: ({ world }) => clockState(world),
  }),
  controlOperation('clock.set', 'PATCH /clock', {
    summary: 'Change the mode of the clock',
    body: change,
    answer: clockState.schema,
    screen: { words: ['mode'], examples: ['frozen', 'scaled --rate 60'] },
    async run({ world, body }) {
      await world.perform({ command: 'set-clock', ...body })
      return clockState(world)
    },
  }),
  controlOperation('clock.advance', 'POST /clock/advance', {
    summary: 'Advance simulated time',
    description: 'By a duration such as 5m, through everything that is due on the way.',
    agent: { tool: 'advance_clock', openWorld: true },
    body: advanceBody,
    answer: advanced.schema,
    errors: ['INVALID_EXPRESSION', 'ILLEGAL_TRANSITION'],
    screen: {
      examples: ['90s', '2d --list', '2025-01-31T18:00:00', `1h --until 'payment.status == "FAILED"'`],
    },
    async run({ env: { baseUrl }, world, signal, body: asked }) {
      const result = await world.runClock({ ...toInstant(world, asked), left: signal })
      return advanced(result, { ...asked, world, baseUrl, reached: endedText.target_reached })
    },
  }),
  controlOperation('clock.settle', 'POST /clock/settle', {
    summary: 'Advance simulated time until nothing is due',
    description: 'It goes from event to event, callbacks included, and tells what happened.',
    agent: { tool: 'settle', openWorld: true },
    body: settleBody,
    answer: settled.schema,
    errors: ['INVALID_EXPRESSION'],
    screen: {
      parts: {
        pending: ['Still to come', ['at', 'type=what', 'callback:text', 'payment', 'why=why it waits']],
        neverEnding: ['Never ends by itself', ['payment', 'status', 'why']],
      },
      examples: ['', '--within 3d --json', `--until 'callback.attempts == 3'`],
    },
    async run({ env: { baseUrl }, world, signal, body: asked }) {
      const to = (nowUs: InstantUs) => reachable(world.core.scenario.zone, 'within', nowUs + asked.within)
      const result = await world.runClock({ to, untilIdle: true, ...boundsOf(world, asked), left: signal })
      return settled(result, { ...asked, world, baseUrl, reached: 'the budget is spent' })
    },
  }),
] as const
