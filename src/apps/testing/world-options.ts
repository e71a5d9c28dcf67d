import type { ClockSetting } from '../../client/control.ts'
import { MfanoError } from '../../client/errors.ts'

export interface WorldOptions {
  /** Part of its base URL: `/w/{id}`. Default: a free one; in fixtures, the test's name. */
  id?: string
  /** A shipped name, a YAML or JSON text, or an object. Default: the server's. */
  scenario?: string | object
  /** Values for the scenario's parameters, by name. */
  parameters?: Readonly<Record<string, string | number | boolean>>
  /**
   * Continues from a world's id or a snapshot (`name` or `world/name`) instead of the beginning. Seed and time come
   * from there.
   */
  from?: string
  /** Runs with one seed, and with equal calls and clock, give equal ids, receipts and delays. */
  seed?: number
  /** The seed draws every assumption that the scenario leaves open. */
  assumptions?: 'drawn'
  /**
   * Default: frozen at `2025-01-24T16:28:00`, so that a test is the same every day. `start` is an instant, by default
   * now; `'scenario'` leaves the clock to the scenario.
   */
  clock?: (ClockSetting & { start?: string | Date }) | 'scenario'
}

/** Options that every world of a server starts with. */
export type WorldDefaults = Pick<WorldOptions, 'scenario' | 'parameters' | 'seed' | 'assumptions' | 'clock'>

export function isScenarioName(text: string): boolean {
  return /^[\w-]+$/.test(text)
}

/** Refuses a path, since only the person who starts the server may name its files. */
export function checked(scenario: string | object): string | Record<string, unknown> {
  if (typeof scenario !== 'string') return { ...scenario }
  if (/[\n{]/.test(scenario) || isScenarioName(scenario)) return scenario
  throw new MfanoError({
    code: 'INVALID_FIELD',
    message: `scenario: expected a shipped name, a YAML or JSON text or an object, got ${JSON.stringify(scenario)}`,
    hint: 'A path works where mfano is started: startMfano({ scenario }). Elsewhere read the file and give its text.',
  })
}
