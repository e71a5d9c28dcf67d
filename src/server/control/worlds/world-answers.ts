/** Answer schemas of worlds. */
import * as z from 'zod'
import { shape } from '../shape.ts'
import { clockRateShape, worldClockShape } from '../shared-answers.ts'

export const credentialsShape = shape('Credentials', () =>
  z.object({ apiKey: z.string(), apiSecret: z.string(), companyId: z.string() }),
)

export const worldSummaryShape = shape('WorldSummary', () =>
  z.object({
    id: z.string(),
    baseUrl: z.string(),
    scenario: z.string(),
    seed: z.number(),
    clock: worldClockShape(),
    beganAt: z.string().describe('When it began, in simulated time.'),
    payments: z.number(),
    callbacksPaused: z.boolean().describe('It came from a file, and sends no callback before you resume them.'),
  }),
)

export const madeWorldShape = shape('MadeWorld', () =>
  worldSummaryShape().extend({
    credentials: credentialsShape(),
  }),
)

export const snapshotShape = shape('Snapshot', () =>
  z.object({
    name: z.string(),
    world: z.string(),
    note: z.string().nullable(),
    now: z.string(),
    clock: clockRateShape(),
    scenario: z.string(),
    seed: z.number(),
    bytes: z.number(),
    version: z.string(),
    schemaVersion: z.number(),
  }),
)

export const savedSnapshotShape = shape('SavedSnapshot', () =>
  z.object({
    name: z.string(),
    world: z.string(),
    note: z.string().nullable().optional(),
    now: z.string().optional(),
    clock: clockRateShape().optional(),
    scenario: z.string().optional(),
    seed: z.number().optional(),
    bytes: z.number().optional(),
    version: z.string().optional(),
    schemaVersion: z.number().optional(),
    problem: z.string().optional(),
  }),
)
