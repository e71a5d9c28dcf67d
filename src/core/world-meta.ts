/** What a world says of itself in its database: how it began, its scenario, its clock. Read back, it is checked. */
import * as z from 'zod'
import type { ClockState } from './clock/clock.ts'
import type { ClockMode, InstantUs } from './model/time.ts'
import type { StoredScenario } from './scenario.ts'
import type { Meta } from './store/meta-table.ts'

/** How a world began; a reset goes back to it. */
export interface Origin {
  seed: number
  /** What its ids are drawn from, where that is not the seed. */
  idSeed?: number
  clock: { mode: ClockMode; rate: number; startUs: InstantUs | null }
  /**
   * The ids of the worlds that it was copied of, the first of them first: it signs its callbacks as that one does, and
   * the addresses of their inboxes are its own.
   */
  formerIds?: readonly string[]
  /** What comes from outside is noted, so that it can be repeated. */
  recorded?: true
}

/** What a recording begins with. */
export interface WorldRecording {
  /** World time at the beginning. */
  beganUs: InstantUs
  /** The scenario then, as it can be loaded where its files are not. */
  scenario: StoredScenario
  /** The world then, as base64 of its database, where it did not begin with the recording. */
  image?: string
}

/** How time goes. */
export const pace = { mode: z.enum(['realtime', 'scaled', 'frozen']), rate: z.number().gt(0).max(1_000_000) }

const scenarioSchema: z.ZodType<StoredScenario> = z.looseObject({
  name: z.string(),
  source: z.string(),
  file: z.string().exactOptional(),
  parameters: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).exactOptional(),
})
const originSchema: z.ZodType<Origin> = z
  .looseObject({
    seed: z.int().min(0).max(0xffff_ffff),
    idSeed: z.int().min(0).max(0xffff_ffff).exactOptional(),
    clock: z.looseObject({ ...pace, startUs: z.number().nullable() }),
    formerIds: z.array(z.string()).exactOptional(),
    recorded: z.literal(true).exactOptional(),
    /** The first of them, all that an older mfano noted. */
    firstId: z.string().exactOptional(),
  })
  .transform(({ firstId, ...origin }) => ({ ...(firstId !== undefined && { formerIds: [firstId] }), ...origin }))
const recordingSchema: z.ZodType<WorldRecording> = z.looseObject({
  beganUs: z.number(),
  scenario: scenarioSchema,
  image: z.string().exactOptional(),
})
const clockSchema: z.ZodType<ClockState> = z.looseObject({ ...pace, worldUs: z.number(), wallUs: z.number() })

/** How a world began; undefined when it never did. Throws when what is stored is nothing that a world could begin with. */
export function readOrigin(meta: Meta): Origin | undefined {
  return read(meta, 'origin', originSchema)
}

/** The scenario that is in force; undefined when there never was one. Throws like `readOrigin`. */
export function readStoredScenario(meta: Meta): StoredScenario | undefined {
  return read(meta, 'scenario', scenarioSchema)
}

/** The clock. Throws like `readOrigin`. */
export function readClock(meta: Meta): ClockState | undefined {
  return read(meta, 'clock', clockSchema)
}

/** What the world's recording begins with; undefined where it is not recorded. Throws like `readOrigin`. */
export function readRecording(meta: Meta): WorldRecording | undefined {
  return read(meta, 'recording', recordingSchema)
}

function read<T>(meta: Meta, key: string, schema: z.ZodType<T>): T | undefined {
  const stored = meta.get<unknown>(key)
  if (stored === undefined) return undefined
  const { data, error } = schema.safeParse(stored)
  if (!error) return data
  const [issue] = error.issues
  throw new Error(
    `its ${[key, ...(issue?.path ?? [])].map(String).join('.')} is not that of a world: ${issue?.message}`,
  )
}
