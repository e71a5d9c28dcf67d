import { type Host, orClosed, type SnapshotStore } from './host.ts'
import type { GivenParameters } from './model/assumption.ts'
import { isRecord } from './model/must.ts'
import { hintOf } from './model/problems.ts'
import { Refusal, worldClosed } from './model/refusal.ts'
import type { InstantUs } from './model/time.ts'
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
import { Snapshots } from './world/snapshots.ts'
import { type Beginning, type Prepared, WorldFactory, type WorldFactoryOptions } from './world/world-factory.ts'
import { type Remembered, WorldPool, type WorldPoolOptions } from './world/world-pool.ts'
import { nowIn, World, type WorldSettings, type WorldSummary } from './world.ts'
import { fileOf, takeImage, unpackWorld, type WorldImage } from './world-image.ts'

export interface WorldsOptions extends WorldFactoryOptions, WorldPoolOptions, Pick<WorldSettings, 'inboxBytes'> {
  snapshotStore: SnapshotStore
  record?: boolean | undefined
  seed?: number | undefined
  version: string
  others?(): readonly string[]
}

/** The worlds share nothing but the process. */
export class Worlds extends WorldPool {
  readonly snapshots: Snapshots
  readonly library: ScenarioLibrary
  readonly #options: WorldsOptions
  readonly #factory: WorldFactory
  readonly #parents = new Map<string, string>()
  #named = 0
  #closed = false

  /**
   * Opens what is stored, and makes the default world if there is none. That one stays open; others open when needed.
   */
  constructor(options: WorldsOptions) {
    super(options)
    const { databases } = options
    const { home } = this
    this.#options = options
    this.library = options.library
    this.#factory = new WorldFactory(options)
    this.snapshots = new Snapshots(options.snapshotStore, options.version)
    try {
      const stored = databases.list().filter(isWorldName)
      for (const id of stored) if (id !== home) this.note(id)
      if (stored.includes(home)) this.#openHome()
      else if (home === DEFAULT_WORLD) this.create({ id: home, record: options.record, seed: options.seed })
    } catch (error) {
      this.close()
      throw error
    }
    this.survey()
  }

  get default(): World {
    return super.get(DEFAULT_WORLD)
  }

  /**
   * Open as long as the server runs, so that no other process uses the data directory. If it cannot be read, the others
   * still work.
   */
  #openHome(): void {
    const { databases, scenario, parameters } = this.#options
    const { home } = this
    const isChosen = scenario !== 'default' || parameters !== undefined
    const usual = isChosen && home === DEFAULT_WORLD ? this.#factory.defaultScenario() : undefined
    try {
      this.add(this.opened(home, databases.open(home)))
    } catch (error) {
      // Another mfano's directory, that of a newer one, or storage that does not work: somebody has to choose, and is told how.
      const unreadable = error instanceof StorageFailure && error.unreadable
      if (!unreadable && isRecord(error) && error['hint'] !== undefined) throw error
      this.note(home, error)
      this.failed(home, error, `opening the ${home} world, which is not served until it is reset or replaced`)
      return
    }
    if (usual) this.default.performNow({ command: 'set-scenario', scenario: usual })
  }

  /** The default world's scenario; the usual one while that world cannot be read. */
  get scenario(): Scenario {
    try {
      return this.default.core.scenario
    } catch {
      return this.#factory.defaultScenario()
    }
  }

  failed(id: string, error: unknown, doing: string): void {
    this.#options.observer(id).error(error, doing)
  }

  override get(id: string): World {
    this.#require(id)
    return super.get(id)
  }

  describe(id: string): WorldSummary & { nowUs: InstantUs } {
    const summary = this.summary(id)
    return { ...summary, nowUs: nowIn(summary, this.host.wallUs) }
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
    const { world: id, snapshot } = findSource(from, this, this.snapshots)
    if (snapshot !== undefined) return this.resumeFrom(change, await this.snapshots.image(id, snapshot))
    const world = this.get(id)
    return this.resumeFrom(change, takeImage(world, this.#options.version), world.core.scenario)
  }

  resumeFrom(change: Omit<ForkRequest, 'from'>, taken: WorldImage, scenario?: Scenario): World {
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
    this.forget(id, true)
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
    return sent === undefined ? this.#factory.defaultScenario(parameters) : sentScenario(this.library, sent, parameters)
  }

  override close(): void {
    this.#closed = true
    super.close()
  }

  #put(id: string, { image, begin }: Prepared): World {
    if (this.#closed) throw worldClosed()
    this.makeRoom(1)
    if (this.has(id)) this.closeOne(id, true)
    try {
      const opened = (sql: Sql) => this.opened(id, sql, { scenario: orClosed(sql, begin) })
      return this.add(this.#options.databases.put(id, image, opened))
    } catch (error) {
      // The storage failed: the world that was closed, if there was one, is still there, and may have something to do.
      this.survey()
      throw error
    }
  }

  protected opened(id: string, sql: Sql, { scenario, past }: Remembered = {}): World {
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
          onFree: () => this.makeRoom(0),
        }),
    )
  }

  /** Undefined where the world cannot be opened. */
  #beginning(id: string): Beginning | undefined {
    try {
      const { core, origin } = super.get(id)
      return { scenario: core.scenario, origin }
    } catch {
      return undefined
    }
  }

  #require(id: string): void {
    if (this.has(id)) return
    throw noSuchWorld(id, [...this.ids(), ...(this.#options.others?.() ?? [])])
  }

  requireNew(id: string): void {
    requireName('id', id)
    this.#requireFree(id)
  }

  #newId(asked: string | undefined): string {
    if (asked === undefined) {
      const { name, n } = freeName('w', this.#named, (id) => this.has(id))
      this.#named = n
      return name
    }
    this.requireNew(asked)
    return asked
  }

  #requireFree(id: string): void {
    if (!this.has(id)) return
    throw new Refusal('WORLD_EXISTS', `There is a world "${id}" already. Choose another id, or`, {
      hints: [hintOf('{} first.', 'world.delete', { id })],
    })
  }
}

// Worlds as the routes of a server see them; on some hosts each world is elsewhere.

type Eventual<T> = T | Promise<T>

type Asked<Member> = Member extends (...given: infer Given) => infer Answer
  ? (...given: Given) => Eventual<Awaited<Answer> extends World ? Pick<World, 'id'> : Awaited<Answer>>
  : Eventual<Member>

type Elsewhere<All, Names extends keyof All> = { readonly [Name in Names]: Asked<All[Name]> }

export type ServerSnapshots = Elsewhere<Snapshots, 'list' | 'file' | 'remove'>

type Told = 'count' | 'ids' | 'has' | 'describe' | 'file' | 'below'
type Changed = 'create' | 'fork' | 'restore' | 'putFile' | 'remove' | 'putBelow'

export type ServerWorlds = Elsewhere<Worlds, Told | Changed> & { readonly snapshots: ServerSnapshots }
