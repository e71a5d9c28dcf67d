import type { Observer } from '../core.ts'
import { type Databases, type Host, inSteps, orClosed, using } from '../host.ts'
import type { GivenParameters } from '../model/assumption.ts'
import { parseInZone } from '../model/calendar.ts'
import { seedFor } from '../model/chance.ts'
import type { Service } from '../model/kind.ts'
import { errorOf, must } from '../model/must.ts'
import { DEFAULT_WORLD, type WorldChange, type WorldRequest } from '../new-world.ts'
import { bareSettings, type Scenario, type StoredScenario, seeded, toStored } from '../scenario.ts'
import { drawnScenario, type ScenarioLibrary, sentScenario, storedScenario } from '../scenario-library.ts'
import { ensureSchema, SCHEMA_VERSION, type Shape, shapeOf } from '../schema.ts'
import type { Sql } from '../sql.ts'
import { Meta } from '../store/counter-table.ts'
import { makeCore, World } from '../world.ts'
import { aboutFile, badFile, inspecting, resumeAs, takeImage, type WorldImage } from '../world-image.ts'
import { type Origin, readMeta } from '../world-meta.ts'

export interface Beginning {
  origin: Origin
  scenario: Scenario
}

export interface Prepared {
  image: Uint8Array
  begin(sql: Sql): Scenario
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

interface Resuming {
  change?: WorldChange
  /** Set when the caller knows it: reading it from the image may take long. */
  scenario?: Scenario | undefined
  sent?: boolean
}

/** A test suite rarely uses more different worlds. */
const BEGINNINGS_KEPT = 16
/** Larger worlds are not copied for a question: a copy takes memory and stops all other work for a moment. */
const COPY_MAX_BYTES = 64 * 1024 ** 2

/** Refuses everything that can be refused before anything is stored or changed. */
export class WorldFactory {
  readonly #options: WorldFactoryOptions
  readonly #beginnings: { scenario: Scenario; origin: string; image: Uint8Array }[] = []

  constructor(options: WorldFactoryOptions) {
    this.#options = options
  }

  begun(id: string, request: WorldRequest): Prepared {
    return this.#begin(this.#beginningOf(id, request))
  }

  /** Made by `make`, while nobody else sees it. */
  async populated(id: string, request: WorldRequest, make: (world: World) => Promise<void>): Promise<Prepared> {
    const { databases, host, observer, service } = this.#options
    const { scenario, origin } = this.#beginningOf(id, request)
    const sql = databases.draft()
    try {
      const options = { id, service, host, observer: observer(id), loadScenario: () => scenario, origin }
      const world = new World({ ...options, sql: { ...sql, close: () => {} } })
      await make(world).finally(() => world.close())
      return { image: sql.serialize(), begin: () => world.core.scenario }
    } finally {
      sql.close()
    }
  }

  #beginningOf(id: string, { scenario: asked, parameters, seed, assumptions, clock, record }: WorldRequest): Beginning {
    const { library } = this.#options
    const plain = asked === undefined ? this.defaultScenario(parameters) : sentScenario(library, asked, parameters)
    const asWritten = assumptions === undefined ? plain : drawnScenario(library, plain)
    // The draw may choose its time zone, which says when the world begins.
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
    // Apps keep ids as unique, so those that mfano drew do not come again.
    const drawn = id === DEFAULT_WORLD ? origin.idSeed : undefined
    const idSeed = drawn === undefined ? origin.idSeed : seedFor(drawn, 'reset')
    return this.#begin({ scenario, origin: { ...origin, ...(idSeed !== undefined && { idSeed }) } })
  }

  resumed(id: string, taken: WorldImage, { change, scenario, sent = false }: Resuming = {}): Prepared {
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
  async inspect(taken: WorldImage): Promise<void> {
    requireSchema(taken)
    const { databases, host, service } = this.#options
    try {
      const sql = databases.draft(taken.image)
      const scenario = () => this.#storedIn(sql, true)
      await inSteps(host, inspecting(sql, { service, shape: this.#expected(), scenario })).finally(() => sql.close())
    } catch (error) {
      throw aboutFile(error)
    }
  }

  /** In memory, known to nobody, with a clock that stands. The caller closes it. */
  copy(world: World, host: Host, version: string): World {
    const { databases, service, observer } = this.#options
    const { id, core } = world
    const change = { clock: { mode: 'frozen' }, record: false } as const
    const taken = takeImage(world, version, { mostBytes: COPY_MAX_BYTES })
    const { image, begin } = this.resumed(id, taken, { change, scenario: core.scenario })
    const sql = databases.draft(image)
    const silent: Observer = { happened: () => {}, error: (error, doing) => observer(id).error(error, doing) }
    return orClosed(sql, () => {
      const scenario = begin(sql)
      return new World({ id, service, sql, host, observer: silent, loadScenario: () => scenario })
    })
  }

  defaultScenario(parameters = this.#options.parameters): Scenario {
    return this.#options.library.find(this.#options.scenario, parameters)
  }

  #begin({ scenario, origin }: Beginning): Prepared {
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

  /** Every world has this schema, so another one is refused. */
  #expected(): Shape {
    return using(this.#options.databases.draft(), (sql) => {
      ensureSchema(sql)
      return shapeOf(sql)
    })
  }

  #changed({ source, file }: StoredScenario, change: WorldChange | undefined): Scenario | undefined {
    const { library } = this.#options
    if (change?.scenario !== undefined) return sentScenario(library, change.scenario, change.parameters)
    return change?.parameters && library.parse(source, file, change.parameters)
  }

  #storedIn(sql: Sql, sent: boolean, change?: WorldChange): Scenario {
    const stored = must(readMeta(new Meta(sql), 'scenario'))
    const changed = this.#changed(stored, change)
    if (changed) return changed
    const { file, ...bare } = stored
    try {
      return storedScenario(this.#options.library, sent ? bare : stored)
    } catch (error) {
      throw badFile(`its scenario cannot be used here: ${errorOf(error).message}`)
    }
  }
}

function requireSchema({ identity: { schemaVersion } }: WorldImage): void {
  if (schemaVersion !== SCHEMA_VERSION)
    throw badFile(
      `its database has schema version ${schemaVersion}; this mfano knows version ${SCHEMA_VERSION} only. Use the mfano that wrote it, or make the world again from its scenario and seed`,
    )
}
