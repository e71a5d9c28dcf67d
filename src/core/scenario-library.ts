import type { GivenParameters } from './model/assumption.ts'
import type { Libraries, Service } from './model/kind.ts'
import { didYouMean } from './model/problems.ts'
import { Refusal } from './model/refusal.ts'
import type { Scenario, StoredScenario } from './scenario.ts'
import type { LayerMemory } from './scenarios/keys/chain.ts'
import { DRAWN, OTHERS, withAssumption } from './scenarios/keys/scenario-schema.ts'
import { loadScenario } from './scenarios/load.ts'
import type { TextCache } from './source-text.ts'

export interface ScenarioLibrary {
  names: readonly string[]
  /** For whoever starts the server: a shipped name or a file's path. Throws `ScenarioError`. */
  find(nameOrPath: string, parameters?: GivenParameters, onFile?: (file: string) => void): Scenario
  /** For callers of the control plane, who may not read files. */
  shipped(name: string, parameters?: GivenParameters): Scenario
  /** May extend shipped scenarios and, where the text came from a file, files beside it. */
  parse(source: string, file?: string, parameters?: GivenParameters): Scenario
  assuming(scenario: Scenario, id: string, alternative: string): Scenario
}

/** A shipped scenario is loaded again from its name, so that its rules keep their places. */
export function storedScenario(library: ScenarioLibrary, { name, source, file, parameters }: StoredScenario): Scenario {
  if (file === undefined && library.names.includes(name)) {
    const shipped = library.shipped(name, parameters)
    if (shipped.source === source) return shipped
  }
  return library.parse(source, file, parameters)
}

export function sentScenario(
  library: ScenarioLibrary,
  text: string,
  parameters: GivenParameters | undefined,
): Scenario {
  const name = text.trim()
  return /^[\w-]+$/.test(name) ? library.shipped(name, parameters) : library.parse(text, undefined, parameters)
}

export function drawnScenario(library: ScenarioLibrary, scenario: Scenario): Scenario {
  return library.assuming(scenario, OTHERS, DRAWN)
}

const REMEMBERED_MAX = 100

export interface ScenarioText {
  file: string
  text: string
}

export interface ScenarioTexts {
  known: readonly string[]
  readShipped(name: string): ScenarioText | undefined
  readFile(path: string): ScenarioText | undefined
  resolve(path: string): string
  libraries: Libraries
  texts?: TextCache | undefined
}

export function libraryOf(
  service: Service,
  { known, readShipped, readFile, resolve, libraries, texts }: ScenarioTexts,
): ScenarioLibrary {
  const memory: LayerMemory = new Map()
  const shared = { known, service, memory, libraries }
  // Loading costs milliseconds, and a test suite makes a world per test.
  const loaded = new Map<string, Scenario>()
  const remember = (key: string, load: () => Scenario) => {
    const scenario = loaded.get(key) ?? load()
    if (loaded.size >= REMEMBERED_MAX) loaded.clear()
    loaded.set(key, scenario)
    return scenario
  }
  const shipped = (name: string, parameters: GivenParameters = {}) =>
    remember(`shipped ${name} ${JSON.stringify(parameters)}`, () => {
      const found = readShipped(name)
      if (!found) throw new UnknownScenario(name, known)
      return loadScenario(found.text, { ...shared, file: found.file, read: readShipped, parameters, texts })
    })
  const read = (nameOrPath: string) => readShipped(nameOrPath) ?? readFile(nameOrPath)
  const parse: ScenarioLibrary['parse'] = (source, file, parameters = {}) => {
    if (file === undefined)
      return remember(`text ${JSON.stringify(parameters)} ${source}`, () =>
        loadScenario(source, { ...shared, file: 'scenario', read: readShipped, parameters }),
      )
    return loadScenario(source, { ...shared, file, path: file, read, parameters })
  }
  return {
    names: known,
    shipped,
    find: (nameOrPath, parameters = {}, onFile = () => {}) => {
      if (known.includes(nameOrPath)) return shipped(nameOrPath, parameters)
      const readTold = (path: string) => {
        onFile(path)
        return readFile(path)
      }
      const read = (path: string) => readShipped(path) ?? readTold(path)
      const found = readTold(nameOrPath)
      if (!found) throw new UnknownScenario(nameOrPath, known)
      return loadScenario(found.text, { ...shared, file: found.file, path: resolve(nameOrPath), read, parameters })
    },
    parse,
    assuming: ({ source, file, given }, id, alternative) =>
      parse(withAssumption(libraries, source, id, alternative), file, given),
  }
}

class UnknownScenario extends Refusal {
  readonly hint: string
  constructor(nameOrPath: string, known: readonly string[]) {
    const name = nameOrPath.slice(0, 200)
    const isPath = /[./\\]/.test(nameOrPath)
    const meant = didYouMean(nameOrPath, known)
    const hint = isPath
      ? 'A scenario file has at most 250,000 characters; "mfano scenario list" names those that are shipped.'
      : `${meant === '' ? `Shipped are ${known.join(', ')}.` : '"mfano scenario list" names those that are shipped.'} A file is named by its path, such as ./${name}.yaml.`
    super('SCENARIO_NOT_FOUND', hint, {
      message: isPath ? `There is no file "${name}".` : `There is no scenario "${name}".${meant}`,
    })
    this.hint = hint
  }
}
