/** Worlds as they begin, kept to be copied. */
import type { Scenario } from '../scenario.ts'
import type { Sql } from '../sql.ts'
import type { Origin } from '../world-meta.ts'

/** So many are kept; a test suite rarely has more. */
const KEPT = 16

/**
 * Images of worlds that have just begun. One whose clock stands still at a given instant begins the same every time, as
 * the worlds of a test suite do, so that is made once and copied; only the origin, from which its later ids are drawn, is
 * to be put in.
 */
export class ImageCache {
  readonly #kept: { scenario: Scenario; rest: string; image: Uint8Array }[] = []

  /** The image of a world that began so, but for its origin. Not to be changed. */
  find(origin: Origin, scenario: Scenario): Uint8Array | undefined {
    const rest = restOf(origin)
    // The scenario itself, not its name: what it was put together from may have changed since.
    return this.#kept.find((one) => one.scenario === scenario && one.rest === rest)?.image
  }

  /** Keeps the database of a world in which nothing has happened since it began, if others can begin so. */
  keep(origin: Origin, scenario: Scenario, sql: Sql): void {
    const { mode, startUs } = origin.clock
    const image = mode === 'frozen' && startUs !== null ? sql.serialize?.() : undefined
    if (!image) return
    if (this.#kept.length >= KEPT) this.#kept.shift()
    this.#kept.push({ scenario, rest: restOf(origin), image })
  }
}

function restOf(origin: Origin): string {
  return JSON.stringify({ ...origin, idSeed: null })
}
