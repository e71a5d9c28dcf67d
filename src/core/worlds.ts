import { type Host, orClosed, type SnapshotStore, using } from './host.ts'
import type { GivenParameters } from './model/assumption.ts'
import { isRecord } from './model/must.ts'
import { hintOf } from './model/problems.ts'
import { Refusal, worldClosed } from './model/refusal.ts'
import type { ClockMode, InstantUs } from './model/time.ts'
import {
  DEFAULT_WORLD,
  type ForkRequest,
  findSource,
  freeName,
  isWorldName,
  noSuchWorld,
  requireName,
  type WorldRequest,
} from './new-world.ts'
import type { Scenario } from './scenario.ts'
import { type ScenarioLibrary, sentScenario, storedScenario } from './scenario-library.ts'
import { type Sql, StorageFailure } from './sql.ts'
import type { WorldHistory } from './store/store.ts'
import { Snapshots } from './world/snapshots.ts'
import { type Beginning, type Prepared, WorldFactory, type WorldFactoryOptions } from './world/world-factory.ts'
import { type Remembered, WorldPool } from './world/world-pool.ts'
import { nowIn, summaryIn, World, type WorldSettings } from './world.ts'
import { fileOf, takeImage, unpackWorld, type WorldImage, type WorldSnapshot } from './world-image.ts'

export interface WorldsOptions extends WorldFactoryOptions, Pick<WorldSettings, 'inboxBytes'> {
  snapshotStore: SnapshotStore
  record?: boolean | undefined
  seed?: number | undefined
  /** Idle worlds beyond this are closed until somebody asks for them. */
  openMax: number
  version: string
  others?(): readonly string[]
  /**
   * The world that is always open, at whose address others are created; `default` unless the server has a single world.
   */
  home?: string | undefined
}

export interface Description extends WorldHistory {
  id: string
  scenario: string
  seed: number
  /** `rate`: world seconds per real second, 0 when time stands. */
  clock: { mode: ClockMode; rate: number; nowUs: InstantUs }
  callbacksPaused: boolean
}

/** The worlds share nothing but the process. */
export class Worlds {
  readonly snapshots: Snapshots
  readonly library: ScenarioLibrary
  readonly #options: WorldsOptions
  readonly #pool: WorldPool
  readonly #factory: WorldFactory
  readonly #home: string
  readonly #parents = new Map<string, string>()
  #named = 0
  #closed = false

