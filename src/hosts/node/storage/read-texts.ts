/** Caches what shipped scenarios contain, beside Node's compile cache. */
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import module from 'node:module'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { ReadText, TextCache } from '../../../core/source-text.ts'
import { packageVersion } from '../package.ts'

/** Change it when texts are read or checked differently, within one version. */
const READ_AS = 2
/** A file begins with the SHA-256 of the rest, so that a damaged one is ignored. */
const DIGEST_LENGTH = 64

/**
 * By content, so that an edited file is read again. Undefined where Node has no cache. A missing or unreadable file
 * only costs time.
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
        if (!kept.startsWith(digestOf(written))) return undefined
        const read: ReadText = JSON.parse(written)
        return read
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
