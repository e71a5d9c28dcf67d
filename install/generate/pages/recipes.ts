/** Clients in other languages, files for CI and example merchants: served one by one, and each folder as an archive. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { createTar } from 'nanotar'

const root = join(import.meta.dirname, '../../..')
const FOLDERS = ['clients', 'install/ci', 'test/merchants/python', 'test/merchants/typescript']

const recipes = FOLDERS.filter((folder) => existsSync(join(root, folder))).flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/__pycache__|\.pyc$/.test(join(entry.parentPath, entry.name)))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .sort(),
)

/** `clients/go/mfano.go` is served as `go/mfano.go`, `test/merchants/python/README.md` as `merchants/python/README.md`. */
const servedAs = (path: string) => path.replace(/^(?:clients|install|test)\//, '')

/**
 * The archive of a folder, or the address of a file, relative to `/docs/`; undefined where `path` is none of both.
 * The page on clients is beside them, so it names them without their folder.
 */
export function recipeAddress(path: string): string | undefined {
  for (const one of [path, `clients/${path}`]) {
    if (recipes.includes(one)) return `recipes/${servedAs(one)}`
    if (recipes.some((file) => file.startsWith(`${one}/`))) return `recipes/${servedAs(one)}.tar`
  }
  return undefined
}

export function recipeFiles(): Record<string, string> {
  const files = recipes.map((path) => ({ name: servedAs(path), data: readFileSync(join(root, path), 'utf8') }))
  const folders = new Set(
    files.flatMap(({ name }) => Array.from(name.matchAll(/\//g), ({ index }) => name.slice(0, index))),
  )
  return {
    'recipes.txt': files.map(({ name }) => `${name}\n`).join(''),
    ...Object.fromEntries(files.map(({ name, data }) => [`recipes/${name}`, data])),
    ...Object.fromEntries(Array.from(folders, (folder) => [`recipes/${folder}.tar`, archiveOf(files, folder)])),
  }
}

/** It unpacks into a folder of the folder's last name. */
function archiveOf(files: readonly { name: string; data: string }[], folder: string): string {
  const above = folder.lastIndexOf('/') + 1
  const inside = files.flatMap(({ name, data }) =>
    name.startsWith(`${folder}/`) ? [{ name: name.slice(above), data }] : [],
  )
  // The same bytes each time. All of it is text.
  return new TextDecoder('utf-8', { fatal: true }).decode(createTar(inside, { attrs: { mtime: 0 } }))
}
