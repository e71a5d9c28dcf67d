import type { Observer } from './core.ts'
import { type Host, inSteps, orClosed, type SnapshotStore, using } from './host.ts'
import type { GivenParameters } from './model/assumption.ts'
import { parseInZone } from './model/calendar.ts'
import { seedFor } from './model/chance.ts'
import type { Service } from './model/kind.ts'
import { errorOf, isRecord, must } from './model/must.ts'
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
  type Origin,
  readMeta,
  requireName,
  type WorldChange,
  type WorldRequest,
} from './new-world.ts'
import { bareSettings, type Scenario, type StoredScenario, toStored } from './scenario.ts'
import { drawnScenario, type ScenarioLibrary, sentScenario, storedScenario } from './scenario-library.ts'
import { SCHEMA_VERSION } from './schema.ts'
import { type Sql, StorageFailure } from './sql.ts'
import { Meta } from './store/counter-table.ts'
import { Snapshots } from './world/snapshots.ts'
import { type Remembered, WorldPool, type WorldPoolOptions } from './world/world-pool.ts'
import { makeCore, nowIn, World, type WorldSettings, type WorldSummary } from './world.ts'
import {
  aboutFile,
  badFile,
  fileOf,
  inspecting,
  type Resumption,
  resumeAs,
  takeImage,
  unpackWorld,
  type WorldImage,
} from './world-image.ts'

interface Beginning {
  origin: Origin
  scenario: Scenario
}

interface Prepared {
  image: Uint8Array
  begin(sql: Sql): Scenario
}

/** Has the scenario when the caller knows it: reading it from the image may take long. */
type Resuming = Partial<Omit<Resumption, 'id'>>

/** A test suite rarely uses more different worlds. */
const BEGINNINGS_KEPT = 16
/** Larger worlds are not copied for a question: a copy takes memory and stops all other work for a moment. */
const COPY_MAX_BYTES = 64 * 1024 ** 2

export interface WorldsOptions extends WorldPoolOptions, Pick<WorldSettings, 'inboxBytes'> {
  service: Service
  library: ScenarioLibrary
  observer(worldId: string): Observer
  scenario: string
  parameters?: GivenParameters
  /** For the world `default`, unless its scenario has a seed of its own. */
  idSeed?: number | undefined
  snapshotStore: SnapshotStore
  record?: boolean | undefined
  seed?: number | undefined
  version: string
  others?(): readonly string[]
}

/** The worlds share nothing but the process. All that can be refused is refused before anything is stored or changed. */
export class Worlds extends WorldPool {
  readonly snapshots: Snapshots
  readonly library: ScenarioLibrary
  readonly #options: WorldsOptions
  readonly #parents = new Map<string, string>()
  readonly #beginnings: { scenario: Scenario; origin: string; image: Uint8Array }[] = []
  #named = 0

  /**
   * Opens what is stored, and makes the default world if there is none. That one stays open; others open when needed.
   */
  constructor(options: WorldsOptions) {
    super(options)
    const { databases } = options
    const { home } = this
    this.#options = options
    this.library = options.library
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
    return this.get(DEFAULT_WORLD)
  }

