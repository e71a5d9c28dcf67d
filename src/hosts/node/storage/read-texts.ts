/** What shipped scenarios were found to hold, kept beside the code that Node keeps compiled between starts. */
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import module from 'node:module'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { ReadText, TextCache } from '../../../core/source-text.ts'
import { packageVersion } from '../package.ts'

/** Another number whenever texts are read, or checked, in another way between two versions. */
const READ_AS = 2
/** What was written begins with the SHA-256 of the rest, so that nothing half or damaged is believed. */
const DIGEST_LENGTH = 64

/**
 * A cache below Node's own, by what is in a text, so that an edited file is read anew; undefined where Node keeps none.
 * A file that is not there or cannot be read or written costs time, and changes nothing else.
 */
export function readTexts(directory = module.getCompileCacheDir()): TextCache | undefined {
  if (directory === undefined) return undefined
  const prefix = `mfano-scenario-${packageVersion()}-${READ_AS}-`
  const fileOf = (text: string) => join(directory, `${prefix}${digestOf(text)}`)
  return {
    get: (text) =>
      unless(() => {
        const kept = readFileSync(fileOf(text), 'utf8')
        const written = kept.slice(DIGEST_LENGTH)
        return kept.startsWith(digestOf(written)) ? (JSON.parse(written) as ReadText) : undefined
      }),
    put: (text, read) => {
      const written = JSON.stringify(read)
      if (!isDeepStrictEqual(JSON.parse(written), read)) return
      unless(() => {
        const file = fileOf(text)
        mkdirSync(directory, { recursive: true })
        writeFileSync(`${file}.${process.pid}`, digestOf(written) + written)
        renameSync(`${file}.${process.pid}`, file)
      })
    },
  }
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function unless<T>(attempt: () => T): T | undefined {
  try {
    return attempt()
  } catch {
    return undefined
  }
}
