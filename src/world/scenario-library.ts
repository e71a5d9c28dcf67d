/** Scenarios by name, and from files where a host has any. */
import { didYouMean } from '../model/did-you-mean.ts'
import { Refusal } from '../model/refusal.ts'
import type { Service } from '../model/simulated-service.ts'
import type { Libraries } from '../scenarios/language/libraries.ts'
import type { GivenParameters } from '../scenarios/language/parameters.ts'
import type { TextCache } from '../scenarios/language/source-text.ts'
import { withSetting } from '../scenarios/language/with-setting.ts'
import { type LayerMemory, loadScenario } from '../scenarios/load.ts'
import type { Scenario } from '../scenarios/scenario.ts'
import type { ScenarioLibrary } from './library.ts'

/** Scenarios that are kept loaded. */
const REMEMBERED_MAX = 100

/** The text of a scenario, and what its messages call it. */
export interface ScenarioText {
  file: string
  text: string
}

/** Where a host has the texts of scenarios. */
export interface ScenarioTexts {
  /** Of those that are shipped. */
  known: readonly string[]
  /** A shipped one; undefined for any other name. */
  readShipped(name: string): ScenarioText | undefined
  /** A file; undefined where there is none. */
  readFile(path: string): ScenarioText | undefined
  /** The whole path of a file. */
  resolve(path: string): string
  libraries: Libraries
  /** What texts were found to hold, where that is kept. */
  texts?: TextCache | undefined
}

/** A library that says which files it looks at, for whoever wants to know when they change. Shipped ones do not. */
export interface FileLibrary extends ScenarioLibrary {
  find(nameOrPath: string, parameters?: GivenParameters, onFile?: (file: string) => void): Scenario
}

/** Loads scenarios from the texts of a host: by shipped name, or by path. */
export function libraryOf(
  service: Service,
  { known, readShipped, readFile, resolve, libraries, texts }: ScenarioTexts,
): FileLibrary {
  const memory: LayerMemory = new Map()
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
      return loadScenario(found.text, {
        file: found.file,
        read: readShipped,
        known,
        service,
        parameters,
        memory,
        libraries,
        texts,
      })
    })
  const read = (nameOrPath: string) => readShipped(nameOrPath) ?? readFile(nameOrPath)
  const parse: ScenarioLibrary['parse'] = (source, file, parameters = {}) => {
    if (file === undefined)
      return remember(`text ${JSON.stringify(parameters)} ${source}`, () =>
        loadScenario(source, { file: 'scenario', read: readShipped, known, service, parameters, memory, libraries }),
      )
    return { ...loadScenario(source, { file, read, known, service, parameters, memory, libraries }), file }
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
      const options = { file: found.file, read, known, service, parameters, memory, libraries }
      return { ...loadScenario(found.text, options), file: resolve(nameOrPath) }
    },
    parse,
    changed: ({ source, file, given }, path, value) => parse(withSetting(libraries, source, path, value), file, given),
  }
}

/** Neither shipped nor a file. */
class UnknownScenario extends Refusal {
  readonly hint: string
  constructor(nameOrPath: string, known: readonly string[]) {
    const name = nameOrPath.slice(0, 200)
    const isPath = /[./\\]/.test(nameOrPath)
    const meant = didYouMean(nameOrPath, known)
    const hint = isPath
      ? 'A scenario file has at most 1 MB; "mfano scenario list" names those that are shipped.'
      : `${meant === '' ? `Shipped are ${known.join(', ')}.` : '"mfano scenario list" names those that are shipped.'} A file is named by its path, such as ./${name}.yaml.`
    super('SCENARIO_NOT_FOUND', hint, {
      status: 404,
      message: isPath ? `There is no file "${name}".` : `There is no scenario "${name}".${meant}`,
    })
    this.hint = hint
  }
}
