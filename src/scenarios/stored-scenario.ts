/** A scenario as a world stores it, and as it holds in a world. */
import type { GivenParameters } from './language/parameters.ts'
import type { Scenario } from './scenario.ts'

/** Enough of a scenario to load it again. */
export interface StoredScenario {
  name: string
  source: string
  file?: string
  /** Values that were given for its parameters. */
  parameters?: GivenParameters
}

export function toStored({ name, source, file, given }: Scenario): StoredScenario {
  return {
    name,
    source,
    ...(file !== undefined && { file }),
    ...(Object.keys(given).length > 0 && { parameters: given }),
  }
}

/** A world has one seed, whatever scenario it has: the people it invents stay the same. */
export function seeded(scenario: Scenario, seed: number): Scenario {
  if (scenario.seed === seed) return scenario
  return { ...scenario.withSeed(seed), ...(scenario.file !== undefined && { file: scenario.file }) }
}
