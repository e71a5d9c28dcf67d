/** All worlds of a server. */
import { ALL_AS_THEY_ARE, type FileAddresses, type FileCallbacks, fileAddresses } from './held-addresses.ts'
import { deferredTurn, type Host, orClosed, type SnapshotStore, using } from './host.ts'
import { type ForkSource, findSource } from './model/fork-source.ts'
import type { GivenParameters } from './model/given-parameters.ts'
import { Refusal } from './model/refusal.ts'
import { worldClosed } from './model/refusal-reasons.ts'
import { releaseBytes } from './model/release-bytes.ts'
import { StorageFailure } from './model/storage-failure.ts'
import type { ClockMode, InstantUs } from './model/time.ts'
import { DEFAULT_WORLD, freeName, isWorldName, noSuchWorld, requireName } from './model/world-name.ts'
import type { ForkRequest, WorldRequest } from './model/world-request.ts'
import type { Scenario, StoredScenario } from './scenario.ts'
import { sentScenario, storedScenario } from './scenario-library.ts'
import type { Sql } from './sql.ts'
import { Meta } from './store/meta-table.ts'
import type { Making } from './world/begin.ts'
import { detachedCopy } from './world/detached-copy.ts'
import { Snapshots } from './world/snapshots.ts'
import {
  type Beginning,
  beginningOf,
  type Prepared,
  WorldFactory,
  type WorldFactoryOptions,
} from './world/world-factory.ts'
import { type Remembered, WorldPool } from './world/world-pool.ts'
import { World, type WorldSettings } from './world.ts'
import { packWorld, unpackWorld, type WorldImage } from './world-file.ts'
import { takeImage } from './world-image.ts'
import { readOrigin, readStoredScenario } from './world-meta.ts'
import { nowIn, summaryIn } from './world-summary.ts'

export interface WorldsOptions extends WorldFactoryOptions, Pick<WorldSettings, 'inboxBytes'> {
  snapshotStore: SnapshotStore
  /** The default world takes the usual scenario even when it has another one stored. */
  scenarioWins: boolean
  /** The default world is recorded when it is made. */
  record?: boolean | undefined
  /** Worlds that are open at once; idle ones beyond that are closed until they are asked for. */
  openMax: number
  /** Of this mfano, for the files that it writes. */
  version: string
  /** Worlds that this server has elsewhere, for what is told of one that is not here. */
  others?(): readonly string[]
  /** The world that is always open, and at whose address all others are made; `default` unless this server has but one. */
  home?: string | undefined
}

/** A world in a list. */
export interface Description {
  id: string
  scenario: string
  seed: number
  /** `rate`: world seconds per real second, 0 when time stands. */
  clock: { mode: ClockMode; rate: number; nowUs: InstantUs }
}

/** All worlds of a server. They share nothing but the process. */
export class Worlds {
  readonly snapshots: Snapshots
  readonly #options: WorldsOptions
  readonly #pool: WorldPool
  readonly #factory: WorldFactory
  readonly #home: string
  #named = 0
  #closed = false

