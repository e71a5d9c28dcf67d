import * as z from 'zod'
import { Clock } from './engine/clock.ts'
import { deferredTurn, type Host } from './host.ts'
import { asJson } from './model/json.ts'
import type { Service } from './model/kind.ts'
import { errorOf, must } from './model/must.ts'
import { Refusal } from './model/refusal.ts'
import { sha256 } from './model/text.ts'
import { isoInstant, LAST_INSTANT_US, parseInstant } from './model/time.ts'
import { type Origin, pace, readMeta, type WorldChange, type WorldRecording } from './new-world.ts'
import { portable } from './recording.ts'
import { type Scenario, toStored } from './scenario.ts'
import { checkingDatabase, SCHEMA_VERSION } from './schema.ts'
import { type Sql, StorageFailure } from './sql.ts'
import { Meta } from './store/counter-table.ts'
import { clearRecorded } from './store/run-tables.ts'
import { makeCore, type World } from './world.ts'

/** Larger worlds are not copied, because a copy is made in memory. */
const IMAGE_MAX_BYTES = 1024 ** 3

interface Taking {
  name?: string
  note?: string
  mostBytes?: number
}

/** Says of which world and moment it is. Refuses a world that is too large. */
export function takeImage(
  world: World,
  version: string,
  { name, note, mostBytes = IMAGE_MAX_BYTES }: Taking = {},
): WorldImage {
  const { store, clock, scenario } = world.core
  const { bytes } = store
  const most = Math.min(mostBytes, store.sql.imageMaxBytes ?? mostBytes)
  if (bytes > most)
    throw new Refusal(
      'WORLD_TOO_LARGE',
      `the world "${world.id}" has ${bytes} bytes; a world of at most ${most} can be copied for this`,
    )
  const { mode, rate } = clock.state()
  const image = store.sql.serialize()
  const identity = {
    name: name ?? null,
    note: note ?? null,
    world: world.id,
    scenario: scenario.name,
    seed: world.origin.seed,
    now: isoInstant(clock.now()),
    clock: { mode, rate },
    version,
    schemaVersion: SCHEMA_VERSION,
    bytes: image.length,
  }
  return { identity, image }
}

export async function fileOf(world: World, version: string, taking?: Taking) {
  const taken = takeImage(world, version, taking)
  await deferredTurn(world.host)
  return { identity: taken.identity, file: await packWorld(taken) }
}

export interface Resumption {
  id: string
  scenario: Scenario
  change?: WorldChange | undefined
  sent: boolean
}

/**
 * Makes the database of an image one of its own world, which continues at the moment of the image, however long ago
 * that is.
 */
export function resumeAs(sql: Sql, { identity }: WorldImage, as: Resumption, host: Host): void {
  const { id, scenario, sent, change } = as
  const meta = new Meta(sql)
  const { recorded: wasRecorded, ...before } = must(readMeta(meta, 'origin'))
  const { formerIds = [] } = before
  const recorded = (change?.record ?? wasRecorded) === true
  // A world that is taken back to what it was is no copy of itself; one that came as a file may be, from elsewhere.
  const isCopy = (identity.world !== id || sent) && !formerIds.includes(identity.world)
  const origin: Origin = {
    ...before,
    ...(isCopy && { formerIds: [...formerIds, identity.world] }),
    ...(recorded && { recorded }),
  }
  const worldUs = must(parseInstant(identity.now))
  const clock = new Clock({ ...identity.clock, worldUs, wallUs: host.wallUs() }, host.wallUs)
  clock.set({ ...change?.clock, nowUs: worldUs })
  sql.transaction(() => {
    clearRecorded(sql)
    meta.remove('recording')
    meta.set('origin', origin)
    // A forwarder of one world forwards no callbacks of another.
    meta.remove('forwarders')
    meta.set('scenario', toStored(scenario))
    meta.set('clock', clock.state())
    if (sent) meta.pauseCallbacks()
  })
  if (recorded) {
    const image = toBase64(sql.serialize())
    meta.set('recording', { beganUs: worldUs, scenario: portable(scenario), image } satisfies WorldRecording)
  }
}

/**
 * In steps. Refuses a database from elsewhere that is damaged, newer, or no world's. `loadScenario` throws where the
 * stored one cannot be used.
 */
export function* inspecting(sql: Sql, service: Service, loadScenario: () => Scenario): Generator<void, void> {
  const problem = yield* checkingDatabase(sql)
  if (problem !== undefined) throw badFile(problem)
  const meta = new Meta(sql)
  if (!readMeta(meta, 'origin') || !readMeta(meta, 'scenario'))
    throw badFile('its database is that of a world that never began')
  const { core } = makeCore({
    service,
    sql,
    host: { wallUs: () => 0, defer: () => {} },
    observer: { error: () => {} },
    emit: () => {},
    loadScenario,
  })
  yield
  // Everybody's requests come from it unless they say otherwise.
  core.store.organisations.byId(1)
  const counts = yield* core.store.payments.countingByStatus()
  const odd = counts.find(({ kind, status }) => !Object.hasOwn(service.kinds.find(kind)?.machine.states ?? {}, status))
  if (odd) throw badFile(`it has a payment of the kind "${odd.kind}" that is ${odd.status}, which none can be`)
  yield
  const [imbalance] = yield* core.store.ledger.auditing()
  if (!imbalance) return
  const { what, expected, found } = imbalance
  throw badFile(`its books do not add up: ${what} should be ${expected}, and is ${found}`)
}

