/** Where scenarios come from. */
import type { GivenParameters } from '../scenarios/language/parameters.ts'
import type { Scenario } from '../scenarios/scenario.ts'
import type { StoredScenario } from '../scenarios/stored-scenario.ts'

/** Scenarios by name, path or text. */
export interface ScenarioLibrary {
  /** Of those that are shipped. */
  names: readonly string[]
  /** A shipped name or a file's path, from whoever starts the server; throws `ScenarioError`. */
  find(nameOrPath: string, parameters?: GivenParameters): Scenario
  /** A shipped name only, from whoever reaches the control plane. */
  shipped(name: string, parameters?: GivenParameters): Scenario
  /** From a text. It may extend shipped scenarios and, where it came from a file, files beside that. */
  parse(source: string, file?: string, parameters?: GivenParameters): Scenario
  /** A scenario with one setting more, or another. */
  changed(scenario: Scenario, path: readonly string[], value: string | number): Scenario
}

/** A scenario as a world stored it. One that is shipped is that one again, and its rules are where they are. */
export function storedScenario(library: ScenarioLibrary, { name, source, file, parameters }: StoredScenario): Scenario {
  if (file === undefined && library.names.includes(name)) {
    const shipped = library.shipped(name, parameters)
    if (shipped.source === source) return shipped
  }
  return library.parse(source, file, parameters)
}

/** What somebody sent: a shipped name, or a text. Paths are for those who start the server. */
export function sentScenario(
  library: ScenarioLibrary,
  text: string,
  parameters: GivenParameters | undefined,
): Scenario {
  const name = text.trim()
  return /^[\w-]+$/.test(name) ? library.shipped(name, parameters) : library.parse(text, undefined, parameters)
}

/** A scenario that varies by a seed what no source fixes; itself without one. */
export function waryScenario(
  library: Pick<ScenarioLibrary, 'changed'>,
  scenario: Scenario,
  seed: number | undefined,
): Scenario {
  return seed === undefined ? scenario : library.changed(scenario, ['wary'], seed)
}
