import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Mfano, startMfano } from '../../../src/apps/testing/index.ts'
import { refusalCodes } from '../../../src/core/model/refusal.ts'
import { assumptions } from '../../../src/service/assumptions/assumptions.ts'
import { paymentsService } from '../../../src/service/service.ts'
import { assuming } from '../../support/contract.ts'
import { folder as emptyFolder } from '../../support/folder.ts'
import { useBench } from '../../support/harness.ts'
import { useBrowser } from './browser.ts'

const bench = useBench()
const browser = useBrowser()

it('shows every operation, error and assumption of the contract', async () => {
  const world = await bench.world()
  const page = async (name: string) => (await world.raw('GET', `/docs${name}`)).text
  const { text, headers } = await world.raw('GET', '/docs')
  for (const { id, only } of paymentsService.operations)
    expect(text.includes(`<li id="${id}"><a href="docs/api/${id}">`), id).toBe(!only)
  const [errors, assumed] = [await page('/api/errors'), await page('/api/assumptions')]
  for (const code of refusalCodes) expect(errors.includes(`<code>${code}</code>`), code).toBe(true)
  for (const id of Object.keys(assumptions)) expect(assumed.includes(`id="assumption-${id}"`), id).toBe(true)
  // Told by a flag, because a page of this size is no help in a report.
  const read = await page('/api/getSendMoney')
  expect(read.includes(`curl &#39;${world.baseUrl}/api/sandbox/v1/send-money/single?requestId=`)).toBe(true)
  expect(/<script src=|\bstyle="/.test(read)).toBe(false)
  expect(headers.get('content-security-policy')).toContain("form-action 'none'")
  expect((await world.raw('GET', '/docs/api/sendMony')).status).toBe(404)
})

it('shows the world as its scenario has it', async () => {
  const world = await bench.world(assuming({ 'refresh-token': 'on', 'error-body': 'flat' }))
  for (const [name, expected] of [
    ['refreshToken', 'Here because assumption refresh-token is on.'],
    ['assumptions', '<div class="chosen">flat</div>'],
    ['errors', '&quot;statusCode&quot;: &quot;400&quot;'],
    ['createSendMoney', 'This world has others: <a href="assumptions">'],
  ] as const) {
    const { text } = await world.raw('GET', `/docs/api/${name}`)
    expect(text.includes(expected), expected).toBe(true)
  }
  const usual = await bench.world()
  expect((await usual.raw('GET', '/docs/api/refreshToken')).status).toBe(404)
  expect((await usual.raw('GET', '/docs/api/createSendMoney')).text).not.toContain('This world has others')
})

it('leads from a base URL to the docs, with or without a world in it', async () => {
  const world = await bench.world()
  for (const address of [world.baseUrl, `${world.baseUrl}/`, bench.simulator.baseUrl]) {
    const answer = await fetch(address, { redirect: 'manual' })
    expect([answer.status, answer.headers.get('location')]).toEqual([
      302,
      `${new URL(address).pathname.replace(/\/$/, '')}/docs`,
    ])
  }
  const icon = await fetch(`${bench.simulator.baseUrl}/favicon.ico`)
  expect(icon.headers.get('content-type')).toBe('image/svg+xml')
})

it('can be read on a small screen', async () => {
  const world = await bench.world()
  const page = await (await browser({ viewport: { width: 360, height: 800 } })).newPage()
  const blocked: string[] = []
  page.on('console', (message) => blocked.push(message.text()))
  await page.goto(`${world.baseUrl}/docs/api/createSendMoney`)
  await page.getByRole('heading', { level: 1, name: 'Send money to a mobile wallet' }).waitFor()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
  expect(blocked).toEqual([])
})

it('shows each request in four languages, and remembers which one is read', async () => {
  const world = await bench.world()
  const page = await (await browser()).newPage()
  await page.goto(`${world.baseUrl}/docs/api/createSendMoney`)
  await page.getByText("curl -X POST 'http").waitFor()
  await page.getByText('PHP', { exact: true }).click()
  await page.getByText("'phoneNumber' => '254745362174',").waitFor()
  await page.locator('a[rel=next]').click()
  await page.getByRole('heading', { level: 1, name: 'Read one payout' }).waitFor()
  await page.getByText('echo curl_exec($request);').waitFor()
})

// Clients, files for CI and example merchants, as they are served.

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
