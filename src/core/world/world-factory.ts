/** Makes databases of worlds: new ones, forks, and those of a file. */
import type { Observer } from '../core.ts'
import { type Databases, type Host, inSteps, orClosed, type Staged, turn, using } from '../host.ts'
import { parseInZone } from '../model/calendar.ts'
import { seedFor } from '../model/chance.ts'
import type { GivenParameters } from '../model/given-parameters.ts'
import { releaseBytes } from '../model/release-bytes.ts'
import type { Service } from '../model/simulated-service.ts'
import { DEFAULT_WORLD } from '../model/world-name.ts'
import type { ForkRequest, WorldRequest } from '../model/world-request.ts'
import { type Scenario, type StoredScenario, seeded, toStored } from '../scenario.ts'
import { drawnScenario, type ScenarioLibrary, sentScenario, storedScenario } from '../scenario-library.ts'
import { ensureSchema } from '../schema.ts'
import type { Sql } from '../sql.ts'
import { type Shape, shapeOf } from '../store/image.ts'
import { Meta } from '../store/meta-table.ts'
import { World } from '../world.ts'
import { badFile, type WorldImage } from '../world-file.ts'
import { inspect, type Resumption, resumeAs, tryOut } from '../world-image.ts'
import type { Origin } from '../world-meta.ts'
import type { Making } from './begin.ts'
import { ImageCache } from './image-cache.ts'

/** How a world began, and the scenario that is in force. */
export interface Beginning {
  origin: Origin
  scenario: Scenario
}

export function beginningOf({ core, origin }: World): Beginning {
  return { scenario: core.scenario, origin }
}

/** A world that is ready to be put where it belongs. */
export interface Prepared extends Staged {
  scenario: Scenario
  /** Makes a database that was put there the world's, in as far as it is not; gives how the world is to be opened. */
  own(sql: Sql): Pick<Making, 'origin' | 'began'>
  /** To be told of the database of a world that has begun, before anything happens in it. */
  begun?(sql: Sql): void
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
  /** Of what this very process took, which need not be inspected. */
  known?: Beginning | undefined
  /** It came from outside, so it is not let near our files. */
  sent?: boolean
  /** Its callbacks are held; refused where it has none of these addresses. */
  hold?: { spokenOf: readonly string[] } | undefined
}

/**
 * Prepares worlds. Whatever can be refused is refused here, before anything is stored as a world or another one is
 * touched.
 */
export class WorldFactory {
  readonly #options: WorldFactoryOptions
  readonly #imageCache = new ImageCache()
  #shape: Shape | undefined

  constructor(options: WorldFactoryOptions) {
    this.#options = options
  }

  /** A world that begins. */
  begun(id: string, request: WorldRequest): Prepared {
    const { scenario, origin } = this.#asked(id, request)
    return this.#begin(id, scenario, origin)
  }

  /** A world that begins aside, to be closed before it is put where it belongs. */
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
      ...(seed === undefined && id !== DEFAULT_WORLD && { idSeed: seedFor(scenario.seed, id) }),
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

  /** A world that begins again; as any other where nobody knows how it began. */
  begunAgain(id: string, beginning: Beginning | undefined): Prepared {
    if (!beginning) return this.begun(id, {})
    const { scenario, origin } = beginning
    return this.#begin(id, scenario, origin)
  }

  /** A world that goes on from a taken one, which may be large: made a step at a time, and written out beforehand. */
  async goingOn(id: string, taken: WorldImage, { known, ...how }: GoingOn = {}): Promise<Prepared> {
    const { databases, host } = this.#options
    await turn(host)
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
    await turn(host)
    return { ...staged, scenario, own: (sql) => ({ began: resumeAs(sql, taken, as, host) }) }
  }

  /** One that nobody here vouches for. */
  async #inspected(id: string, taken: WorldImage, { change, sent = false, hold }: GoingOn): Promise<Prepared> {
    const { databases, host, service } = this.#options
    const draft = this.#copyOf(taken)
    try {
      await turn(host)
      const stored = await inSteps(host, inspect(draft, this.#expected()))
      const scenario = this.#changed(stored, change) ?? this.#stored(stored, sent)
      const origin = resumeAs(draft, taken, { id, scenario, sent, hold, ...pace(change) }, host)
      await inSteps(host, tryOut(draft, service, scenario))
      const image = draft.serialize?.() as Uint8Array
      const staged = await databases.stage(id, image)
      releaseBytes(image)
      return { ...staged, scenario, own: () => ({ began: origin }) }
    } finally {
      draft.close()
    }
  }

  /** The scenario of worlds that name none. */
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

  /** The taken database. Bytes that are none are told by the first look at them. */
  #copyOf({ image }: WorldImage): Sql {
    try {
      return this.#options.databases.draft(image)
    } catch (error) {
      throw badFile((error as Error).message)
    }
  }

  /** What the database of every world looks like. */
  #expected(): Shape {
    this.#shape ??= using(this.#options.databases.draft(), (sql) => {
      ensureSchema(sql)
      return shapeOf(sql)
    })
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

/** What of a copied world's pace, and of whether it is recorded, is to be otherwise. */
function pace(change: Omit<ForkRequest, 'from'> | undefined): Pick<Resumption, 'clock' | 'record'> {
  return { clock: change?.clock, record: change?.record }
}
