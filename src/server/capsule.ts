import * as z from 'zod'
import { blankSecrets } from '../core/model/mask.ts'
import { errorOf, must, recordFor } from '../core/model/must.ts'
import { Refusal } from '../core/model/refusal.ts'
import { sha256 } from '../core/model/text.ts'
import { isoInstant } from '../core/model/time.ts'
import { type Origin, readMeta, type WorldRecording } from '../core/new-world.ts'
import type { RecordedEntry } from '../core/recording.ts'
import { COMPARED, type ComparedTable, rowsOf, SCHEMA_VERSION } from '../core/schema.ts'
import type { World } from '../core/world.ts'
import { sealedFile } from '../core/world-image.ts'

const identitySchema = z.object({
  /** The id of the world, because its tokens and signatures depend on it. */
  world: z.string(),
  now: z.string(),
  inputs: z.number(),
  version: z.string(),
  schemaVersion: z.number().optional(),
  why: z.string().nullable(),
})
export type CapsuleIdentity = z.infer<typeof identitySchema>

export class BadCapsule extends Error {}

/** Its content is gzipped JSON. */
const capsuleFile = sealedFile('capsule', identitySchema, (what) => new BadCapsule(what))

/** With its number in the recording; numbers rise, with gaps. */
export type NumberedEntry = RecordedEntry & { n: number }

export interface Capsule {
  identity: CapsuleIdentity
  origin: Origin
  recording: WorldRecording
  entries: NumberedEntry[]
  /** The end state: a digest for each row of each table. */
  outcome: Record<ComparedTable, string[]>
}

export async function capsuleOf(world: World, { version, why }: { version: string; why?: string | undefined }) {
  const { store, clock } = world.core
  const recording = readMeta(store.meta, 'recording')
  if (!recording)
    throw new Refusal('NOT_RECORDED', `the world "${world.id}" is not recorded; make worlds with {"record":true}`)
  if (store.recorded.full)
    throw new Refusal('RECORDING_FULL', `so much came to the world "${world.id}" that not all of it was kept`)
  // Read at once: everything below may take turns with others.
  const entries = store.recorded.all().map(({ n, entry }): NumberedEntry => ({ n, ...JSON.parse(entry) }))
  const outcome = capsuleOutcome(world)
  const identity = {
    world: world.id,
    now: isoInstant(clock.now()),
    inputs: entries.length,
    version,
    schemaVersion: SCHEMA_VERSION,
    why: why ?? null,
  }
  return { identity, origin: world.origin, recording, entries, outcome: await outcome } satisfies Capsule
}

export async function capsuleOutcome({ core }: World): Promise<Capsule['outcome']> {
  // All rows are read at once, because the digests take turns with others.
  const rows = COMPARED.map((table) => [table, rowsOf(core.store.sql, table)] as const)
  const told = rows.map(async ([table, all]) => [table, await Promise.all(all.map(digestOf))] as const)
  const byTable = new Map(await Promise.all(told))
  return recordFor(COMPARED, (table) => must(byTable.get(table)))
}

/** Without secrets, because a replay has made-up ones in the place of those that the recording left out. */
async function digestOf(row: string): Promise<string> {
  return (await sha256(new TextEncoder().encode(blankSecrets(row)))).slice(0, 16)
}

export async function packCapsule({ identity, ...content }: Capsule): Promise<Uint8Array> {
  const text = new TextEncoder().encode(JSON.stringify(content))
  return capsuleFile.pack(identity, await through(text, new CompressionStream('gzip')))
}

const UNPACKED_MAX_BYTES = 256 * 1024 ** 2

/** The shape that a replay cannot do without. Everything in it is checked again where it is read. */
const contentSchema = z.looseObject({
  origin: z.looseObject({ clock: z.looseObject({}) }),
  recording: z.looseObject({ beganUs: z.number(), scenario: z.looseObject({}), image: z.string().optional() }),
  entries: z.array(z.looseObject({ n: z.number(), atUs: z.number() })),
  outcome: z.record(z.enum(COMPARED), z.array(z.string())),
})

/** Throws `BadCapsule` for a file that is cut short, altered, newer, too large or something else. */
export async function unpackCapsule(file: Uint8Array, mostBytes = UNPACKED_MAX_BYTES): Promise<Capsule> {
  const { identity, content } = await capsuleFile.unpack(file)
  const { version, schemaVersion = 'unknown' } = identity
  if (schemaVersion !== SCHEMA_VERSION)
    throw new BadCapsule(
      `mfano ${version} recorded it with schema version ${schemaVersion}, and this mfano replays version ${SCHEMA_VERSION} only; use the mfano that recorded it, or record the run again`,
    )
  try {
    const text = await through(content.slice(), new DecompressionStream('gzip'), mostBytes)
    const unpacked = JSON.parse(new TextDecoder().decode(text))
    contentSchema.parse(unpacked)
    return { identity, ...unpacked }
  } catch (error) {
    throw new BadCapsule(`what it holds cannot be read: ${errorOf(error).message}`)
  }
}

async function through(
  bytes: Uint8Array<ArrayBuffer>,
  by: CompressionStream | DecompressionStream,
  mostBytes = UNPACKED_MAX_BYTES,
): Promise<Uint8Array> {
  let size = 0
  const bounded = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      size += chunk.length
      if (size > mostBytes) throw new RangeError(`it unpacks to more than ${mostBytes} bytes`)
      controller.enqueue(chunk)
    },
  })
  const stream = new Blob([bytes]).stream().pipeThrough(by).pipeThrough(bounded)
  return new Uint8Array(await new Response(stream).arrayBuffer())
}