  /**
   * Open as long as the server runs, so that no other process uses the data directory. If it cannot be read, the others
   * still work.
   */
  #openHome(): void {
    const { databases, scenario, parameters } = this.#options
    const { home } = this
    const isChosen = scenario !== 'default' || parameters !== undefined
    const usual = isChosen && home === DEFAULT_WORLD ? this.#defaultScenario() : undefined
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
      return this.#defaultScenario()
    }
  }

  failed(id: string, error: unknown, doing: string): void {
    this.#options.observer(id).error(error, doing)
  }

  describe(id: string): WorldSummary & { nowUs: InstantUs } {
    const summary = this.summary(id)
    return { ...summary, nowUs: nowIn(summary, this.host.wallUs) }
  }

  create(request: WorldRequest): World {
    const id = this.#newId(request.id)
    return this.#put(id, this.#begun(this.#beginningOf(id, request)))
  }

  /** Prepares the world while nobody sees it, because that takes long, and puts it in place when it is complete, or never. */
  async createPopulated(request: WorldRequest & { id: string }, make: (world: World) => Promise<void>): Promise<World> {
    const { databases, host, observer, service } = this.#options
    const id = this.#newId(request.id)
    const { scenario, origin } = this.#beginningOf(id, request)
    const sql = databases.draft()
    try {
      const options = { id, service, host, observer: observer(id), loadScenario: () => scenario, origin }
      const world = new World({ ...options, sql: { ...sql, close: () => {} } })
      await make(world).finally(() => world.close())
      this.#requireFree(id)
      return this.#put(id, { image: sql.serialize(), begin: () => world.core.scenario })
    } finally {
      sql.close()
    }
  }

  async fork({ from, ...change }: ForkRequest): Promise<World> {
    const { world: id, snapshot } = findSource(from, this, this.snapshots)
    if (snapshot !== undefined) return this.resumeFrom(change, await this.snapshots.image(id, snapshot))
    const world = this.get(id)
    return this.resumeFrom(change, takeImage(world, this.#options.version), world.core.scenario)
  }

  resumeFrom(change: Omit<ForkRequest, 'from'>, taken: WorldImage, scenario?: Scenario): World {
    const id = this.#newId(change.id)
    return this.#put(id, this.#resumed(id, taken, { change, scenario }))
  }

  /**
   * In memory, known to nobody, with a clock that stands. The caller closes it. Refuses worlds that are too large to be
   * copied for a question.
   */
  copy(world: World, host: Host): World {
    const { databases, service, observer, version } = this.#options
    const { id, core } = world
    const change = { clock: { mode: 'frozen' }, record: false } as const
    const taken = takeImage(world, version, { mostBytes: COPY_MAX_BYTES })
    const { image, begin } = this.#resumed(id, taken, { change, scenario: core.scenario })
    const sql = databases.draft(image)
    const silent: Observer = { happened: () => {}, error: (error, doing) => observer(id).error(error, doing) }
    return orClosed(sql, () => {
      const scenario = begin(sql)
      return new World({ id, service, sql, host, observer: silent, loadScenario: () => scenario })
    })
  }

  async restore(id: string, of: { world: string; name: string }): Promise<World> {
    return this.restoreFrom(id, await this.snapshots.image(of.world, of.name))
  }

  restoreFrom(id: string, taken: WorldImage): World {
    this.require(id)
    return this.#put(id, this.#resumed(id, taken))
  }

  async file(id: string): Promise<Uint8Array> {
    return (await fileOf(this.get(id), this.#options.version)).file
  }

  /** Imports a world from a file, as a new one or in place of the one with the id. Its callbacks are paused. */
  async putFile(id: string, file: Uint8Array): Promise<World> {
    requireName('id', id)
    const taken = await unpackWorld(file)
    await this.#inspect(taken)
    return this.#put(id, this.#resumed(id, taken, { sent: true }))
  }

  /** Stops everything in the world, deliveries included. Its snapshots stay. */
  remove(id: string): void {
    if (id === DEFAULT_WORLD) {
      throw new Refusal('WORLD_NEEDED', 'The world "default" cannot be removed;', {
        hints: [hintOf('{} empties it.', 'world.reset')],
      })
    }
    this.require(id)
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
    this.require(id)
    const isDefault = id === DEFAULT_WORLD
    const before = this.#beginning(id)
    if (!before) return this.#put(id, this.#begun(this.#beginningOf(id, {})))
    const { scenario, origin } = before
    // Apps keep ids as unique, so those that mfano drew do not come again.
    const redrawn = isDefault && origin.idSeed !== undefined && { idSeed: seedFor(origin.idSeed, 'reset') }
    const recorded = isDefault && this.#options.record && { recorded: true as const }
    return this.#put(id, this.#begun({ scenario, origin: { ...origin, ...redrawn, ...recorded } }))
  }

  /** One that is sent, by its name or as a text; otherwise the usual one. */
  chosenScenario(sent: string | undefined, parameters?: GivenParameters): Scenario {
    return sent === undefined ? this.#defaultScenario(parameters) : sentScenario(this.library, sent, parameters)
  }

  #defaultScenario(parameters = this.#options.parameters): Scenario {
    return this.library.find(this.#options.scenario, parameters)
  }

  #beginningOf(id: string, { scenario: asked, parameters, seed, assumptions, clock, record }: WorldRequest): Beginning {
    const plain = this.chosenScenario(asked, parameters)
    const asWritten = assumptions === undefined ? plain : drawnScenario(this.library, plain)
    // The draw may choose its time zone, which says when the world begins.
    const scenario = asWritten.isDrawn && seed !== undefined ? asWritten.withSeed(seed) : asWritten
    const startUs = clock?.startUs
    const origin = {
      seed: seed ?? scenario.seed,
      ...(seed === undefined && this.#idsOf(id, scenario.seed)),
      clock: {
        mode: clock?.mode ?? scenario.clock.mode,
        rate: clock?.rate ?? scenario.clock.rate,
        startUs:
          (typeof startUs === 'string' ? parseInZone(startUs, scenario.zone) : startUs) ?? scenario.clock.startUs,
      },
      ...(record && { recorded: true as const }),
    }
    return { scenario, origin }
  }

  #idsOf(id: string, seed: number): { idSeed?: number } {
    if (id !== DEFAULT_WORLD) return { idSeed: seedFor(seed, id) }
    const { idSeed } = this.#options
    return idSeed === undefined || seed !== bareSettings.seed ? {} : { idSeed }
  }

  #begun({ scenario, origin }: Beginning): Prepared {
    return {
      image: this.#beginningImage(scenario, origin),
      begin: (sql) => {
        new Meta(sql).set('origin', origin)
        return scenario
      },
    }
  }

  /**
   * A world with a frozen start begins the same every time, as in test suites, so its image is kept. Only the origin
   * differs, which ids are drawn from.
   */
  #beginningImage(scenario: Scenario, origin: Origin): Uint8Array {
    const { databases, host, service } = this.#options
    const alike = JSON.stringify({ ...origin, idSeed: null })
    // The scenario itself and not its name, because its files may have changed.
    const kept = this.#beginnings.find((one) => one.scenario === scenario && one.origin === alike)
    if (kept) return kept.image
    const image = using(databases.draft(), (sql) => {
      const observer = { error: () => {}, happened: () => {} }
      makeCore({ service, sql, host, observer, emit: () => {}, loadScenario: () => scenario, origin })
      return sql.serialize()
    })
    const { mode, startUs } = origin.clock
    if (mode === 'frozen' && startUs !== null) {
      if (this.#beginnings.length >= BEGINNINGS_KEPT) this.#beginnings.shift()
      this.#beginnings.push({ scenario, origin: alike, image })
    }
    return image
  }

  #resumed(id: string, taken: WorldImage, { change, scenario, sent = false }: Resuming = {}): Prepared {
    requireSchema(taken)
    const known = scenario && (this.#changed(toStored(scenario), change) ?? scenario)
    return {
      image: taken.image,
      begin: (sql) => {
        const scenario = known ?? this.#storedIn(sql, sent, change)
        resumeAs(sql, taken, { id, scenario, sent, change }, this.#options.host)
        return scenario
      },
    }
  }

  /** Refuses an image from elsewhere that is damaged or no world's. */
  async #inspect(taken: WorldImage): Promise<void> {
    requireSchema(taken)
    const { databases, host, service } = this.#options
    try {
      const sql = databases.draft(taken.image)
      const scenario = () => this.#storedIn(sql, true)
      await inSteps(host, inspecting(sql, service, scenario)).finally(() => sql.close())
    } catch (error) {
      throw aboutFile(error)
    }
  }

  #changed({ source, file }: StoredScenario, change: WorldChange | undefined): Scenario | undefined {
    if (change?.scenario !== undefined) return sentScenario(this.library, change.scenario, change.parameters)
    return change?.parameters && this.library.parse(source, file, change.parameters)
  }

  #storedIn(sql: Sql, sent: boolean, change?: WorldChange): Scenario {
    const stored = must(readMeta(new Meta(sql), 'scenario'))
    const changed = this.#changed(stored, change)
    if (changed) return changed
    const { file, ...bare } = stored
    try {
      return storedScenario(this.library, sent ? bare : stored)
    } catch (error) {
      throw badFile(`its scenario cannot be used here: ${errorOf(error).message}`)
    }
  }

  #put(id: string, { image, begin }: Prepared): World {
    if (this.ended) throw worldClosed()
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
    const { service, host, observer, inboxBytes } = this.#options
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
          loadScenario: (stored) => scenario ?? storedScenario(this.library, stored()),
          onFree: () => this.makeRoom(0),
        }),
    )
  }

  /** Undefined where the world cannot be opened. */
  #beginning(id: string): Beginning | undefined {
    try {
      const { core, origin } = this.get(id)
      return { scenario: core.scenario, origin }
    } catch {
      return undefined
    }
  }

  protected require(id: string): void {
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

function requireSchema({ identity: { schemaVersion } }: WorldImage): void {
  if (schemaVersion !== SCHEMA_VERSION)
    throw badFile(
      `its database has schema version ${schemaVersion}; this mfano knows version ${SCHEMA_VERSION} only. Use the mfano that wrote it, or make the world again from its scenario and seed`,
    )
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
