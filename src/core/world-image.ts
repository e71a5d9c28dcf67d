/** Takes the image of a world, and resumes a world from one. */
import { Clock } from './clock/clock.ts'
import { deferredTurn, type Host } from './host.ts'
import type { Service } from './model/kind.ts'
import { errorOf, must } from './model/must.ts'
import { Refusal } from './model/refusal.ts'
import { type ClockMode, isoInstant, parseInstant } from './model/time.ts'
import { portable } from './recording.ts'
import { type Scenario, toStored } from './scenario.ts'
import { SCHEMA_VERSION } from './schema.ts'
import { type Sql, StorageFailure } from './sql.ts'
import { checkingDatabase, type Shape } from './store/image.ts'
import { Meta } from './store/meta-table.ts'
import { RecordedTable } from './store/run-tables.ts'
import { makeCore } from './world/begin.ts'
import type { World } from './world.ts'
import { badFile, packWorld, releaseBytes, type WorldImage } from './world-file.ts'
import { type Origin, pauseCallbacks, readOrigin, readStoredScenario, type WorldRecording } from './world-meta.ts'

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

/** As a file. Others have their turn between steps that take long in a large world. */
export async function fileOf(world: World, version: string, taking?: Taking) {
  const taken = takeImage(world, version, taking)
  await deferredTurn(world.host)
  const packed = packWorld(taken)
  releaseBytes(taken.image)
  return { identity: taken.identity, file: await packed }
}

export interface Resumption {
  id: string
  scenario: Scenario
  clock?: { mode?: ClockMode | undefined; rate?: number | undefined } | undefined
  /** It came as a file: its callbacks are paused. */
  sent: boolean
  /** Whether to record from now on; by default as in the original world. */
  record?: boolean | undefined
}

/**
 * Makes the database of an image one of its own world, which continues at the moment of the image, however long ago
 * that is. Gives its origin.
 */
export function resumeAs(sql: Sql, { identity }: WorldImage, as: Resumption, host: Host): Origin {
  const { id, scenario, sent, clock: change, record } = as
  const meta = new Meta(sql)
  const { recorded: wasRecorded, ...before } = must(readOrigin(meta))
  const { formerIds = [] } = before
  const recorded = (record ?? wasRecorded) === true
  // A world that is taken back to what it was is no copy of itself; one that came as a file may be, from elsewhere.
  const isCopy = (identity.world !== id || sent) && !formerIds.includes(identity.world)
  const origin: Origin = {
    ...before,
    ...(isCopy && { formerIds: [...formerIds, identity.world] }),
    ...(recorded && { recorded }),
  }
  const worldUs = must(parseInstant(identity.now))
  const clock = new Clock({ ...identity.clock, worldUs, wallUs: host.wallUs() }, host.wallUs)
  clock.set({ ...(change?.mode && { mode: change.mode }), ...(change?.rate && { rate: change.rate }), nowUs: worldUs })
  sql.transaction(() => {
    new RecordedTable(sql).clear()
    meta.remove('recording')
    meta.set('origin', origin)
    // A forwarder of one world forwards no callbacks of another.
    meta.remove('forwarders')
    meta.set('scenario', toStored(scenario))
    meta.set('clock', clock.state())
    if (sent) pauseCallbacks(meta)
  })
  if (recorded) {
    const image = toBase64(sql.serialize())
    meta.set('recording', { beganUs: worldUs, scenario: portable(scenario), image } satisfies WorldRecording)
  }
  return origin
}

export interface Inspection {
  service: Service
  /** That of every world's database. */
  shape: Shape
  /** Throws where the stored one cannot be used. */
  scenario(): Scenario
}

/** In steps. Refuses a database from elsewhere that is damaged, newer, or no world's. */
export function* inspecting(sql: Sql, { service, shape, scenario }: Inspection): Generator<void, void> {
  const problem = yield* checkingDatabase(sql, shape)
  if (problem !== undefined) throw badFile(problem)
  const meta = new Meta(sql)
  if (!readOrigin(meta) || !readStoredScenario(meta)) throw badFile('its database is that of a world that never began')
  const { core } = makeCore({
    service,
    sql,
    host: { wallUs: () => 0, defer: () => {} },
    observer: { error: () => {} },
    emit: () => {},
    loadScenario: scenario,
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
