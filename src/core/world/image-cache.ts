/** Keeps new worlds as images to copy. */
import type { Scenario } from '../scenario.ts'
import type { Sql } from '../sql.ts'
import type { Origin } from '../world-meta.ts'

/** A test suite rarely uses more different worlds. */
const KEPT = 16

/**
 * A world with a frozen start begins the same every time, as in test suites. So it is built once and copied; only the
 * origin, which later ids come from, is replaced.
 */
export class ImageCache {
  readonly #kept: { scenario: Scenario; rest: string; image: Uint8Array }[] = []

  find(origin: Origin, scenario: Scenario): Uint8Array | undefined {
    const rest = restOf(origin)
    // Compares the scenario itself and not its name, because its files may have changed.
    return this.#kept.find((one) => one.scenario === scenario && one.rest === rest)?.image
  }

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