  /**
   * Opens what is stored, and makes the default world if there is none. That one stays open; others open when needed.
   */
  constructor(options: WorldsOptions) {
    const { databases, host, observer, openMax, home = DEFAULT_WORLD } = options
    this.#options = options
    this.library = options.library
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
      else if (home === DEFAULT_WORLD) this.create({ id: home, record: options.record, seed: options.seed })
    } catch (error) {
      this.close()
      throw error
    }
    this.#pool.survey()
  }

  get default(): World {
    return this.#pool.get(DEFAULT_WORLD)
  }

  /**
   * Open as long as the server runs, so that no other process uses the data directory. If it cannot be read, the others
   * still work.
   */
  #openHome(): void {
    const { databases, scenario, parameters, observer } = this.#options
    const home = this.#home
    const isChosen = scenario !== 'default' || parameters !== undefined
    const usual = isChosen && home === DEFAULT_WORLD ? this.#factory.usual() : undefined
    try {
      this.#pool.add(this.#opened(home, databases.open(home)))
    } catch (error) {
      // Another mfano's directory, that of a newer one, or storage that does not work: somebody has to choose, and is told how.
      const unreadable = error instanceof StorageFailure && error.unreadable
      if (!unreadable && isRecord(error) && error['hint'] !== undefined) throw error
      this.#pool.note(home, error)
      observer(home).error(error, `opening the ${home} world, which is not served until it is reset or replaced`)
      return
    }
    if (usual) this.default.performNow({ command: 'set-scenario', scenario: usual })
  }

  /** The default world's scenario; the usual one while that world cannot be read. */
  get scenario(): Scenario {
    try {
      return this.default.core.scenario
    } catch {
      return this.#factory.usual()
    }
  }

  failed(id: string, error: unknown, doing: string): void {
    this.#options.observer(id).error(error, doing)
  }

  get host(): Host {
    return this.#options.host
  }

  get(id: string): World {
    this.#require(id)
    return this.#pool.get(id)
  }

  ids(): string[] {
    return [DEFAULT_WORLD, ...this.#pool.ids().filter((id) => id !== DEFAULT_WORLD)]
  }

  get open(): World[] {
    return this.#pool.open
  }

  has(id: string): boolean {
    return this.#pool.has(id)
  }

  get count(): number {
    return this.#pool.size
  }

  describe(id: string): Description {
    const summary = this.#pool.summary(id)
    const { scenario, seed, clock, beganUs, payments, callbacksPaused } = summary
    const rate = clock.mode === 'frozen' ? 0 : clock.rate
    const nowUs = nowIn(summary, this.#options.host.wallUs)
    return { id, scenario, seed, clock: { mode: clock.mode, rate, nowUs }, beganUs, payments, callbacksPaused }
  }

  create(request: WorldRequest): World {
    const id = this.#newId(request.id)
    return this.#put(id, this.#factory.begun(id, request))
  }

  /** Prepares the world while nobody sees it, because that takes long, and puts it in place when it is complete, or never. */
  async createPopulated(request: WorldRequest & { id: string }, make: (world: World) => Promise<void>): Promise<World> {
    const id = this.#newId(request.id)
    const prepared = await this.#factory.populated(id, request, make)
    this.#requireFree(id)
    return this.#put(id, prepared)
  }

  async fork({ from, ...change }: ForkRequest): Promise<World> {
    const { world: id, snapshot } = findSource(from, this.#pool, this.snapshots)
    if (snapshot !== undefined) return this.goOn(change, await this.snapshots.image(id, snapshot))
    const world = this.get(id)
    return this.goOn(change, takeImage(world, this.#options.version), world.core.scenario)
  }

  goOn(change: Omit<ForkRequest, 'from'>, taken: WorldImage, scenario?: Scenario): World {
    const id = this.#newId(change.id)
    return this.#put(id, this.#factory.resumed(id, taken, { change, scenario }))
  }

  /**
   * In memory, known to nobody, with a clock that stands. The caller closes it. Refuses worlds that are too large to be
   * copied for a question.
   */
  copy(world: World, host: Host): World {
    return this.#factory.copy(world, host, this.#options.version)
  }

  async restore(id: string, of: { world: string; name: string }): Promise<World> {
    return this.restoreFrom(id, await this.snapshots.image(of.world, of.name))
  }

  restoreFrom(id: string, taken: WorldImage): World {
    this.#require(id)
    return this.#put(id, this.#factory.resumed(id, taken))
  }

  async file(id: string): Promise<Uint8Array> {
    return (await fileOf(this.get(id), this.#options.version)).file
  }

  /** Imports a world from a file, as a new one or in place of the one with the id. Its callbacks are paused. */
  async putFile(id: string, file: Uint8Array): Promise<World> {
    requireName('id', id)
    const taken = await unpackWorld(file)
    await this.#factory.inspect(taken)
    return this.#put(id, this.#factory.resumed(id, taken, { sent: true }))
  }

  /** Stops everything in the world, deliveries included. Its snapshots stay. */
  remove(id: string): void {
    if (id === DEFAULT_WORLD) {
      throw new Refusal('WORLD_NEEDED', 'The world "default" cannot be removed;', {
        hints: [hintOf('{} empties it.', 'world.reset')],
      })
    }
    this.#require(id)
    this.#pool.forget(id, true)
    this.#parents.delete(id)
    this.#options.databases.remove(id)
  }

  putBelow(parent: string, id: string): void {
    this.#parents.set(id, parent)
  }

  below(parent: string): string[] {
    return [...this.#parents].filter(([, of]) => of === parent).map(([id]) => id)
  }

  /**
   * An empty world with the same id, seed, clock setting and scenario; its ids are new unless a seed was given. One that
   * cannot be opened begins as a new one.
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

  /** One that is sent, by its name or as a text; otherwise the usual one. */
  chosenScenario(sent: string | undefined, parameters?: GivenParameters): Scenario {
    return sent === undefined ? this.#factory.usual(parameters) : sentScenario(this.library, sent, parameters)
  }

  close(): void {
    this.#closed = true
    this.#pool.end()
  }

  #put(id: string, { image, begin }: Prepared): World {
    if (this.#closed) throw worldClosed()
    this.#pool.makeRoomForOne()
    if (this.#pool.has(id)) this.#pool.close(id, true)
    try {
      const opened = (sql: Sql) => this.#opened(id, sql, { scenario: orClosed(sql, begin) })
      return this.#pool.add(this.#options.databases.put(id, image, opened))
    } catch (error) {
      // The storage failed: the world that was closed, if there was one, is still there, and may have something to do.
      this.#pool.survey()
      throw error
    }
  }

  #opened(id: string, sql: Sql, { scenario, past }: Remembered = {}): World {
    const { service, host, library, observer, inboxBytes } = this.#options
    return orClosed(
      sql,
      () =>
        new World({
          id,
          service,
          sql,
          host,
          past,
          inboxBytes,
          observer: observer(id),
          loadScenario: (stored) => scenario ?? storedScenario(library, stored()),
          onFree: () => this.#pool.makeRoom(),
        }),
    )
  }

  /** Undefined where the world cannot be opened. */
  #beginning(id: string): Beginning | undefined {
    try {
      const { core, origin } = this.#pool.get(id)
      return { scenario: core.scenario, origin }
    } catch {
      return undefined
    }
  }

  #require(id: string): void {
    if (this.#pool.has(id)) return
    throw noSuchWorld(id, [...this.#pool.ids(), ...(this.#options.others?.() ?? [])])
  }

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
    throw new Refusal('WORLD_EXISTS', `There is a world "${id}" already. Choose another id, or`, {
      hints: [hintOf('{} first.', 'world.delete', { id })],
    })
  }
}

// Worlds as the routes of a server see them; on some hosts each world is elsewhere.

type Eventual<T> = T | Promise<T>

type Made = Pick<World, 'id'>

export interface ServerWorlds {
  readonly snapshots: ServerSnapshots
  readonly count: Eventual<number>
  ids(): Eventual<string[]>
  has(id: string): Eventual<boolean>
  describe(id: string): Eventual<Description>
  create(request: WorldRequest): Eventual<Made>
  fork(request: ForkRequest): Promise<Made>
  restore(id: string, of: { world: string; name: string }): Promise<Made>
  file(id: string): Promise<Uint8Array>
  putFile(id: string, file: Uint8Array): Promise<Made>
  remove(id: string): Eventual<void>
  /** Worlds that were made below a world's address are listed there, and removed with it. */
  putBelow(parent: string, id: string): Eventual<void>
  below(parent: string): Eventual<string[]>
}

export interface ServerSnapshots {
  list(world?: string): Eventual<WorldSnapshot[]>
  file(world: string, name: string): Eventual<Uint8Array>
  remove(world: string, name: string): Eventual<void>
}
