/** Clients in other languages, files for CI and example merchants: served one by one, and each folder as an archive. */
import type { Hono } from 'hono'
import type { DocFiles } from '../front-ports.ts'
import type { PagesContext, PagesEnv } from './page.ts'

/** `clients/go/mfano.go` is served as `go/mfano.go`, `test/merchants/python/README.md` as `merchants/python/README.md`. */
const servedAs = (path: string) => path.replace(/^(?:clients|install|test)\//, '')

/**
 * The archive of a folder, or the address of a file, relative to `/docs/`; undefined where `path` is none of both.
 * The page on clients is beside them, so it names them without their folder.
 */
export function recipeAddress(recipes: readonly string[], path: string): string | undefined {
  for (const one of [path, `clients/${path}`]) {
    if (recipes.includes(one)) return `recipes/${servedAs(one)}`
    if (recipes.some((file) => file.startsWith(`${one}/`))) return `recipes/${servedAs(one)}.tar`
  }
  return undefined
}

export function recipeRoutes(app: Hono<PagesEnv>): void {
  app.get('/docs/recipes/*', async (c) => {
    const { docs } = c.env
    const files = docs?.recipes() ?? []
    const asked = decodeURIComponent(c.req.path.slice('/docs/recipes/'.length))
    const file = files.find((path) => servedAs(path) === asked)
    if (docs && file !== undefined) return c.body(docs.read(file), 200, { 'content-type': 'text/plain; charset=utf-8' })
    const folder = /^(.+)\.tar$/.exec(asked)?.[1]
    const inside = files.filter((path) => servedAs(path).startsWith(`${folder}/`))
    if (docs && inside.length > 0) return sendArchive(c, docs, inside, `${folder}`)
    return c.text(`There is no recipe "${asked.slice(0, 80)}"; there are\n${files.map(servedAs).join('\n')}\n`, 404)
  })
}

/** It unpacks into a folder of the folder's last name. */
async function sendArchive(c: PagesContext, docs: DocFiles, paths: readonly string[], folder: string) {
  const { createTar } = await import('nanotar')
  const above = folder.lastIndexOf('/') + 1
  const files = paths.map((path) => ({ name: servedAs(path).slice(above), data: docs.read(path) }))
  // The same bytes each time.
  const bytes = new Uint8Array(createTar(files, { attrs: { mtime: 0 } }))
  return c.body(bytes, 200, { 'content-type': 'application/x-tar' })
}