  /** Finds what is stored, and makes the default world when there is none. That one is always open, the others when needed. */
  constructor(options: WorldsOptions) {
    const { databases, host, observer, openMax, home = DEFAULT_WORLD } = options
    this.#options = options
    this.#home = home
    this.#factory = new WorldFactory(options)
    this.snapshots = new Snapshots(options.snapshotStore, options.version)
    this.#pool = new WorldPool({
      openMax,
      pinned: home,
      host,
      open: (id, remembered) => this.#opened(id, databases.open(id), remembered),
      look: (id) => using(databases.open(id), summaryIn),
      failed: (id, error, doing) => observer(id).error(error, doing),
    })
    try {
      const stored = databases.list().filter(isWorldName)
      for (const id of stored) if (id !== home) this.#pool.note(id)
      if (stored.includes(home)) this.#openHome()
      else if (home === DEFAULT_WORLD) this.create({ id: home, record: options.record })
    } catch (error) {
      this.close()
      throw error
    }
    this.#pool.survey()
  }

  get default(): World {
    return this.#pool.get(DEFAULT_WORLD)
  }

  /** Open as long as the server is, it keeps others off the data directory. One that cannot be read keeps nobody from the others. */
  #openHome(): void {
    const { databases, scenarioWins, observer } = this.#options
    const home = this.#home
    const usual = scenarioWins && home === DEFAULT_WORLD ? this.#factory.usual() : undefined
    try {
      this.#pool.add(this.#opened(home, databases.open(home)))
    } catch (error) {
      // Another mfano's directory, that of a newer one, or storage that does not work: somebody has to choose, and is told how.
      const unreadable = error instanceof StorageFailure && error.unreadable
      if (!unreadable && (error as { hint?: unknown }).hint !== undefined) throw error
      this.#pool.note(home, error)
      observer(home).error(error, `opening the ${home} world, which is not served until it is reset or replaced`)
      return
    }
    if (usual) this.default.performNow({ command: 'set-scenario', scenario: usual })
  }

  /** The scenario of the default world, or the usual one while that world cannot be read. */
  get scenario(): Scenario {
    try {
      return this.default.core.scenario
    } catch {
      return this.#factory.usual()
    }
  }

  /** Notes what failed inside mfano while something was done for a world, which need not be open, or there at all. */
  failed(id: string, error: unknown, doing: string): void {
    this.#options.observer(id).error(error, doing)
  }

  /** The outside that its worlds are handed. */
  get host(): Host {
    return this.#options.host
  }

  /** The world of an id; refuses one that does not exist, and says how to make it. */
  get(id: string): World {
    this.#require(id)
    return this.#pool.get(id)
  }

  /** The ids of all worlds, the default one first. */
  ids(): string[] {
    return [DEFAULT_WORLD, ...this.#pool.ids().filter((id) => id !== DEFAULT_WORLD)]
  }

  /** The worlds that are open at the moment, for what concerns no closed one. */
  get open(): World[] {
    return this.#pool.open
  }

  has(id: string): boolean {
    return this.#pool.has(id)
  }

  get count(): number {
    return this.#pool.size
  }

  /** What a list shows of a world, which is not opened for it. An error when it cannot be read. */
  describe(id: string): Description {
    const summary = this.#pool.summary(id)
    const { scenario, seed, clock } = summary
    const rate = clock.mode === 'frozen' ? 0 : clock.rate
    return { id, scenario, seed, clock: { mode: clock.mode, rate, nowUs: nowIn(summary, this.#options.host.wallUs) } }
  }

  create(request: WorldRequest): World {
    const id = this.#newId(request.id)
    return this.#put(id, this.#factory.begun(id, request))
  }

  /** A new world that takes a while: made aside, where nobody finds it, and put in its place when it is whole, or not at all. */
  async createAside(request: WorldRequest & { id: string }, make: (world: World) => Promise<void>): Promise<World> {
    const id = this.#newId(request.id)
    this.#pool.makeRoomForOne()
    const { world, staged } = this.#factory.aside(id, request)
    try {
      await make(world)
      world.close()
    } catch (error) {
      world.close(true)
      staged.discard()
      throw error
    }
    const { scenario } = world.core
    return this.#placed(id, { ...staged, scenario, own: () => ({}) }, () => this.#requireFree(id))
  }

  /** A new world that goes on where another one is, or was when it was saved: with all that waits in it. */
  async fork(request: ForkRequest): Promise<World> {
    const { taken, known } = await this.#takenFrom(findSource(request.from, this.#pool, this.snapshots))
    try {
      return await this.goOn(request, taken, known)
    } finally {
      releaseBytes(taken.image)
    }
  }

  async #takenFrom({ world: id, snapshot }: ForkSource): Promise<{ taken: WorldImage; known: Beginning | undefined }> {
    if (snapshot !== undefined) return this.snapshots.unpacked(id, snapshot)
    const world = this.get(id)
    return { taken: takeImage(world, this.#options.version), known: beginningOf(world) }
  }

  /** A new world that goes on from a taken one. `known`: how that began, where it was taken here. */
  async goOn(change: Omit<ForkRequest, 'from'>, taken: WorldImage, known?: Beginning): Promise<World> {
    const id = this.#newId(change.id)
    const prepared = await this.#factory.goingOn(id, taken, { change, known })
    return this.#placed(id, prepared, () => this.#requireFree(id))
  }

  /**
   * A copy of a world as it is now, in memory and known to nobody, whose clock stands; to be closed. Refuses worlds that
   * are too large to be copied just to see what would happen.
   */
  copy(world: World, host: Host): World {
    return detachedCopy(world, host, this.#options)
  }

  /** Takes a world back to a snapshot, of itself or of another; its id stays. */
  async restore(id: string, of: { world: string; name: string }): Promise<World> {
    // Looked at in any case: it takes the place of a world that works.
    const { taken } = await this.snapshots.unpacked(of.world, of.name)
    return this.restoreFrom(id, taken)
  }

  /** Takes a world back to a taken one. */
  async restoreFrom(id: string, taken: WorldImage): Promise<World> {
    const prepared = await this.#factory.goingOn(id, taken)
    return this.#placed(id, prepared, () => this.#require(id))
  }

  /** A world as one file, to be brought up here or elsewhere. */
  file(id: string): Promise<Uint8Array> {
    return packWorld(takeImage(this.get(id), this.#options.version), () => deferredTurn(this.#options.host))
  }

  /**
   * The world in a file, as a new world or in the place of the one that has the id. `callbacks`: where those of the
   * file's addresses go; refused where it has none of the addresses that are spoken of.
   */
  async putFile(id: string, file: Uint8Array, { all, rewritten }: FileCallbacks = ALL_AS_THEY_ARE): Promise<World> {
    requireName('id', id)
    const taken = await unpackWorld(file)
    const hold = all ? undefined : { spokenOf: rewritten.map(({ from }) => from) }
    const world = await this.#placed(id, await this.#factory.goingOn(id, taken, { sent: true, hold }), () => {})
    for (const rewriting of rewritten) await world.perform({ command: 'release-callbacks', ...rewriting })
    return world
  }

  fileAddresses(id: string): FileAddresses {
    return fileAddresses(this.get(id).core)
  }

  /** Ends what goes on in a world, deliveries included, and forgets it. Its snapshots stay. */
  remove(id: string): void {
    if (id === DEFAULT_WORLD) {
      throw new Refusal('WORLD_NEEDED', 'The world "default" cannot be removed; POST /_mfano/reset empties it.')
    }
    this.#require(id)
    this.#pool.forget(id, true)
    this.#options.databases.remove(id)
  }

  /**
   * Back to the beginning: an empty world with the same id, seed, clock setting and scenario as now. Of one that cannot
   * be opened, what of those can still be read; else it begins as any other.
   */
  reset(id: string): World {
    this.#require(id)
    const beginning = this.#beginning(id)
    const recorded = beginning && this.#options.record && id === DEFAULT_WORLD
    return this.#put(
      id,
      this.#factory.begunAgain(
        id,
        recorded ? { ...beginning, origin: { ...beginning.origin, recorded: true } } : beginning,
      ),
    )
  }

  /** What somebody sent: a shipped name, or a text. Paths are for those who start the server. Throws `ScenarioError`. */
  parseScenario(source: string, parameters?: GivenParameters): Scenario {
    return sentScenario(this.#options.library, source, parameters)
  }

  /** The scenario of worlds that name none. */
  usualScenario(parameters?: GivenParameters): Scenario {
    return this.#factory.usual(parameters)
  }

  /** Every scenario that is shipped, by name. */
  shippedScenarios(): Scenario[] {
    const { library } = this.#options
    return library.names.map((name) => library.shipped(name))
  }

  /** A scenario with another alternative of an assumption: what it extends is found where it was, and its parameters keep their values. */
  scenarioAssuming(scenario: Scenario, id: string, alternative: string): Scenario {
    return this.#options.library.assuming(scenario, id, alternative)
  }

  close(): void {
    this.#closed = true
    this.#pool.end()
  }

  /** Stores a world whose making took a while, unless what happened meanwhile is against it: `check` refuses. */
  #placed(id: string, prepared: Prepared, check: () => void): World {
    try {
      if (this.#closed) throw worldClosed()
      check()
    } catch (error) {
      prepared.discard()
      throw error
    }
    return this.#put(id, prepared)
  }

  /** Stores a world, in the place of the one that may have the id, and opens it. */
  #put(id: string, { scenario, put, own, begun }: Prepared): World {
    this.#pool.makeRoomForOne()
    if (this.#pool.has(id)) this.#pool.close(id, true)
    try {
      const world = this.#pool.add(put((sql) => this.#opened(id, sql, { scenario }, orClosed(sql, own))))
      begun?.(world.core.store.sql)
      return world
    } catch (error) {
      // The storage failed: the world that was closed, if there was one, is still there, and may have something to do.
      this.#pool.survey()
      throw error
    }
  }

  /** A world on its database. */
  #opened(id: string, sql: Sql, { scenario, past }: Remembered = {}, as?: Pick<Making, 'origin' | 'began'>): World {
    const { service, host, library, observer, inboxBytes } = this.#options
    const options = {
      ...as,
      id,
      service,
      sql,
      host,
      past,
      observer: observer(id),
      loadScenario: (stored: () => StoredScenario) => scenario ?? storedScenario(library, stored()),
      onFree: () => this.#pool.makeRoom(),
    }
    return orClosed(sql, () => new World({ ...options, inboxBytes }))
  }

  /** How a world begins when it is reset; undefined when nothing of it can be read. */
  #beginning(id: string): Beginning | undefined {
    try {
      return beginningOf(this.#pool.get(id))
    } catch {
      return this.#storedBeginning(id)
    }
  }

  #storedBeginning(id: string): Beginning | undefined {
    const { databases, library } = this.#options
    try {
      return using(databases.open(id), (sql) => {
        const meta = new Meta(sql)
        const origin = readOrigin(meta)
        const scenario = readStoredScenario(meta)
        return origin && scenario && { origin, scenario: storedScenario(library, scenario) }
      })
    } catch {
      return undefined
    }
  }

  #require(id: string): void {
    if (this.#pool.has(id)) return
    throw noSuchWorld(id, [...this.#pool.ids(), ...(this.#options.others?.() ?? [])])
  }

  /** Refuses an id that a world has, or none can have. */
  requireNew(id: string): void {
    requireName('id', id)
    this.#requireFree(id)
  }

  #newId(asked: string | undefined): string {
    if (asked === undefined) {
      const { name, n } = freeName('w', this.#named, (id) => this.#pool.has(id))
      this.#named = n
      return name
    }
    this.requireNew(asked)
    return asked
  }

  #requireFree(id: string): void {
    if (!this.#pool.has(id)) return
    throw new Refusal(
      'WORLD_EXISTS',
      `There is a world "${id}" already. Choose another id, or DELETE /_mfano/worlds/${id} first.`,
    )
  }
}
