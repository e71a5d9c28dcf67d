/** Scenarios by shipped name or from files. */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import type { Libraries } from '../../core/model/kind.ts'
import { type FileLibrary, libraryOf, type ScenarioText } from '../../core/scenario-library.ts'
import { paymentsService } from '../../service/service.ts'
import { SHIPPED, shippedScenarios } from './package.ts'
import { readTexts } from './storage/read-texts.ts'

const require = createRequire(import.meta.url)
/** Required on first use, because loading them takes an eighth of a start, which usually needs none. */
const libraries: Libraries = {
  yaml: loadedOnce(() => require('yaml')),
  cel: loadedOnce(() => require('@marcbachmann/cel-js')),
  re2: loadedOnce(() => require('re2js')),
}

/** Node looks up a file each time, which a text of many lines asks for often. */
function loadedOnce<T>(load: () => T): () => T {
  let loaded: T | undefined
  return () => {
    loaded ??= load()
    return loaded
  }
}

/** Larger files are not read, because the loader would refuse them. */
const FILE_MAX_BYTES = 1_100_000

export function scenarioLibrary(): FileLibrary {
  const texts = readTexts()
  return libraryOf(paymentsService, { known: shippedScenarios(), readShipped, readFile, resolve, libraries, texts })
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
