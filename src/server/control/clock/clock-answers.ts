/** Answer schemas of the clock. */
import * as z from 'zod'
import {
  callbackEventShape,
  clockEventShape,
  domainEventShape,
  eventCountsShape,
  inboxEventShape,
  paymentEventShape,
  requestEventShape,
  scenarioEventShape,
  walletEventShape,
} from '../events/event-answers.ts'
import { shape } from '../shape.ts'
import { missedShape, shownZoneShape } from '../shared-answers.ts'

export const clockStateShape = shape('ClockState', () =>
  z.object({
    mode: z.enum(['frozen', 'realtime', 'scaled']),
    rate: z.number().describe('World seconds per real second; 0 while frozen.'),
    now: z.string(),
    nextDue: z.string().nullable().describe('When something happens next by itself; null: never.'),
    timezone: shownZoneShape().describe(
      'That of the scenario: days, times of day and what is written without a zone are read in it.',
    ),
  }),
)

export const pendingShape = shape('Pending', () =>
  z.object({
    at: z.string(),
    type: z.string(),
    payment: z.string().nullable(),
    callback: z.number().nullable(),
    why: z.string(),
  }),
)

const deliveryCountsShape = shape('DeliveryCounts', () => z.object({ delivered: z.number(), failed: z.number() }))

const nearness = () => ({ held: z.array(z.string()), missed: z.array(missedShape()), why: z.string() })

export const advancedShape = shape('Advanced', () =>
  z.object({
    now: z.string(),
    timezone: shownZoneShape().describe("The scenario's, in which people are told times."),
    steps: z.number().describe('Due events that were gone through.'),
    callbacks: deliveryCountsShape().describe('Attempts to deliver callbacks.'),
    ended: z.string().describe('Why it went no further, such as `nothing is due` or `the breakpoint holds`.'),
    absent: z
      .array(z.object({ id: z.string(), name: z.string(), why: z.string(), since: z.string() }))
      .optional()
      .describe('Participants that time did not wait for; left out where it waited for all.'),
    matched: domainEventShape().nullable().optional(),
    nearest: z
      .union([
        paymentEventShape().extend(nearness()),
        callbackEventShape().extend(nearness()),
        requestEventShape().extend(nearness()),
        inboxEventShape().extend(nearness()),
        clockEventShape().extend(nearness()),
        scenarioEventShape().extend(nearness()),
        walletEventShape().extend(nearness()),
      ])
      .nullable()
      .optional(),
    happened: z.array(domainEventShape()).optional(),
    counts: eventCountsShape().optional(),
    truncated: z.boolean().optional(),
  }),
)

export const settledShape = shape('Settled', () =>
  advancedShape().extend({
    from: z.string(),
    pending: z.array(pendingShape()).describe('What is due still, and why it waits.'),
    pendingTotal: z.number(),
    neverEnding: z
      .array(z.object({ payment: z.string(), status: z.string(), why: z.string() }))
      .describe('Payments that no passing of time ends.'),
  }),
)

export const participantShape = shape('Participant', () =>
  z.object({
    id: z.string(),
    name: z.string(),
    state: z
      .enum(['joining', 'working', 'resting', 'overdue'])
      .describe('Time waits for one that is working; `overdue`: no longer, until it rests.'),
    lease: z.string().describe('Real time that it may work at an instant.'),
    nextDue: z.string().nullable().describe('When its next timer is due; null: it has none, or has not said.'),
    requests: z.number().describe('Requests of its own that it waited for when it came to rest.'),
    now: z.string().describe('The instant that it was granted last.'),
  }),
)

export const participantIdShape = shape('ParticipantId', () => z.object({ id: z.string() }))

export const grantShape = shape('Grant', () =>
  z.object({
    grant: z.number(),
    now: z.string(),
    rate: z.number().describe('World seconds per real second; at 0 time stands until the next grant.'),
    before: z
      .string()
      .nullable()
      .describe(
        'It may go on by itself to its timers before this instant, as long as it asks nobody for anything; null: to none.',
      ),
  }),
)

export const looksShape = shape('Looks', () =>
  z.object({
    participants: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        idle: z
          .boolean()
          .describe(
            'Nothing in it can go on before somebody answers it, or asks it for something; false also where it does not say in time.',
          ),
        requests: z.number(),
      }),
    ),
  }),
)
