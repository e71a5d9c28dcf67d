/** Scenarios by name, and from files of this machine. */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import type { Libraries } from '../../core/model/libraries.ts'
import type { Service } from '../../core/model/simulated-service.ts'
import { type FileLibrary, libraryOf, type ScenarioText } from '../../core/scenario-library.ts'
import { SHIPPED, shippedScenarios } from './package.ts'
import { readTexts } from './storage/read-texts.ts'

const require = createRequire(import.meta.url)
/** Not imported: they are an eighth of a start, which needs none of them. */
const libraries: Libraries = {
  yaml: () => require('yaml'),
  cel: () => require('@marcbachmann/cel-js'),
  re2: () => require('re2js'),
}

/** More than the loader would accept is not even read. */
const FILE_MAX_BYTES = 1_100_000

/** Reads scenarios from the file system: by shipped name, or by path. */
export function scenarioLibrary(service: Service): FileLibrary {
  const texts = readTexts()
  return libraryOf(service, { known: shippedScenarios(), readShipped, readFile, resolve, libraries, texts })
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
