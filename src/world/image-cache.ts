/** Worlds as they begin, kept to be copied. */
import type { Scenario } from '../scenarios/scenario.ts'
import { Meta } from '../store/meta-table.ts'
import type { Sql } from '../store/sql.ts'
import { type Databases, orClosed } from './databases.ts'
import type { Origin } from './world-meta.ts'

/** So many are kept; a test suite rarely has more. */
const KEPT = 16

/**
 * Images of worlds that have just begun. One whose clock stands still at a given instant begins the same every time, as
 * the worlds of a test suite do, so that is made once and copied; what only its later ids are drawn from is put in.
 */
export class ImageCache {
  readonly #databases: Databases
  readonly #kept: { scenario: Scenario; rest: string; image: Uint8Array }[] = []

  constructor(databases: Databases) {
    this.#databases = databases
  }

  /** A draft that begins so; `begin` fills an empty one. */
  draft(origin: Origin, scenario: Scenario, begin: (draft: Sql) => void): Sql {
    const { clock } = origin
    const rest = JSON.stringify({ ...origin, scenario: null, idSeed: null })
    // The scenario itself, not its name: what it was put together from may have changed since.
    const known = this.#kept.find((one) => one.scenario === scenario && one.rest === rest)
    if (known) return this.#begunAs(origin, known.image)
    const draft = this.#databases.draft()
    begin(draft)
    const image = clock.mode === 'frozen' && clock.startUs !== null ? draft.serialize?.() : undefined
    if (image) this.#kept.splice(0, this.#kept.length < KEPT ? 0 : 1)
    if (image) this.#kept.push({ scenario, rest, image })
    return draft
  }

  #begunAs(origin: Origin, image: Uint8Array): Sql {
    const draft = this.#databases.draft(image)
    return orClosed(draft, () => {
      new Meta(draft).set('origin', origin)
      return draft
    })
  }
}
