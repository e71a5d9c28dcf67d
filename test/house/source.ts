import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'

const src = join(import.meta.dirname, '../../src')

/** Paths below src, such as `model/money.ts`. */
export const files: readonly string[] = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file))
  .sort()

const texts = new Map<string, string>()

export function textOf(file: string): string {
  const known = texts.get(file) ?? readFileSync(join(src, file), 'utf8')
  texts.set(file, known)
  return known
}

const IMPORT = /(?:\bfrom|\bimport)\s*\(?\s*'(\.{1,2}\/[^']*)'/g
const known = new Set(files)

/** The files of mfano that a file imports, for its types too, and when it runs too. */
export function importsOf(file: string): string[] {
  const named = Array.from(textOf(file).matchAll(IMPORT), ([, path = '']) => posix.join(dirname(file), path))
  return [...new Set(named)].filter((one) => known.has(one))
}
