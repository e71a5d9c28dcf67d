import type { ClockMode } from '../clock/clock.ts'
import type { Observer } from '../engine/core.ts'
import { didYouMean } from '../model/nearest.ts'
import { Refusal } from '../model/refusal.ts'
import type { InstantUs } from '../model/time.ts'
import type { GivenParameters } from '../scenarios/parameters.ts'
import type { Scenario } from '../scenarios/scenario.ts'
import { shapeOf } from '../store/image.ts'
import type { Sql } from '../store/sql.ts'
import { makeCore, type Origin, type StoredScenario, toStored } from './begin.ts'
import { Beginnings } from './beginnings.ts'
import { type Databases, orClosed, using } from './databases.ts'
import { glanceAt, nowIn } from './glance.ts'
import type { Host } from './host.ts'
import { type ScenarioLibrary, sentScenario } from './library.ts'
import { freeName, isName, requireName } from './names.ts'
import { Roster } from './roster.ts'
import type { SnapshotShelf } from './shelf.ts'
import { Snapshots } from './snapshots.ts'
import { findSource } from './source.ts'
import { inspect, resumeAs, take } from './taken.ts'
import { World } from './world.ts'
import { badFile, packWorld, type Taken, unpackWorld } from './world-file.ts'

/** The name of the world at the plain base URL. */
export const DEFAULT_WORLD = 'default'

export interface WorldsOptions {
  databases: Databases
  shelf: SnapshotShelf
  host: Host
  library: ScenarioLibrary
  observer(worldId: string): Observer
  /** The scenario of worlds that name none. */
  scenario: string
  /** Values for that scenario's parameters. */
  parameters?: GivenParameters
  /** The default world takes the scenario above even when it has another one stored. */
  scenarioWins: boolean
  /** Worlds that are open at once; idle ones beyond that are closed until they are asked for. */
  openMax: number
  /** Of this mfano, for the files that it writes. */
  version: string
}

/** What a new world may be told. */
export interface WorldRequest {
  id?: string | undefined
  /** A shipped name, or the text of a scenario. */
  scenario?: string | undefined
  /** Values for the parameters of that scenario, or of the usual one when none is named. */
  parameters?: GivenParameters | undefined
  seed?: number | undefined
  clock?: { mode?: ClockMode | undefined; rate?: number | undefined; startUs?: InstantUs | undefined } | undefined
}

/** What a fork may be told. The seed and the time are those of what it is made from. */
export interface ForkRequest extends Pick<WorldRequest, 'id' | 'scenario' | 'parameters'> {
  /** A world's id, a snapshot's name, or both as `world/name`. */
  from: string
  clock?: { mode?: ClockMode | undefined; rate?: number | undefined } | undefined
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
  readonly #roster: Roster
  readonly #beginnings: Beginnings
  #shape: readonly string[] | undefined
  #named = 0

