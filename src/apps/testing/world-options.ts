/** Settings of a test's world. */
import type { ClockSetting } from '../../client/control.ts'
import type { ScenarioParameters, ScenarioSource } from './world-scenario.ts'

export interface WorldOptions {
  /** Part of its base URL: `/w/{id}`. Default: a free one; in fixtures, the test's name. */
  id?: string
  /** A shipped name, a YAML or JSON text, or an object. Default: the server's. */
  scenario?: ScenarioSource
  /** Values for the scenario's parameters. */
  parameters?: ScenarioParameters
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
