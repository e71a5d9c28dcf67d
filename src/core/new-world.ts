import * as z from 'zod'
import type { GivenParameters } from './model/assumption.ts'
import { didYouMean, hintOf } from './model/problems.ts'
import { Refusal } from './model/refusal.ts'
import type { Forwarding } from './model/remote.ts'
import { type ClockMode, clockModes, type InstantUs } from './model/time.ts'
import type { StoredScenario } from './scenario.ts'
import type { Meta } from './store/counter-table.ts'

export type Start = InstantUs | string

export interface WorldRequest {
  id?: string | undefined
  scenario?: string | undefined
  parameters?: GivenParameters | undefined
  seed?: number | undefined
  assumptions?: 'drawn' | undefined
  /** Records what comes from outside, so that it can be replayed. */
  record?: boolean | undefined
  clock?: { mode?: ClockMode | undefined; rate?: number | undefined; startUs?: Start | undefined } | undefined
}

/** Each is as in the original where it is left out. */
export interface WorldChange extends Pick<WorldRequest, 'scenario' | 'parameters' | 'record'> {
  clock?: { mode?: ClockMode | undefined; rate?: number | undefined } | undefined
}

export interface ForkRequest extends WorldChange {
  id?: string | undefined
  from: string
}

export const DEFAULT_WORLD = 'default'

const NAME = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
/** Windows reserves these names for devices. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)$/

export const NAME_RULES = { pattern: NAME.source, minLength: 1, maxLength: 63 } as const

/** Checked because a name becomes part of a URL and of a file's name. */
export function isWorldName(text: string): boolean {
  return NAME.test(text) && !DEVICE.test(text)
}

export function requireName(field: string, text: string): void {
  if (isWorldName(text)) return
  const what = DEVICE.test(text)
    ? 'must not be the name of a device on Windows'
    : 'must be 1 to 63 lower-case letters, digits and inner hyphens'
  throw new Refusal('INVALID_FIELD', `${field}: ${what}, got "${text.slice(0, 80)}"`, { message: `Invalid ${field}` })
}

export function freeName(prefix: string, after: number, taken: (name: string) => boolean): { name: string; n: number } {
  let n = after + 1
  while (taken(`${prefix}${n}`)) n++
  return { name: `${prefix}${n}`, n }
}

export function noSuchWorld(id: string, known: readonly string[]): Refusal {
  return new Refusal('WORLD_NOT_FOUND', `There is no world "${id.slice(0, 80)}".${didYouMean(id, known)}`, {
    hints: [hintOf('Make it: {}', 'world.create', { id: id.slice(0, 80) })],
  })
}

export type ForkSource = { world: string; snapshot?: string }

/** A world's id wins over a snapshot's name; write `world/name` for the snapshot. */
export function findSource(
  from: string,
  worlds: { has(id: string): boolean; ids(): readonly string[] },
  snapshots: { names(): readonly { world: string; name: string }[] },
): ForkSource {
  const slash = from.indexOf('/')
  if (slash !== -1) return { world: from.slice(0, slash), snapshot: from.slice(slash + 1) }
  if (worlds.has(from)) return { world: from }
  const all = snapshots.names()
  const [found, ...others] = all.filter(({ name }) => name === from)
  if (found && others.length === 0) return { world: found.world, snapshot: from }
  if (found) {
    const choice = [found, ...others].map(({ world }) => `"${world}/${from}"`).join(' or ')
    throw new Refusal('AMBIGUOUS_NAME', `from: several worlds have a snapshot "${from}"; write ${choice}`)
  }
  const known = [...worlds.ids(), ...all.flatMap(({ world, name }) => [name, `${world}/${name}`])]
  throw new Refusal(
    'SOURCE_NOT_FOUND',
    `from: there is neither a world nor a snapshot "${from.slice(0, 80)}".${didYouMean(from, known)}`,
    { hints: [hintOf('{} and', 'world.list'), hintOf('{} list what there is.', 'snapshot.list')] },
  )
}

// Values that a world keeps of itself, checked wherever they are read.

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
  // Read when a world is opened: code for it would take longer to make than it saves.
  const { data, error } = byKey[key].safeParse(value, { jitless: true })
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