  /** Finds what is stored, and makes the default world when there is none. That one is always open, the others when needed. */
  constructor(options: WorldsOptions) {
    const { databases, host, observer, openMax } = options
    this.#options = options
    this.#beginnings = new Beginnings(databases)
    this.snapshots = new Snapshots(options.shelf, options.version)
    this.#roster = new Roster({
      openMax,
      pinned: DEFAULT_WORLD,
      host,
      open: (id, scenario) => this.#opened(id, databases.open(id), scenario),
      look: (id) => using(databases.open(id), glanceAt),
      failed: (id, error, doing) => observer(id).error(error, doing),
    })
    try {
      const stored = databases.list().filter(isName)
      for (const id of stored) if (id !== DEFAULT_WORLD) this.#roster.note(id)
      if (!stored.includes(DEFAULT_WORLD)) this.create({ id: DEFAULT_WORLD })
      else {
        // Open as long as the server is, it keeps others off the data directory.
        this.#roster.add(this.#opened(DEFAULT_WORLD, databases.open(DEFAULT_WORLD)))
        if (options.scenarioWins) void this.default.setScenario(this.#usual())
      }
    } catch (error) {
      this.close()
      throw error
    }
    this.#roster.survey()
  }

  get default(): World {
    return this.#roster.get(DEFAULT_WORLD)
  }

  /** The world of an id; refuses one that does not exist, and says how to make it. */
  get(id: string): World {
    this.#require(id)
    return this.#roster.get(id)
  }

  /** The ids of all worlds, the default one first. */
  ids(): string[] {
    return [DEFAULT_WORLD, ...this.#roster.ids().filter((id) => id !== DEFAULT_WORLD)]
  }

  /** The worlds that are open at the moment, for what concerns no closed one. */
  get open(): World[] {
    return this.#roster.open
  }

  has(id: string): boolean {
    return this.#roster.has(id)
  }

  get count(): number {
    return this.#roster.size
  }

  /** What a list shows of a world, which is not opened for it. An error when it cannot be read. */
  describe(id: string): Description {
    const glance = this.#roster.glance(id)
    const { scenario, seed, clock } = glance
    const rate = clock.mode === 'frozen' ? 0 : clock.rate
    return { id, scenario, seed, clock: { mode: clock.mode, rate, nowUs: nowIn(glance, this.#options.host.wallUs) } }
  }

  create(request: WorldRequest): World {
    const id = this.#newId(request.id)
    const { scenario: asked, parameters } = request
    const scenario =
      asked === undefined ? this.#usual(parameters) : sentScenario(this.#options.library, asked, parameters)
    return this.#put(id, this.#begun(id, this.#originOf(request, scenario), scenario), scenario)
  }

  /** A new world that goes on where another one is, or was when it was saved: with all that waits in it. */
  async fork(request: ForkRequest): Promise<World> {
    const { world: id, snapshot } = findSource(request.from, this.#roster.ids(), this.snapshots)
    if (snapshot !== undefined) {
      const taken = await unpackWorld(this.snapshots.file(id, snapshot))
      return this.#bringUp(this.#newId(request.id), taken, { change: request })
    }
    const world = this.get(id)
    const taken = take(world, this.#options.version)
    return this.#bringUp(this.#newId(request.id), taken, { change: request, scenario: world.core.scenario })
  }

  /** Takes a world back to a snapshot, of itself or of another; its id stays. */
  async restore(id: string, of: { world: string; name: string }): Promise<World> {
    const taken = await unpackWorld(this.snapshots.file(of.world, of.name))
    this.#require(id)
    return this.#bringUp(id, taken)
  }

  /** A world as one file, to be brought up here or elsewhere. */
  file(id: string): Promise<Uint8Array> {
    return packWorld(take(this.get(id), this.#options.version))
  }

  /** The world in a file, as a new world or in the place of the one that has the id. */
  async putFile(id: string, file: Uint8Array): Promise<World> {
    requireName('id', id)
    return this.#bringUp(id, await unpackWorld(file), { sent: true })
  }

  /** Ends what goes on in a world, deliveries included, and forgets it. Its snapshots stay. */
  remove(id: string): void {
    if (id === DEFAULT_WORLD) {
      throw new Refusal('WORLD_NEEDED', 'The world "default" cannot be removed; POST /_mfano/reset empties it.', {
        status: 409,
        message: 'World is needed',
      })
    }
    this.#require(id)
    this.#roster.forget(id)
    this.#options.databases.remove(id)
  }

  /** Back to the beginning: an empty world with the same id, seed, clock setting and scenario as now. */
  reset(id: string): World {
    const { core, origin } = this.get(id)
    const again = { ...origin, scenario: toStored(core.scenario) }
    return this.#put(id, this.#begun(id, again, core.scenario), core.scenario)
  }

  /** What somebody sent: a shipped name, or a text. Paths are for those who start the server. Throws `ScenarioError`. */
  parseScenario(source: string, parameters?: GivenParameters): Scenario {
    return sentScenario(this.#options.library, source, parameters)
  }

  /** Every scenario that is shipped, by name. */
  shippedScenarios(): Scenario[] {
    const { library } = this.#options
    return library.names.map((name) => library.shipped(name))
  }

  /** A scenario with another text: what it extends is found where it was, and its parameters keep their values. */
  sameScenario({ file, given }: Scenario, source: string): Scenario {
    return this.#options.library.parse(source, file, given)
  }

  close(): void {
    this.#roster.end()
  }

  /** A draft with the beginning of a world. */
  #begun(id: string, origin: Origin, scenario: Scenario): Sql {
    const { host, observer } = this.#options
    const making = { host, observer: observer(id), happened: () => {}, origin, loadScenario: () => scenario }
    return this.#beginnings.draft(origin, scenario, (draft) =>
      orClosed(draft, () => makeCore({ ...making, sql: draft })),
    )
  }

  /**
   * A world that was taken, under an id. Everything that can be refused is refused before the world that may have the
   * id is touched.
   * @param how.scenario the one that it has, where it was taken of an open world, which need not be inspected
   * @param how.sent it came from outside, so it is not let near our files
   */
  #bringUp(id: string, taken: Taken, how: { change?: ForkRequest; scenario?: Scenario; sent?: boolean } = {}): World {
    const { databases, host } = this.#options
    const { change, sent = false } = how
    const draft = readable(() => databases.draft(taken.image))
    const scenario = orClosed(draft, () => {
      const { scenario: own } = how
      const stored = own ? toStored(own) : inspect(draft, this.#knownShape())
      const scenario = this.#changed(stored, change) ?? own ?? this.#stored(stored, sent)
      resumeAs(draft, taken, { id, scenario, clock: change?.clock }, host)
      return scenario
    })
    return this.#put(id, draft, scenario)
  }

  /** What the database of every world looks like. */
  #knownShape(): readonly string[] {
    this.#shape ??= using(this.#options.databases.draft(), shapeOf)
    return this.#shape
  }

  /** Stores a draft as a world, in the place of the one that may have the id, and opens it. */
  #put(id: string, draft: Sql, scenario: Scenario): World {
    if (this.#roster.has(id)) this.#roster.close(id)
    try {
      return this.#roster.add(this.#opened(id, this.#options.databases.put(id, draft), scenario))
    } catch (error) {
      // The storage failed: the world that was closed is still there, and may have something to do.
      this.#roster.survey()
      throw error
    }
  }

  /** A world on its database; with the scenario that it has, where that is at hand. */
  #opened(id: string, sql: Sql, scenario?: Scenario): World {
    const { host, library, observer } = this.#options
    const options = {
      id,
      sql,
      host,
      observer: observer(id),
      loadScenario: (stored: StoredScenario) =>
        scenario ?? library.parse(stored.source, stored.file, stored.parameters),
      onFree: () => this.#roster.makeRoom(),
    }
    return orClosed(sql, () => new World(options))
  }

  #originOf(request: WorldRequest, scenario: Scenario): Origin {
    return {
      scenario: toStored(scenario),
      seed: request.seed ?? scenario.seed,
      clock: {
        mode: request.clock?.mode ?? scenario.clock.mode,
        rate: request.clock?.rate ?? scenario.clock.rate,
        startUs: request.clock?.startUs ?? scenario.clock.startUs,
      },
    }
  }

  /** The scenario that a fork asks for: another one, or its own with other parameters. */
  #changed({ source, file }: StoredScenario, change: ForkRequest | undefined): Scenario | undefined {
    const { library } = this.#options
    if (change?.scenario !== undefined) return sentScenario(library, change.scenario, change.parameters)
    return change?.parameters && library.parse(source, file, change.parameters)
  }

  /** The scenario that a taken world has. */
  #stored({ source, file, parameters }: StoredScenario, sent: boolean): Scenario {
    try {
      return this.#options.library.parse(source, sent ? undefined : file, parameters)
    } catch (error) {
      throw badFile(`its scenario cannot be used here: ${(error as Error).message}`)
    }
  }

  /** The scenario of worlds that name none. */
  #usual(parameters = this.#options.parameters): Scenario {
    return this.#options.library.find(this.#options.scenario, parameters)
  }

  #require(id: string): void {
    if (this.#roster.has(id)) return
    throw new Refusal(
      'WORLD_NOT_FOUND',
      `There is no world "${id.slice(0, 80)}".${didYouMean(id, this.#roster.ids())} Make it: POST /_mfano/worlds {"id":"${id.slice(0, 80)}"}`,
      { status: 404, message: 'No such world' },
    )
  }

  #newId(asked: string | undefined): string {
    if (asked === undefined) {
      const { name, n } = freeName('w', this.#named, (id) => this.#roster.has(id))
      this.#named = n
      return name
    }
    requireName('id', asked)
    if (this.#roster.has(asked))
      throw new Refusal(
        'WORLD_EXISTS',
        `There is a world "${asked}" already. Choose another id, or DELETE /_mfano/worlds/${asked} first.`,
        { status: 409, message: 'World exists' },
      )
    return asked
  }
}

/** Bytes that are no database at all are told by the first look at them. */
function readable(open: () => Sql): Sql {
  try {
    return open()
  } catch (error) {
    throw badFile((error as Error).message)
  }
}
