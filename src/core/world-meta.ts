import * as z from 'zod'
import type { Forwarding } from './model/remote.ts'
import { clockModes } from './model/time.ts'
import type { StoredScenario } from './scenario.ts'
import type { Meta } from './store/counter-table.ts'

export const pace = { mode: z.enum(clockModes), rate: z.number().gt(0).max(1_000_000) }

const scenario: z.ZodType<StoredScenario> = z.object({
  name: z.string(),
  source: z.string(),
  file: z.string().exactOptional(),
  parameters: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).exactOptional(),
})

const schemas = {
  origin: z.object({
    seed: z.int().min(0).max(0xffff_ffff),
    idSeed: z.int().min(0).max(0xffff_ffff).exactOptional(),
    clock: z.object({ ...pace, startUs: z.number().nullable() }),
    /**
     * Ids of the worlds that it was copied from, oldest first. It signs callbacks as the first does, and their inboxes'
     * addresses are its own.
     */
    formerIds: z.array(z.string()).exactOptional(),
    recorded: z.literal(true).exactOptional(),
  }),
  scenario,
  clock: z.object({ ...pace, worldUs: z.number(), wallUs: z.number() }),
  recording: z.object({
    beganUs: z.number(),
    scenario,
    /** Base64 of the world's database at the beginning, where the recording began later than the world. */
    image: z.string().exactOptional(),
  }),
  forwarders: z.array(
    z.object({ name: z.string(), forwardTo: z.string(), callbackUrl: z.string().optional(), leaseMs: z.number() }),
  ),
}

type Stored = { [Key in keyof typeof schemas]: z.infer<(typeof schemas)[Key]> }
const byKey: { [Key in keyof Stored]: z.ZodType<Stored[Key]> } = schemas
export type Origin = Stored['origin']
export type WorldRecording = Stored['recording']

/** Undefined when there is none: an origin where the world never began, a recording where it is not recorded. */
export function readMeta<Key extends keyof Stored>(meta: Meta, key: Key): Stored[Key] | undefined {
  const value = meta.get<unknown>(key)
  if (value === undefined) return undefined
  const { data, error } = byKey[key].safeParse(value)
  if (!error) return data
  const [issue] = error.issues
  throw new Error(
    `its ${[key, ...(issue?.path ?? [])].map(String).join('.')} is not that of a world: ${issue?.message}`,
  )
}

/**
 * Forwarders of callbacks when the world was closed, whose lease has not ended since.
 * @param nowUs real time
 */
export function readForwarders(meta: Meta, nowUs: number): Forwarding[] {
  const kept = readMeta(meta, 'forwarders') ?? []
  // Most worlds have none.
  if (kept.length === 0) return []
  const awayMs = (nowUs - (readMeta(meta, 'clock')?.wallUs ?? 0)) / 1000
  return kept.filter(({ leaseMs }) => awayMs < leaseMs)
}
