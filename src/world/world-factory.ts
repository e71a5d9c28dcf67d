/** Makes databases of worlds: new ones, forks, and those of a file. */
import type { Observer } from '../engine/core.ts'
import { parseInZone } from '../model/calendar.ts'
import { seedFor } from '../model/chance.ts'
import type { Service } from '../model/simulated-service.ts'
import type { GivenParameters } from '../scenarios/language/parameters.ts'
import type { Scenario } from '../scenarios/scenario.ts'
import { type StoredScenario, toStored } from '../scenarios/stored-scenario.ts'
import { shapeOf } from '../store/image.ts'
import { Meta } from '../store/meta-table.ts'
import type { Sql } from '../store/sql.ts'
import { makeCore } from './begin.ts'
import { type Databases, orClosed, using } from './databases.ts'
import { type Host, inSteps, turn } from './host.ts'
import { ImageCache } from './image-cache.ts'
import { type ScenarioLibrary, sentScenario, storedScenario, waryScenario } from './library.ts'
import { DEFAULT_WORLD } from './names.ts'
import { badFile, type WorldImage } from './world-file.ts'
import { inspect, resumeAs, tryOut } from './world-image.ts'
import { type Origin, readStoredScenario } from './world-meta.ts'
import type { ForkRequest, WorldRequest } from './world-request.ts'

/** How a world began, and the scenario that is in force. */
export interface Beginning {
  origin: Origin
  scenario: Scenario
}

/** A database that is ready to be a world's, and what is in it. */
export interface Draft extends Beginning {
  sql: Sql
}

export interface WorldFactoryOptions {
  /** What the worlds simulate. */
  service: Service
  databases: Databases
  host: Host
  library: ScenarioLibrary
  observer(worldId: string): Observer
  /** The scenario of worlds that name none. */
  scenario: string
  /** Values for that scenario's parameters. */
  parameters?: GivenParameters
}

/** Where a world that goes on from another one differs from it. */
interface GoingOn {
  change?: Omit<ForkRequest, 'from'>
  /** Of the open world that it was taken of, which need not be inspected. */
  present?: Beginning | undefined
  /** This process took it, so it need not be inspected either. */
  own?: boolean
  /** It came from outside, so it is not let near our files. */
  sent?: boolean
  /** Its callbacks are held; refused where it has none of these addresses. */
  hold?: { spokenOf: readonly string[] } | undefined
}

/**
 * Prepares worlds in memory. Whatever can be refused is refused here, before anything is stored or another world is
 * touched.
 */
export class WorldFactory {
  readonly #options: WorldFactoryOptions
  readonly #imageCache: ImageCache
  #shape: readonly string[] | undefined

  constructor(options: WorldFactoryOptions) {
    this.#options = options
    this.#imageCache = new ImageCache(options.databases)
  }

  /** A world that begins. */
  begun(id: string, { scenario: asked, parameters, seed, wary, clock, record }: WorldRequest): Draft {
    const { library } = this.#options
    const plain = asked === undefined ? this.usual(parameters) : sentScenario(library, asked, parameters)
    const scenario = waryScenario(library, plain, wary)
    const startUs = clock?.startUs
    return this.#begin(id, scenario, {
      scenario: toStored(scenario),
      seed: seed ?? scenario.seed,
      ...(seed === undefined && id !== DEFAULT_WORLD && { idSeed: seedFor(scenario.seed, id) }),
      clock: {
        mode: clock?.mode ?? scenario.clock.mode,
        rate: clock?.rate ?? scenario.clock.rate,
        startUs:
          (typeof startUs === 'string' ? parseInZone(startUs, scenario.zone) : startUs) ?? scenario.clock.startUs,
      },
      ...(record && { recorded: true }),
    })
  }

  /** A world that begins again; as any other where nobody knows how it began. */
  begunAgain(id: string, beginning: Beginning | undefined): Draft {
    if (!beginning) return this.begun(id, {})
    const { scenario, origin } = beginning
    return this.#begin(id, scenario, { ...origin, scenario: toStored(scenario) })
  }

  /** A world that goes on from a taken one, which may be large: made a step at a time, and written out beforehand. */
  async goingOn(
    id: string,
    taken: WorldImage,
    { change, present, own = false, sent = false, hold }: GoingOn = {},
  ): Promise<Draft> {
    const { databases, host } = this.#options
    await turn(host)
    const sql = this.#copyOf(taken)
    try {
      await turn(host)
      const trusted = present ? toStored(present.scenario) : own ? readStoredScenario(new Meta(sql)) : undefined
      const stored = trusted ?? (await inSteps(host, inspect(sql, this.#knownShape())))
      const changed = this.#changed(stored, change)
      const scenario = changed ?? present?.scenario ?? this.#stored(stored, sent)
      const record = change && change.record === true
      const known = present && { origin: present.origin, isScenarioStored: !changed }
      const as = { id, scenario, known, sent, hold, clock: change?.clock, record }
      const origin = resumeAs(sql, taken, as, host)
      if (!trusted) await inSteps(host, tryOut(sql, this.#options.service, scenario))
      await databases.ready(id, sql)
      return { sql, scenario, origin }
    } catch (error) {
      databases.discard(sql)
      throw error
    }
  }

  /** The scenario of worlds that name none. */
  usual(parameters = this.#options.parameters): Scenario {
    return this.#options.library.find(this.#options.scenario, parameters)
  }

  #begin(id: string, scenario: Scenario, origin: Origin): Draft {
    const { service, host, observer } = this.#options
    const making = { service, host, observer: observer(id), emit: () => {}, origin, loadScenario: () => scenario }
    const begin = (sql: Sql) => orClosed(sql, () => makeCore({ ...making, sql }))
    return { sql: this.#imageCache.draft(origin, scenario, begin), scenario, origin }
  }

  /** The taken database. Bytes that are none are told by the first look at them. */
  #copyOf({ image }: WorldImage): Sql {
    try {
      return this.#options.databases.draft(image)
    } catch (error) {
      throw badFile((error as Error).message)
    }
  }

  /** What the database of every world looks like. */
  #knownShape(): readonly string[] {
    this.#shape ??= using(this.#options.databases.draft(), shapeOf)
    return this.#shape
  }

  /** The scenario that a fork asks for: another one, or its own with other parameters. */
  #changed({ source, file }: StoredScenario, change: Omit<ForkRequest, 'from'> | undefined): Scenario | undefined {
    const { library } = this.#options
    if (change?.scenario !== undefined) return sentScenario(library, change.scenario, change.parameters)
    return change?.parameters && library.parse(source, file, change.parameters)
  }

  /** The scenario that a taken world has. */
  #stored({ file, ...stored }: StoredScenario, sent: boolean): Scenario {
    try {
      return storedScenario(this.#options.library, sent || file === undefined ? stored : { ...stored, file })
    } catch (error) {
      throw badFile(`its scenario cannot be used here: ${(error as Error).message}`)
    }
  }
}
