/** Clients, files for CI and example merchants, as they are served. */

import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Mfano, startMfano } from '../../../src/apps/testing/index.ts'
import { folder as emptyFolder } from '../../support/folder.ts'

const root = join(import.meta.dirname, '../../..')
let mfano: Mfano
beforeAll(async () => {
  mfano = await startMfano()
})
afterAll(() => mfano.close())

const at = (path: string) => fetch(`${mfano.url}/docs/${path}`)

it('a page lists them, and each link of it leads to an archive or a page', async () => {
  const page = await (await at('recipes.md')).text()
  const links = [...page.matchAll(/\]\((?!http)([^)#]+)/g)].map(([, to]) => to)
  expect(links).toEqual(
    expect.arrayContaining(['recipes/python.tar', 'recipes/ci.tar', 'recipes/merchants/python.tar']),
  )
  for (const to of links) expect((await at(`${to}`)).status, to).toBe(200)
  expect(await (await fetch(`${mfano.url}/llms.txt`)).text()).toContain(`${mfano.url}/docs/recipes.md`)
})

it.each([
  ['python', 'clients/python', 'python/mfano/__init__.py'],
  ['java', 'clients/java', 'java/src/main/java/mfano/World.java'],
  ['merchants/python', 'test/merchants/python', 'python/chama/payments.py'],
])('%s comes as an archive that unpacks as it is here', async (name, folder, file) => {
  const place = emptyFolder()
  const answer = await at(`recipes/${name}.tar`)
  expect(answer.headers.get('content-type')).toBe('application/x-tar')
  writeFileSync(join(place, 'all.tar'), Buffer.from(await answer.arrayBuffer()))
  execFileSync('tar', ['xf', 'all.tar'], { cwd: place })
  const original = join(root, folder, file.slice(file.indexOf('/') + 1))
  expect(readFileSync(join(place, file), 'utf8')).toBe(readFileSync(original, 'utf8'))
})

it('comes file by file, and nothing else does', async () => {
  const answer = await at('recipes/go/mfano.go')
  expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8')
  expect(await answer.text()).toBe(readFileSync(join(root, 'clients/go/mfano.go'), 'utf8'))
  for (const path of ['recipes/go/../../../package.json', 'recipes/.tar', 'recipes/nope'])
    expect((await at(path)).status, path).toBe(404)
  expect(await (await at('recipes/nope')).text()).toMatch(/no recipe "nope"; there are\n(.*\n)*go\/mfano\.go\n/)
})
