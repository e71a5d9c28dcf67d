/** Builds databases of new worlds, forks, and worlds from files. */
import type { Observer } from '../core.ts'
import { type Databases, deferredTurn, type Host, inSteps, orClosed, type Staged, using } from '../host.ts'
import { parseInZone } from '../model/calendar.ts'
import { seedFor } from '../model/chance.ts'
import type { GivenParameters } from '../model/given-parameters.ts'
import { errorOf } from '../model/must.ts'
import type { Service } from '../model/simulated-service.ts'
import { DEFAULT_WORLD } from '../model/world-name.ts'
import type { ForkRequest, WorldRequest } from '../model/world-request.ts'
import { type Scenario, type StoredScenario, seeded, toStored } from '../scenario.ts'
import { drawnScenario, type ScenarioLibrary, sentScenario, storedScenario } from '../scenario-library.ts'
import { bareSettings } from '../scenario-settings.ts'
import { ensureSchema } from '../schema.ts'
import type { Sql } from '../sql.ts'
import { type Shape, shapeOf } from '../store/image.ts'
import { Meta } from '../store/meta-table.ts'
import { World } from '../world.ts'
import { badFile, type WorldImage } from '../world-file.ts'
import { aboutFile, inspect, type Resumption, resumeAs, tryOut } from '../world-image.ts'
import type { Origin } from '../world-meta.ts'
import type { Making } from './begin.ts'
import { ImageCache } from './image-cache.ts'

export interface Beginning {
  origin: Origin
  scenario: Scenario
}

export function beginningOf({ core, origin }: World): Beginning {
  return { scenario: core.scenario, origin }
}

export interface Prepared extends Staged {
  scenario: Scenario
  /** Writes into the database what makes it this world's, and returns how to open it. */
  own(sql: Sql): Pick<Making, 'origin' | 'began'>
  begun?(sql: Sql): void
}

export interface WorldFactoryOptions {
  service: Service
  databases: Databases
  host: Host
  library: ScenarioLibrary
  observer(worldId: string): Observer
  scenario: string
  parameters?: GivenParameters
  /** For the world `default`, unless its scenario has a seed of its own. */
  idSeed?: number | undefined
}

interface GoingOn {
  change?: Omit<ForkRequest, 'from'>
  /** Set when this process wrote the image, which then needs no inspection. */
  known?: Beginning | undefined
  sent?: boolean
}

/** Refuses everything that can be refused before anything is stored or changed. */
export class WorldFactory {
  readonly #options: WorldFactoryOptions
  readonly #imageCache = new ImageCache()
  #shape: Shape | undefined

  constructor(options: WorldFactoryOptions) {
    this.#options = options
  }

  begun(id: string, request: WorldRequest): Prepared {
    const { scenario, origin } = this.#asked(id, request)
    return this.#begin(id, scenario, origin)
  }

  aside(id: string, request: WorldRequest): { world: World; staged: Staged } {
    const { databases, host, observer, service } = this.#options
    const { scenario, origin } = this.#asked(id, request)
    const { sql, ...staged } = databases.aside(id)
    try {
      const options = { id, service, sql, host, observer: observer(id), loadScenario: () => scenario, origin }
      return { world: orClosed(sql, () => new World(options)), staged }
    } catch (error) {
      staged.discard()
      throw error
    }
  }

  #asked(id: string, { scenario: asked, parameters, seed, assumptions, clock, record }: WorldRequest): Beginning {
    const { library } = this.#options
    const plain = asked === undefined ? this.usual(parameters) : sentScenario(library, asked, parameters)
    const asWritten = assumptions === undefined ? plain : drawnScenario(library, plain)
    // What is drawn may be its time zone, which says when the world begins.
    const scenario = asWritten.isDrawn && seed !== undefined ? seeded(asWritten, seed) : asWritten
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

  begunAgain(id: string, beginning: Beginning | undefined): Prepared {
    if (!beginning) return this.begun(id, {})
    const { scenario, origin } = beginning
    return this.#begin(id, scenario, origin)
  }

  /** Works in steps, because an image can be large. */
  async goingOn(id: string, taken: WorldImage, { known, ...how }: GoingOn = {}): Promise<Prepared> {
    const { databases, host } = this.#options
    await deferredTurn(host)
    if (!known) return this.#inspected(id, taken, how)
    const { change } = how
    const changed = this.#changed(toStored(known.scenario), change)
    const scenario = changed ?? known.scenario
    const as = {
      id,
      scenario,
      known: { origin: known.origin, isScenarioStored: !changed },
      sent: false,
      ...pace(change),
    }
    const staged = await databases.stage(id, taken.image)
    await deferredTurn(host)
    return { ...staged, scenario, own: (sql) => ({ began: resumeAs(sql, taken, as, host) }) }
  }

  async #inspected(id: string, taken: WorldImage, { change, sent = false }: GoingOn): Promise<Prepared> {
    const { databases, host, service } = this.#options
    const staged = await databases.stage(id, taken.image).catch((error) => {
      throw aboutFile(error)
    })
    try {
      const stored = await inspect(staged, this.#expected(), host)
      const draft = staged.open()
      try {
        const scenario = this.#changed(stored, change) ?? this.#stored(stored, sent)
        const origin = resumeAs(draft, taken, { id, scenario, sent, ...pace(change) }, host)
        await inSteps(host, tryOut(draft, service, scenario))
        return { ...staged, scenario, own: () => ({ began: origin }) }
      } finally {
        draft.close()
      }
    } catch (error) {
      staged.discard()
      throw error
    }
  }

  usual(parameters = this.#options.parameters): Scenario {
    return this.#options.library.find(this.#options.scenario, parameters)
  }

  #begin(id: string, scenario: Scenario, origin: Origin): Prepared {
    const { databases } = this.#options
    const image = this.#imageCache.find(origin, scenario)
    const staged: Staged = { put: (use) => databases.put(id, image, use), discard: () => {} }
    if (!image)
      return {
        ...staged,
        scenario,
        own: () => ({ origin }),
        begun: (sql) => this.#imageCache.keep(origin, scenario, sql),
      }
    const own = (sql: Sql) => {
      new Meta(sql).set('origin', origin)
      return { began: origin }
    }
    return { ...staged, scenario, own }
  }

  /** Every world has this schema, so another one is refused. */
  #expected(): Shape {
    this.#shape ??= using(this.#options.databases.draft(), (sql) => {
      ensureSchema(sql)
      return shapeOf(sql)
    })
    return this.#shape
  }

  #changed({ source, file }: StoredScenario, change: Omit<ForkRequest, 'from'> | undefined): Scenario | undefined {
    const { library } = this.#options
    if (change?.scenario !== undefined) return sentScenario(library, change.scenario, change.parameters)
    return change?.parameters && library.parse(source, file, change.parameters)
  }

  #stored({ file, ...stored }: StoredScenario, sent: boolean): Scenario {
    try {
      return storedScenario(this.#options.library, sent || file === undefined ? stored : { ...stored, file })
    } catch (error) {
      throw badFile(`its scenario cannot be used here: ${errorOf(error).message}`)
    }
  }
}

function pace(change: Omit<ForkRequest, 'from'> | undefined): Pick<Resumption, 'clock' | 'record'> {
  return { clock: change?.clock, record: change?.record }
}
