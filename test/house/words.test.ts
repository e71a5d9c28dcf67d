/** One word, one meaning: file names, codes and docstrings. */
import { readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { expect, it } from 'vitest'
import { files, lines, textOf } from './source.ts'

/** Names of a role that many folders have, each for its own subject. */
const roles = new Set(['contract', 'record', 'routes', 'schema', 'index'])

it('has no two files of one name that do different things', () => {
  const byName = new Map<string, string[]>()
  for (const file of files) {
    const name = posix.basename(file).replace(/\.tsx?$/, '')
    if (!roles.has(name)) byName.set(name, [...(byName.get(name) ?? []), file])
  }
  expect([...byName.values()].filter((alike) => alike.length > 1).map((alike) => alike.join(' '))).toEqual([])
})

it('opens every module of 60 lines or more with a line that says what it is for', () => {
  const long = files.filter((file) => textOf(file).split('\n').length > 60)
  expect(long.filter((file) => !/^(?:#!.*\n)?\/[/*]/.test(textOf(file)))).toEqual([])
})

it('stores, compares and switches on codes, never on sentences', () => {
  const sentence = "'[^' ]+(?: [^' ]+)+'"
  const inUnion = new RegExp(String.raw`^\s*\| ${sentence}$|[:<=] ${sentence} \||\w' \| ${sentence}|${sentence} \| '`)
  const compared = new RegExp(`(?:===|!==|\\bcase) ${sentence}`)
  expect([...lines(inUnion), ...lines(compared)]).toEqual([])
})

it('says in every docstring what something is, and not that it is the same', () => {
  expect(lines(/\/\*\* The same\b/)).toEqual([])
})

it('names files in its map that there are', () => {
  const map = readFileSync(join(import.meta.dirname, '../../src/README.md'), 'utf8')
  const named = Array.from(map.matchAll(/`([\w./-]+\.tsx?)`/g), ([, name = '']) => name)
  expect(named.length).toBeGreaterThan(20)
  const missing = named.filter(
    (name) => !name.startsWith('test/') && !files.some((file) => `/${file}`.endsWith(`/${name}`)),
  )
  expect(missing).toEqual([])
})
