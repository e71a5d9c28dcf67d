/** Fields and answers that several operations of the control plane share. */
import * as z from 'zod'
import { must } from '../../core/model/must.ts'
import type { Json, JsonObject } from '../../core/model/payment.ts'
import { parseDuration, parseInstant, parseWorldInstant, WORLD_INSTANT } from '../../core/model/time.ts'

// Fields by which lists are asked for.

const whole = z.coerce.number().int('must be a whole number')

export const listLimit = whole
  .min(1, 'must be at least 1')
  .max(1000, 'must be at most 1000')
  .default(100)
  .describe('At most so many.')

export const pageBefore = whole.optional().describe('`next` of the page before.')

/** `description`: what is searched. */
export const searched = (description: string) => z.string().min(1).max(200).optional().describe(description)

// Field schemas that several routes share.

/**
 * Any JSON value. It was parsed from JSON, so it is not checked. `z.json()` is recursive, and tools that generate types
 * from a contract cannot read that.
 */
export const anyJson: z.ZodType<Json> = z.any()

export const instant = z
  .string()
  // In a query that was not encoded, the plus sign of an offset arrives as a space.
  .transform((text) => text.replace(/ (?=\d\d:\d\d$)/, '+'))
  .refine((text) => parseInstant(text) !== undefined, 'must be an ISO 8601 date and time such as 2025-01-24T16:28:00')
  .transform((text) => must(parseInstant(text)))

/** An instant in the scenario's zone unless it has its own. */
export const startingInstant = z
  .string()
  .refine((text) => parseWorldInstant(text) !== undefined, `must be ${WORLD_INSTANT}`)

export const durationField = z
  .string()
  .refine((text) => parseDuration(text) !== undefined, 'must be a duration such as 90s, 5m, 1h30m or 2d')
  .transform((text) => must(parseDuration(text)))

// Schemas that the contract lists by name.

/** `id` is the name in the contract. The schema is built on first use, to keep the start fast. */
export function shape<S extends z.ZodType>(id: string, make: () => S): () => S {
  let made: S | undefined
  return () => {
    made ??= make().meta({ id })
    return made
  }
}

// Answer schemas that several groups of operations share.

export const shownZoneShape = shape('ShownZone', () =>
  z
    .object({ name: z.string(), offsetMinutes: z.number() })
    .describe('That of the scenario: days, times of day and what is written without a zone are read in it.'),
)

export const worldClockShape = shape('WorldClock', () =>
  z.object({ mode: z.enum(['frozen', 'realtime', 'scaled']), rate: z.number(), now: z.string() }),
)

export const clockRateShape = shape('ClockRate', () =>
  z.object({ mode: z.enum(['frozen', 'realtime', 'scaled']), rate: z.number() }),
)

export const jsonObjectShape = shape('JsonObject', (): z.ZodType<JsonObject> => z.record(z.string(), anyJson))

export const missedShape = shape('Missed', () =>
  z.object({
    part: z.string(),
    found: z
      .record(z.string(), z.unknown())
      .describe('`{"payment.status": "PENDING"}`; a value that is not there is missing here too.'),
  }),
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
    .describe('What to do, for programs.'),
)

export const diagnosisShape = shape('Diagnosis', () =>
  z.object({
    code: z.string().describe('Stays the same when the words change: `container-loopback`, `login-page`.'),
    what: z.string().describe('What happened, in half a sentence.'),
    why: z.string().describe('The cause, or the likeliest one.'),
    todo: z.string().describe('What to do about it.'),
  }),
)

export const problemShape = shape('Problem', () =>
  z.object({
    message: z.string(),
    file: z.string(),
    line: z.number().describe('From 1.'),
    column: z.number().describe('From 1.'),
    path: z.string().describe('Where in the scenario: `rules[2].then.end`; empty for the file as a whole.'),
  }),
)
