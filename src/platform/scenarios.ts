import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { didYouMean } from '../model/nearest.ts'
import { Refusal } from '../model/refusal.ts'
import { loadScenario } from '../scenarios/load.ts'
import type { Scenario } from '../scenarios/scenario.ts'
import type { ScenarioLibrary } from '../world/worlds.ts'
import { packageRoot } from './package.ts'

/** The scenarios that are shipped. */
const SHIPPED = join(packageRoot(), 'scenarios')
/** More than the loader would accept is not even read. */
const FILE_MAX_BYTES = 1_100_000
/** Scenarios that are kept loaded. */
const REMEMBERED_MAX = 100

/** Names of the shipped scenarios. */
function shippedScenarios(): string[] {
  return readdirSync(SHIPPED)
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => basename(name, '.yaml'))
    .sort()
}

/** Reads scenarios from the file system: by shipped name, or by path. */
export function scenarioLibrary(): ScenarioLibrary {
  const known = shippedScenarios()
  // Loading costs milliseconds, and a test suite makes a world per test.
  const loaded = new Map<string, Scenario>()
  const remember = (key: string, load: () => Scenario) => {
    const scenario = loaded.get(key) ?? load()
    if (loaded.size >= REMEMBERED_MAX) loaded.clear()
    loaded.set(key, scenario)
    return scenario
  }
  const shipped = (name: string) =>
    remember(`shipped ${name}`, () => {
      const found = readShipped(name)
      if (!found) throw new UnknownScenario(name, known)
      return loadScenario(found.text, { file: found.file, read: readShipped, known })
    })
  const read = (nameOrPath: string) => readShipped(nameOrPath) ?? readFile(nameOrPath)
  return {
    shipped,
    find: (nameOrPath) => {
      if (known.includes(nameOrPath)) return shipped(nameOrPath)
      const found = readFile(nameOrPath)
      if (!found) throw new UnknownScenario(nameOrPath, known)
      return { ...loadScenario(found.text, { file: found.file, read, known }), file: resolve(nameOrPath) }
    },
    parse: (source, file) => {
      if (file === undefined)
        return remember(`text ${source}`, () => loadScenario(source, { file: 'scenario', read: readShipped, known }))
      return { ...loadScenario(source, { file, read, known }), file }
    },
  }
}

function readShipped(name: string): { file: string; text: string } | undefined {
  const file = join(SHIPPED, `${name}.yaml`)
  return /^[\w-]+$/.test(name) && existsSync(file)
    ? { file: `scenarios/${name}.yaml`, text: readFileSync(file, 'utf8') }
    : undefined
}

function readFile(path: string): { file: string; text: string } | undefined {
  if (!existsSync(path) || !statSync(path).isFile() || statSync(path).size > FILE_MAX_BYTES) return undefined
  return { file: path, text: readFileSync(path, 'utf8') }
}

/** Neither shipped nor a file. */
class UnknownScenario extends Refusal {
  readonly hint: string
  constructor(nameOrPath: string, known: readonly string[]) {
    const hint = `Shipped are ${known.join(', ')}. A file has at most 1 MB and is named by its path.`
    super('SCENARIO_NOT_FOUND', hint, {
      status: 404,
      message: `There is no scenario "${nameOrPath.slice(0, 200)}".${didYouMean(nameOrPath, known)}`,
    })
    this.hint = hint
  }
}
