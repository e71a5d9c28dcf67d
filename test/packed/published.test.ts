/** Nothing that people read promises a package or an image that cannot be had. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { publishedNames } from '../../install/release-files.ts'
import { readDocument } from '../support/examples.ts'

const root = join(import.meta.dirname, '../..')
const names = publishedNames()
const folders = ['src/docs', 'clients', 'install/ci', 'scenarios']
const files = ['README.md', ...folders.flatMap((folder) => filesIn(folder))]

function filesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((file) => join(folder, file))
    .filter((file) => /\.(?:md|ya?ml)$/.test(file))
}
const text = (file: string) => readDocument(root, file)

/** Commands that would ask a registry for mfano. A tarball, a git address and a folder ask none. */
const ASKS_A_REGISTRY = [
  /\bnpm (?:i|install|add)\b.* (?:mfano(?![\w/-])(?!-\d)|@?[\w-]+\/mfano@)/,
  /\bnpx (?:--yes|-y|-p)\b.*\bmfano(?!-\d|\.tgz)/,
  /\b(?:pnpm|yarn|bun) add\b.*\bmfano\b(?!-\d)/,
  /\bpip install (?:["']?)mfano\b/,
  /\bdocker pull\b.*\bmfano\b/,
]

it.skipIf(names.published)('no command fetches it from a registry', () => {
  const promises = files.flatMap((file) =>
    text(file)
      .split('\n')
      .filter((line) => !/github:OWNER|\.tgz/.test(line) && ASKS_A_REGISTRY.some((one) => one.test(line)))
      .map((line) => `${file}: ${line.trim()}`),
  )
  expect(promises).toEqual([])
})

it.skipIf(names.published)('a page that runs an image says how it is built', () => {
  for (const file of files)
    if (/\bdocker run\b.*\bmfano\b|^\s*image: \S*mfano\b/m.test(text(file)))
      expect(text(file), file).toMatch(/docker build -t \S*mfano/)
})

it('a page that runs npx mfano leads to how mfano is had', () => {
  const pages = files.filter((file) => file.startsWith('src/docs/') && /\bnpx mfano\b/.test(text(file)))
  expect(pages.length).toBeGreaterThan(2)
  for (const file of pages) if (!file.endsWith('install.md')) expect(text(file), file).toContain('(install.md)')
})

it('says so where people look first, and has its names in one place', () => {
  const said = text('src/docs/install.md').includes('mfano is not published yet')
  expect(said).toBe(!names.published)
  expect(text('README.md')).toContain('(src/docs/install.md)')
  const { name, repository, bugs, homepage } = JSON.parse(text('package.json'))
  expect(name).toBe(names.package)
  expect([repository, bugs, homepage].map((one) => one !== undefined)).toEqual(
    [names.repository, names.bugs, names.homepage].map((one) => names.published && one !== null),
  )
})
