import { expect, it } from 'vitest'
import { useBench } from '../../support/harness.ts'
import { expectAccessible, expectNoOverflow } from './axe.ts'
import { useBrowser } from './browser.ts'

const bench = useBench()
const browser = useBrowser()

it('finds what is looked for in all pages, without another server', async () => {
  const world = await bench.world()
  const context = await browser({ viewport: { width: 390, height: 844 } })
  const page = await context.newPage()
  const asked: string[] = []
  const blocked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  page.on('console', (message) => blocked.push(message.text()))
  await page.goto(`${world.baseUrl}/docs/time`)
  await page.getByLabel('Search').fill('snapshot')
  const found = page.locator('#found a').filter({ hasText: 'Worlds and snapshots' }).first()
  await found.waitFor()
  await expectAccessible(page)
  await expectNoOverflow(page)
  await found.click()
  await page.getByRole('heading', { level: 1, name: 'Worlds and snapshots' }).waitFor()
  expect(asked.filter((url) => !url.startsWith(bench.simulator.baseUrl))).toEqual([])
  expect(blocked).toEqual([])
})

it('can be read without a script, from page to page', async () => {
  const world = await bench.world()
  const page = await (await browser({ javaScriptEnabled: false, viewport: { width: 390, height: 844 } })).newPage()
  await page.goto(`${world.baseUrl}/docs`)
  await page.getByRole('link', { name: 'Guides' }).first().click()
  await page.getByRole('heading', { level: 1, name: 'mfano' }).waitFor()
  await page.getByRole('main').getByRole('link', { name: 'Outcomes' }).click()
  await page.getByRole('heading', { level: 1, name: 'Outcomes and trigger numbers' }).waitFor()
  await page.locator('form.search').waitFor({ state: 'hidden' })
})

it('has commands that can be pasted where it is served: they ask this world', async () => {
  const world = await bench.world()
  const text = async (name: string) => (await fetch(`${world.baseUrl}/docs/${name}.md`)).text()
  expect(await text('first-payment')).toContain(`curl -s ${world.baseUrl}/api/v1/get-token`)
  expect(await text('first-payment')).not.toContain('localhost:8080')
  expect(await text('readme')).toContain(`<${world.baseUrl}/_mfano/>`)
  // Worlds are beside this one and not in it.
  expect((await Promise.all(['worlds', 'commands', 'ci', 'testing'].map(text))).join()).not.toMatch(/\/w\/[^/\s]+\/w\//)
  expect(await text('commands')).toContain('Default: MFANO_URL, or else http://localhost:8080.')
})
