/** A world as one file. */

import * as z from 'zod'
import { asJson } from './model/json.ts'
import { Refusal } from './model/refusal.ts'
import { sha256 } from './model/text.ts'
import { LAST_INSTANT_US, parseInstant } from './model/time.ts'
import { pace } from './world-meta.ts'

/**
 * A world as one file: a line with format and checksum, a line that identifies the world, and the world's database.
 * `tail -n +3 FILE` is a SQLite database.
 *
 *     mfano world 1 sha256:0f3c…
 *     {"name":"before payday","world":"shop","now":"2025-01-24T16:28:00.000000",…,"bytes":172032}
 *     SQLite format 3…
 */
const FORMAT = 1
const TOLD_CHARACTERS = 40
export const HEAD_MAX_BYTES = 16_384

const identitySchema = z.object({
  name: z.string().nullable(),
  note: z.string().nullable(),
  world: z.string(),
  scenario: z.string(),
  seed: z.number(),
  now: z.string().refine((text) => {
    const nowUs = parseInstant(text)
    return nowUs !== undefined && nowUs >= 0 && nowUs <= LAST_INSTANT_US
  }),
  clock: z.object(pace),
  version: z.string(),
  schemaVersion: z.number(),
  bytes: z.int().min(0),
})
export type Identity = z.infer<typeof identitySchema>

export interface WorldImage {
  identity: Identity
  image: Uint8Array
}

/** The image is not needed any more when this returns. */
export function packWorld({ identity, image }: WorldImage): Promise<Uint8Array> {
  const says = new TextEncoder().encode(`${JSON.stringify(identity)}\n`)
  const begins = sealLength('world', FORMAT)
  const whole = new Uint8Array(begins + says.length + image.length)
  whole.set(says, begins)
  whole.set(image, begins + says.length)
  return seal('world', FORMAT, whole)
}

/** Refuses a file that is cut short, altered, of a newer format or something else, and says which. */
export async function unpackWorld(file: Uint8Array): Promise<WorldImage> {
  const { content, sum } = begun(file)
  const end = content.indexOf(10)
  const identity = end === -1 ? undefined : parsed(content.subarray(0, end))
  const image = content.subarray(end + 1)
  if (identity && image.length < identity.bytes)
    throw badFile(`it is cut short: ${image.length} of its database's ${identity.bytes} bytes are there`)
  if ((await sha256(content)) !== sum)
    throw badFile('it was altered or cut short: its checksum is not that of what it holds')
  if (identity?.bytes !== image.length) throw badFile('its second line does not say what world it holds')
  return { identity, image }
}

export function readIdentity(head: Uint8Array): Identity | undefined {
  try {
    const { content } = begun(head)
    return parsed(content.subarray(0, content.indexOf(10)))
  } catch {
    return undefined
  }
}

/** Lets a file that is none be refused before all of it has come. */
export const worldFileBegins = { bytes: sealLength('world', FORMAT), check: (head: Uint8Array) => void begun(head) }

export function badFile(what: string): Refusal {
  return new Refusal('BAD_WORLD_FILE', `file: ${what}. Nothing was changed.`)
}

function begun(file: Uint8Array): { content: Uint8Array; sum: string } {
  const found = readSeal('world', file)
  if (!found) throw badFile(`it must begin like "mfano world ${FORMAT} sha256:…", ${insteadOf(file)}`)
  const { format } = found
  if (format !== FORMAT)
    throw badFile(`it has format ${format}, and this mfano reads format ${FORMAT}; use the newer mfano that wrote it`)
  return found
}

function insteadOf(file: Uint8Array): string {
  const start = new TextDecoder('latin1').decode(file.subarray(0, TOLD_CHARACTERS))
  if (start === '') return 'and is empty'
  if (start.startsWith('SQLite format 3'))
    return 'and is a bare database; GET /_mfano/worlds/{id}/file gives a world as a file'
  return `and begins ${JSON.stringify(start)}`
}

function parsed(line: Uint8Array): Identity | undefined {
  return identitySchema.safeParse(asJson(new TextDecoder().decode(line))).data
}

export interface WorldSnapshot {
  world: string
  name: string
  identity: Identity | undefined
}

/** Smaller ones are not worth it, and may share a pooled buffer of Node's that is still used. */
const LEAST_BYTES = 128 * 1024

/**
 * Frees bytes at once; they must not be used afterwards. V8 counts this memory to the heap, and would run a full
 * collection after some fifteen world images.
 */
export function releaseBytes({ buffer }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength >= LEAST_BYTES) buffer.transfer(0)
}

// Files whose first line has their type, format and checksum.

const FIRST_LINE_MAX = 100

/** `mfano world 1 sha256:0f3c…` and a newline. Its length is fixed, so it can be written last. */
function firstLine(kind: string, format: number, sum: string): Uint8Array {
  return new TextEncoder().encode(`mfano ${kind} ${format} sha256:${sum}\n`)
}

export function sealLength(kind: string, format: number): number {
  return firstLine(kind, format, '0'.repeat(64)).length
}

export async function seal(kind: string, format: number, whole: Uint8Array): Promise<Uint8Array> {
  whole.set(firstLine(kind, format, await sha256(whole.subarray(sealLength(kind, format)))))
  return whole
}

export function readSeal(
  kind: string,
  file: Uint8Array,
): { format: number; sum: string; content: Uint8Array } | undefined {
  const start = new TextDecoder('latin1').decode(file.subarray(0, FIRST_LINE_MAX))
  const match = new RegExp(`^mfano ${kind} (\\d{1,9}) sha256:([0-9a-f]{64})\\n`).exec(start)
  if (!match) return undefined
  const [line, format, sum = ''] = match
  return { format: Number(format), sum, content: file.subarray(line.length) }
}
