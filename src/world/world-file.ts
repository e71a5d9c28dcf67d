/** A world as one file. */
import { z } from 'zod'
import { Refusal } from '../model/refusal.ts'
import { LAST_INSTANT_US, parseInstant } from '../model/time.ts'
import { pace } from './world-meta.ts'

/**
 * A world as one file: a line that says what it is and what it must add up to, a line that says which world is in it,
 * and the world's database. `tail -n +3 FILE` is a SQLite database.
 *
 *     mfano world 1 sha256:0f3c…
 *     {"name":"before payday","world":"shop","now":"2025-01-24T16:28:00.000000",…,"bytes":172032}
 *     SQLite format 3…
 */
const FORMAT = 1
const FIRST_LINE = /^mfano world (\d{1,9}) sha256:([0-9a-f]{64})\n/
const FIRST_LINE_MAX = 100
/** The lines before the database take at most so many bytes. */
export const HEAD_MAX_BYTES = 16_384

const identitySchema = z.object({
  /** As a snapshot; null for a world that was taken as it stood. */
  name: z.string().nullable(),
  note: z.string().nullable(),
  /** The world that it was taken of. */
  world: z.string(),
  scenario: z.string(),
  seed: z.number(),
  /** World time when it was taken. */
  now: z.string().refine((text) => {
    const nowUs = parseInstant(text)
    return nowUs !== undefined && nowUs >= 0 && nowUs <= LAST_INSTANT_US
  }),
  clock: z.object(pace),
  /** The mfano that took it. */
  version: z.string(),
  schemaVersion: z.number(),
  /** Of the database. */
  bytes: z.int().min(0),
})
/** Which world is in a file, and since when. */
export type Identity = z.infer<typeof identitySchema>

/** A world as it was at one moment. */
export interface WorldImage {
  identity: Identity
  /** Its database. */
  image: Uint8Array
}

/** Copied at once; between two of them others have their turn. */
const PIECE_BYTES = 8 * 1024 ** 2

/** The bytes of a world file. `pause`: lets others have their turn, where there are any. */
export async function packWorld(
  { identity, image }: WorldImage,
  pause: () => Promise<void> = async () => {},
): Promise<Uint8Array> {
  const says = new TextEncoder().encode(`${JSON.stringify(identity)}\n`)
  const firstLine = (sum: string) => new TextEncoder().encode(`mfano world ${FORMAT} sha256:${sum}\n`)
  const { length: begins } = firstLine('0'.repeat(64))
  const whole = new Uint8Array(begins + says.length + image.length)
  whole.set(says, begins)
  for (let at = 0; at < image.length; at += PIECE_BYTES) {
    whole.set(image.subarray(at, at + PIECE_BYTES), begins + says.length + at)
    await pause()
  }
  whole.set(firstLine(await sha256(whole.subarray(begins))))
  return whole
}

/** The world in a file; refuses one that is cut short, altered, of a newer format or something else, and says which. */
export async function unpackWorld(file: Uint8Array): Promise<WorldImage> {
  const found = firstLine(file)
  const content = file.subarray(found.length)
  const end = content.indexOf(10)
  const identity = end === -1 ? undefined : parsed(content.subarray(0, end))
  const image = content.subarray(end + 1)
  if (identity && image.length < identity.bytes)
    throw badFile(`it is cut short: ${image.length} of its database's ${identity.bytes} bytes are there`)
  if ((await sha256(content)) !== found.sum)
    throw badFile('it was altered or cut short: its checksum is not that of what it holds')
  if (identity?.bytes !== image.length) throw badFile('its second line does not say what world it holds')
  return { identity, image }
}

/** What the beginning of a world file says about it, unchecked; undefined when it does not begin like one. */
export function readIdentity(head: Uint8Array): Identity | undefined {
  try {
    const content = head.subarray(firstLine(head).length)
    return parsed(content.subarray(0, content.indexOf(10)))
  } catch {
    return undefined
  }
}

/** Something is wrong with a world file, or with the world in it. */
export function badFile(what: string): Refusal {
  return new Refusal('BAD_WORLD_FILE', `file: ${what}. Nothing was changed.`, { message: 'Not a usable world file' })
}

function firstLine(file: Uint8Array): { length: number; sum: string } {
  const start = new TextDecoder('latin1').decode(file.subarray(0, FIRST_LINE_MAX))
  const match = FIRST_LINE.exec(start)
  if (!match) throw badFile(`it must begin like "mfano world ${FORMAT} sha256:…", ${insteadOf(start)}`)
  const [line, format, sum = ''] = match
  if (Number(format) !== FORMAT)
    throw badFile(`it has format ${format}, and this mfano reads format ${FORMAT}; use the newer mfano that wrote it`)
  return { length: line.length, sum }
}

function insteadOf(start: string): string {
  if (start === '') return 'and is empty'
  if (start.startsWith('SQLite format 3'))
    return 'and is a bare database; GET /_mfano/worlds/{id}/file gives a world as a file'
  return `and begins ${JSON.stringify(start.slice(0, 40))}`
}

function parsed(line: Uint8Array): Identity | undefined {
  try {
    return identitySchema.safeParse(JSON.parse(new TextDecoder().decode(line))).data
  } catch {
    return undefined
  }
}

async function sha256(bytes: Uint8Array): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>)
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
