import type { ClockMode } from '../clock/clock.ts'
import type { Observer } from '../engine/core.ts'
import { didYouMean } from '../model/nearest.ts'
import { Refusal } from '../model/refusal.ts'
import type { InstantUs } from '../model/time.ts'
import type { GivenParameters } from '../scenarios/parameters.ts'
import type { Scenario } from '../scenarios/scenario.ts'
import type { Sql } from '../store/sql.ts'
import type { Host } from './host.ts'
import { type Origin, toStored, World } from './world.ts'

/** The name of the world at the plain base URL. */
export const DEFAULT_WORLD = 'default'
const WORLD_ID = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/** Where worlds keep their databases. */
export interface Databases {
  list(): string[]
  open(id: string): Sql
  remove(id: string): void
}

/** Scenarios by name, path or text. */
export interface ScenarioLibrary {
  /** A shipped name or a file's path, from whoever starts the server; throws `ScenarioError`. */
  find(nameOrPath: string, parameters?: GivenParameters): Scenario
  /** A shipped name only, from whoever reaches the control plane. */
  shipped(name: string, parameters?: GivenParameters): Scenario
  /** From a text. It may extend shipped scenarios and, where it came from a file, files beside that. */
  parse(source: string, file?: string, parameters?: GivenParameters): Scenario
}

export interface WorldsOptions {
  databases: Databases
  host: Host
  library: ScenarioLibrary
  observer(worldId: string): Observer
  /** The scenario of worlds that name none. */
  scenario: string
  /** Values for that scenario's parameters. */
  parameters?: GivenParameters
  /** The default world takes the scenario above even when it has another one stored. */
  scenarioWins: boolean
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

/** All worlds of a server. They share nothing but the process. */
export class Worlds {
  readonly #options: WorldsOptions
  readonly #open = new Map<string, World>()
  #named = 0

  /** Opens what is stored, and makes the default world when there is none. */
  constructor(options: WorldsOptions) {
    this.#options = options
    try {
      for (const id of options.databases.list()) this.#openWorld(id, undefined)
      if (!this.#open.has(DEFAULT_WORLD)) this.create({ id: DEFAULT_WORLD })
      else if (options.scenarioWins) void this.default.setScenario(this.#usual())
    } catch (error) {
      this.close()
      throw error
    }
  }

  get default(): World {
    return this.get(DEFAULT_WORLD)
  }

  /** The world of an id; refuses one that does not exist, and says how to make it. */
  get(id: string): World {
    const world = this.#open.get(id)
    if (!world) {
      throw new Refusal(
        'WORLD_NOT_FOUND',
        `There is no world "${id}".${didYouMean(id, this.#open.keys())} Make it: POST /_mfano/worlds {"id":"${id}"}`,
        {
          status: 404,
          message: 'No such world',
        },
      )
    }
    return world
  }

  list(): World[] {
    return [...this.#open.values()]
  }

  create(request: WorldRequest): World {
    const id = request.id ?? this.#freeId()
    if (!WORLD_ID.test(id)) {
      throw new Refusal(
        'INVALID_FIELD',
        `id: must be 1 to 63 lower-case letters, digits and inner hyphens, got "${id.slice(0, 80)}"`,
        {
          message: 'Invalid world id',
        },
      )
    }
    if (this.#open.has(id)) {
      throw new Refusal(
        'WORLD_EXISTS',
        `There is a world "${id}" already. Choose another id, or DELETE /_mfano/worlds/${id} first.`,
        {
          status: 409,
          message: 'World exists',
        },
      )
    }
    const scenario =
      request.scenario === undefined
        ? this.#usual(request.parameters)
        : this.parseScenario(request.scenario, request.parameters)
    return this.#openWorld(id, this.#originOf(request, scenario), scenario)
  }

  remove(id: string): void {
    if (id === DEFAULT_WORLD) {
      throw new Refusal('WORLD_NEEDED', 'The world "default" cannot be removed; POST /_mfano/reset empties it.', {
        status: 409,
        message: 'World is needed',
      })
    }
    this.get(id).close()
    this.#open.delete(id)
    this.#options.databases.remove(id)
  }

  /** Back to the beginning: an empty world with the same id, seed, clock setting and scenario as now. */
  reset(id: string): World {
    const world = this.get(id)
    const { scenario } = world.core
    const origin: Origin = { ...world.origin, scenario: toStored(scenario) }
    world.close()
    this.#open.delete(id)
    this.#options.databases.remove(id)
    return this.#openWorld(id, origin, scenario)
  }

  /** What somebody sent: a shipped name, or a text. Paths are for those who start the server. Throws `ScenarioError`. */
  parseScenario(source: string, parameters?: GivenParameters): Scenario {
    const name = source.trim()
    return /^[\w-]+$/.test(name)
      ? this.#options.library.shipped(name, parameters)
      : this.#options.library.parse(source, undefined, parameters)
  }

  close(): void {
    for (const world of this.#open.values()) world.close()
    this.#open.clear()
  }

  #openWorld(id: string, origin: Origin | undefined, scenario?: Scenario): World {
    const { databases, host, library, observer } = this.#options
    const sql = databases.open(id)
    const plain = () => this.#originOf({}, this.#usual())
    const world = whole(
      sql,
      () =>
        new World({
          id,
          sql,
          host,
          observer: observer(id),
          loadScenario: (stored) =>
            scenario && JSON.stringify(stored) === JSON.stringify(toStored(scenario))
              ? scenario
              : library.parse(stored.source, stored.file, stored.parameters),
          // Only a world that a crash interrupted while it was being made has no origin stored: it begins as a plain one.
          get origin() {
            return origin ?? plain()
          },
        }),
    )
    this.#open.set(id, world)
    return world
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

  /** The scenario of worlds that name none. */
  #usual(parameters = this.#options.parameters): Scenario {
    return this.#options.library.find(this.#options.scenario, parameters)
  }

  #freeId(): string {
    do this.#named++
    while (this.#open.has(`w${this.#named}`))
    return `w${this.#named}`
  }
}

/** Makes a world of a database, or closes the database again. */
function whole(sql: Sql, make: () => World): World {
  try {
    return make()
  } catch (error) {
    sql.close()
    throw error
  }
}
