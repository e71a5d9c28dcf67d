/** Answer schemas that several groups of operations share. */

import * as z from 'zod'
import type { JsonObject } from '../../core/model/payment.ts'
import { shape } from './shape.ts'
import { anyJson } from './time-fields.ts'

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
