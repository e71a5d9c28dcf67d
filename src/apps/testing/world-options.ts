/** How a world for a test begins. */
import type { ClockSetting } from '../../client/control-answers.ts'
import type { Parameters, ScenarioSource } from './world-scenario.ts'

/** How a world begins. */
export interface WorldOptions {
  /** In its base URL: `/w/{id}`. Unless given, one that is free; of a test runner's fixtures, the test's name. */
  id?: string
  /** A shipped name, a YAML or JSON text, or an object; that of the server unless given. */
  scenario?: ScenarioSource
  /** Values for the scenario's parameters. */
  parameters?: Parameters
  /**
   * A world, by its id, or a snapshot, by its name or as `world/name`, to go on from instead of the beginning. Seed and
   * time are then those of what it is made from.
   */
  from?: string
  /** Where chance begins: the same seed, calls and clock give the same ids, receipts and delays. */
  seed?: number
  /** The seed draws every assumption that the scenario leaves open. */
  assumptions?: 'drawn'
  /**
   * Frozen at `2025-01-24T16:28:00` unless given, so that a test is the same every day. `start` is an instant, now
   * unless given; `'scenario'` leaves the clock to the scenario.
   */
  clock?: (ClockSetting & { start?: string | Date }) | 'scenario'
}
