/** Caches what shipped scenarios contain, beside Node's compile cache. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import module from 'node:module'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { crc32 } from 'node:zlib'
import type { ReadText, TextCache } from '../../../core/source-text.ts'
import { packageVersion } from '../package.ts'

/** Change it when texts are read or checked differently, within one version. */
const READ_AS = 3
/** A file begins with the checksum of the rest, so that a damaged one is ignored. */
const SUM_LENGTH = 8

/**
 * By content, so that an edited file is read again. Undefined where Node has no cache. A missing or unreadable file
 * only costs time. No digest, because a start loads Node's cryptography for nothing else, and that takes a twenty-fifth.
 */
export function readTexts(directory = module.getCompileCacheDir()): TextCache | undefined {
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
