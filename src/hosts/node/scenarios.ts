import { existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import module, { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { crc32 } from 'node:zlib'
import type { Libraries } from '../../core/model/kind.ts'
import { libraryOf, type ScenarioLibrary, type ScenarioText } from '../../core/scenario-library.ts'
import type { ReadText, TextCache } from '../../core/source-text.ts'
import { paymentsService } from '../../service/service.ts'
import { packageVersion, SHIPPED, shippedScenarios } from './package.ts'

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

export function scenarioLibrary(): ScenarioLibrary {
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

/** Change it when texts are read or checked differently, within one version. */
const READ_AS = 3
/** A file begins with the checksum of the rest, so that a damaged one is ignored. */
const SUM_LENGTH = 8

/**
 * By content, so that an edited file is read again. Undefined where Node has no cache. A missing or unreadable file
 * only costs time. No digest, because a start loads Node's cryptography for nothing else, and that takes a twenty-fifth.
 */
function readTexts(directory = module.getCompileCacheDir()): TextCache | undefined {
  if (directory === undefined) return undefined
  const prefix = `mfano-scenario-${packageVersion()}-${READ_AS}-`
  const fileOf = (text: string) => join(directory, `${prefix}${sumOf(text)}`)
  return {
    get: (text) =>
      unless(() => {
        const kept = readFileSync(fileOf(text), 'utf8')
        const written = kept.slice(SUM_LENGTH)
        if (!kept.startsWith(sumOf(written))) return undefined
        // Two texts may have the same sum.
        const { of, read }: { of: string; read: ReadText } = JSON.parse(written)
        return of === text ? read : undefined
      }),
    put: (text, read) => {
      const written = JSON.stringify({ of: text, read })
      if (!isDeepStrictEqual(JSON.parse(written), { of: text, read })) return
      unless(() => {
        const file = fileOf(text)
        mkdirSync(directory, { recursive: true })
        writeFileSync(`${file}.${process.pid}`, sumOf(written) + written)
        renameSync(`${file}.${process.pid}`, file)
      })
    },
  }
}

function sumOf(text: string): string {
  return crc32(text).toString(16).padStart(SUM_LENGTH, '0')
}

function unless<T>(attempt: () => T): T | undefined {
  try {
    return attempt()
  } catch {
    return undefined
  }
}
