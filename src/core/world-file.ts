/** A world as one file. */
import * as z from 'zod'
import { Refusal } from './model/refusal.ts'
import { readSeal, seal, sealLength, sha256 } from './model/sealed-file.ts'
import { LAST_INSTANT_US, parseInstant } from './model/time.ts'
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
/** So much of what begins otherwise is told. */
const TOLD_CHARACTERS = 40
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
  const begins = sealLength('world', FORMAT)
  const whole = new Uint8Array(begins + says.length + image.length)
  whole.set(says, begins)
  for (let at = 0; at < image.length; at += PIECE_BYTES) {
    whole.set(image.subarray(at, at + PIECE_BYTES), begins + says.length + at)
    await pause()
  }
  return seal('world', FORMAT, whole)
}

/** What a world file says that it adds up to; whoever unpacks it knows that it does. */
export function sumOf(file: Uint8Array): string {
  return begun(file).sum
}

/** The world in a file; refuses one that is cut short, altered, of a newer format or something else, and says which. */
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

/** What the beginning of a world file says about it, unchecked; undefined when it does not begin like one. */
export function readIdentity(head: Uint8Array): Identity | undefined {
  try {
    const { content } = begun(head)
    return parsed(content.subarray(0, content.indexOf(10)))
  } catch {
    return undefined
  }
}

/** Something is wrong with a world file, or with the world in it. */
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
  try {
    return identitySchema.safeParse(JSON.parse(new TextDecoder().decode(line))).data
  } catch {
    return undefined
  }
}

/** A snapshot as a list shows it. */
export interface WorldSnapshot {
  world: string
  name: string
  /** As its file says; undefined when that cannot be read. */
  identity: Identity | undefined
}
