/** Scenarios by name, and from files of this machine. */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import type * as yaml from 'yaml'
import type { Service } from '../../model/simulated-service.ts'
import { type FileLibrary, libraryOf, type ScenarioText } from '../../world/scenario-library.ts'
import { readTexts } from './read-texts.ts'
import { SHIPPED, shippedScenarios } from './shipped.ts'

const require = createRequire(import.meta.url)

/** More than the loader would accept is not even read. */
const FILE_MAX_BYTES = 1_100_000

/** Reads scenarios from the file system: by shipped name, or by path. */
export function scenarioLibrary(service: Service): FileLibrary {
  const texts = readTexts()
  return libraryOf(service, { known: shippedScenarios(), readShipped, readFile, resolve, yaml: loadYaml, texts })
}

/** Not imported: it is a tenth of the modules of a clone, and hardly any start reads a text anew. */
function loadYaml(): typeof yaml {
  return require('yaml')
}

function readShipped(name: string): ScenarioText | undefined {
  const file = join(SHIPPED, `${name}.yaml`)
  return /^[\w-]+$/.test(name) && existsSync(file)
    ? { file: `scenarios/${name}.yaml`, text: readFileSync(file, 'utf8') }
    : undefined
}

function readFile(path: string): ScenarioText | undefined {
  if (!existsSync(path) || !statSync(path).isFile() || statSync(path).size > FILE_MAX_BYTES) return undefined
  return { file: path, text: readFileSync(path, 'utf8') }
}
