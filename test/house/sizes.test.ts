import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { rooms, sizes } from './rooms.ts'
import { files, importsOf } from './source.ts'

const root = join(import.meta.dirname, '../..')

/** Files of core, `core/model` included, that other rooms import. It may only fall. */
const MOST_CORE_FILES_IMPORTED = 55

const BESIDE = ['install/', 'test/']

/** TypeScript that somebody wrote: neither installed nor generated. */
function written(folder: string): string[] {
  return globSync('**/*.{ts,tsx}', { cwd: folder, exclude: ['**/node_modules', '**/*.gen.*'] }).map((file) =>
    join(folder, file),
  )
}

it.each(sizes)('keeps $path within its bound', ({ path, mostFiles, mostLines }) => {
  const found = written(join(root, BESIDE.includes(path) ? path : `src/${path}`))
  const lines = found.reduce((sum, file) => sum + readFileSync(file, 'utf8').split('\n').length - 1, 0)
  expect(found.length, `files of ${path}`).toBeLessThanOrEqual(mostFiles)
  expect(lines, `lines of ${path}`).toBeLessThanOrEqual(mostLines)
})

it('has bounds for every room, for the build and for the tests', () => {
  expect(sizes.map(({ path }) => path)).toEqual([...rooms.map(({ path }) => path), ...BESIDE])
})

it('keeps the files of core that other rooms import few', () => {
  const outside = files.filter((file) => !file.startsWith('core/')).flatMap(importsOf)
  const imported = new Set(outside.filter((file) => file.startsWith('core/')))
  expect(imported.size).toBeLessThanOrEqual(MOST_CORE_FILES_IMPORTED)
})

it('lists no room and no folder that is not there', () => {
  const listed = rooms.flatMap(({ path, folders }) => [path, ...folders.map((folder) => path + folder)])
  expect(listed.filter((folder) => !files.some((file) => file.startsWith(folder)))).toEqual([])
})

it('names files in its map and its decisions that there are', () => {
  const pages = ['src/README.md', ...globSync('decisions/*.md', { cwd: root })]
  const map = pages.map((page) => readFileSync(join(root, page), 'utf8')).join('\n')
  const named = Array.from(map.matchAll(/`([\w./-]+\.tsx?)`/g), ([, name = '']) => name)
  expect(named.length).toBeGreaterThan(20)
  const missing = named.filter(
    (name) => !name.startsWith('test/') && !files.some((file) => `/${file}`.endsWith(`/${name}`)),
  )
  expect(missing).toEqual([])
})