/** Problems of a file, unless the storage fails. */
export function aboutFile(error: unknown): unknown {
  return error instanceof Refusal || error instanceof StorageFailure ? error : badFile(errorOf(error).message)
}

/** `String.fromCharCode` takes its bytes as arguments, and a call can have only so many. */
const PIECE = 8192

function toBase64(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += PIECE) text += String.fromCharCode(...bytes.subarray(at, at + PIECE))
  return btoa(text)
}

// A world as one file, and other files of that form.

/**
 * A line with format and checksum, a line of JSON that identifies the file, and its content:
 *
 *     mfano world 1 sha256:0f3c…
 *     {"name":"before payday","world":"shop","now":"2025-01-24T16:28:00.000000",…,"bytes":172032}
 *     SQLite format 3…
 */
export function sealedFile<Identity>(kind: string, schema: z.ZodType<Identity>, refuse: (what: string) => Error) {
  const encoder = new TextEncoder()
  // Its length is fixed, so it can be written last.
  const firstLine = (sum: string) => encoder.encode(`mfano ${kind} ${FORMAT} sha256:${sum}\n`)
  const { length } = firstLine('0'.repeat(64))
  const begun = (file: Uint8Array) => {
    const start = new TextDecoder('latin1').decode(file.subarray(0, FIRST_LINE_MAX))
    const [line, format, sum] = new RegExp(`^mfano ${kind} (\\d{1,9}) sha256:([0-9a-f]{64})\\n`).exec(start) ?? []
    if (line === undefined) throw refuse(`it must begin like "mfano ${kind} ${FORMAT} sha256:…", ${insteadOf(start)}`)
    if (Number(format) !== FORMAT)
      throw refuse(
        `it has format ${format}, and this mfano reads format ${FORMAT}; use the mfano that wrote it, or a newer one`,
      )
    return { rest: file.subarray(line.length), sum }
  }
  const divided = (rest: Uint8Array) => {
    const end = rest.indexOf(10)
    const text = new TextDecoder().decode(rest.subarray(0, Math.max(end, 0)))
    return { identity: schema.safeParse(asJson(text)).data, content: rest.subarray(end + 1) }
  }
  return {
    /** Lets a file that is none be refused before all of it has come. */
    begins: { bytes: length, check: (head: Uint8Array) => void begun(head) },

    async pack(identity: Identity, content: Uint8Array): Promise<Uint8Array> {
      const says = encoder.encode(`${JSON.stringify(identity)}\n`)
      const whole = new Uint8Array(length + says.length + content.length)
      whole.set(says, length)
      whole.set(content, length + says.length)
      whole.set(firstLine(await sha256(whole.subarray(length))))
      return whole
    },

    /**
     * Refuses a file that is cut short, altered, of another format or something else, and says which. `check`: what else
     * the identity says about the content.
     */
    async unpack(file: Uint8Array, check = (_: Identity, _content: Uint8Array) => {}) {
      const { rest, sum } = begun(file)
      const { identity, content } = divided(rest)
      if (identity) check(identity, content)
      if ((await sha256(rest)) !== sum)
        throw refuse('it was altered or cut short: its checksum is not that of what it holds')
      if (!identity) throw refuse(`its second line does not say what ${kind} it holds`)
      return { identity, content }
    },

    identityIn(head: Uint8Array): Identity | undefined {
      try {
        return divided(begun(head).rest).identity
      } catch {
        return undefined
      }
    },
  }
}

const FORMAT = 1
const FIRST_LINE_MAX = 100
const TOLD_CHARACTERS = 40

function insteadOf(start: string): string {
  if (start === '') return 'and is empty'
  if (start.startsWith('SQLite format 3'))
    return 'and is a bare database; GET /_mfano/worlds/{id}/file gives a world as a file'
  return `and begins ${JSON.stringify(start.slice(0, TOLD_CHARACTERS))}`
}

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

/** `tail -n +3 FILE` is a SQLite database. */
const worldFile = sealedFile('world', identitySchema, badFile)

export const { begins: worldFileBegins, identityIn: readIdentity } = worldFile

export function packWorld({ identity, image }: WorldImage): Promise<Uint8Array> {
  return worldFile.pack(identity, image)
}

export async function unpackWorld(file: Uint8Array): Promise<WorldImage> {
  const { identity, content } = await worldFile.unpack(file, ({ bytes }, { length }) => {
    if (length < bytes) throw badFile(`it is cut short: ${length} of its database's ${bytes} bytes are there`)
  })
  if (identity.bytes !== content.length) throw badFile('its second line does not say what world it holds')
  return { identity, image: content }
}

export const HEAD_MAX_BYTES = 16_384

export function badFile(what: string): Refusal {
  return new Refusal('BAD_WORLD_FILE', `file: ${what}. Nothing was changed.`)
}

export interface WorldSnapshot {
  world: string
  name: string
  identity: Identity | undefined
}
