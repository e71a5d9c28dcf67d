import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { didYouMean } from '../model/nearest.ts'
import { loadScenario } from '../scenarios/load.ts'
import type { ScenarioLibrary } from '../world/worlds.ts'

/** The scenarios that are shipped: `scenarios/` beside both src and dist. */
const SHIPPED = join(import.meta.dirname, '../../scenarios')
/** More than the loader would accept is not even read. */
const FILE_MAX_BYTES = 1_100_000

/** Names of the shipped scenarios. */
export function shippedScenarios(): string[] {
  return readdirSync(SHIPPED)
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => basename(name, '.yaml'))
    .sort()
}

/** Reads scenarios from the file system: by shipped name, or by path. */
export function scenarioLibrary(): ScenarioLibrary {
  return {
    find: (nameOrPath) => {
      const found = readNamed(nameOrPath, process.cwd())
      if (!found) throw unknownScenario(nameOrPath)
      return loadScenario(found.text, { file: found.file, read: readerBeside(found.file) })
    },
    parse: (source, name) => loadScenario(source, { file: name, read: readerBeside(resolve('scenario.yaml')) }),
  }
}

/** What `extends` names: a shipped scenario, or a file relative to the one that says so. */
function readerBeside(file: string) {
  return (nameOrPath: string) => readNamed(nameOrPath, dirname(resolve(file)))
}

function readNamed(nameOrPath: string, directory: string): { file: string; text: string } | undefined {
  const shipped = join(SHIPPED, `${nameOrPath}.yaml`)
  const isName = /^[\w-]+$/.test(nameOrPath)
  const file = isName && existsSync(shipped) ? shipped : resolve(directory, nameOrPath)
  if (!existsSync(file) || !statSync(file).isFile() || statSync(file).size > FILE_MAX_BYTES) return undefined
  return { file: isName && file === shipped ? `scenarios/${nameOrPath}.yaml` : nameOrPath, text: readFileSync(file, 'utf8') }
}

function unknownScenario(nameOrPath: string): Error {
  const shipped = shippedScenarios()
  return Object.assign(new Error(`There is no scenario "${nameOrPath}".${didYouMean(nameOrPath, shipped)}`), {
    name: 'UnknownScenario',
    hint: `Name a file of at most 1 MB, or one that is shipped: ${shipped.join(', ')}.`,
  })
}
