import { expect, it } from 'vitest'
import { useBench } from '../../support/harness.ts'
import { expectAccessible, expectNoOverflow } from './axe.ts'
import { useBrowser } from './browser.ts'

const bench = useBench()
const browser = useBrowser()

const words = [
  ['webhook', 'Test a callback handler'],
  ['sandbox number', 'Trigger numbers'],
  ['every third', 'Fail a payment'],
  ['double payment', 'Judge an app'],
  ['401', 'Move time'],
  ['timeout', 'Move time'],
  ['upgrade', 'Upgrade'],
  ['B2C', 'Pay out'],
  ['payout', 'Pay out'],
  ['pay to tanzania', 'Pay out'],
  ['bank codes', 'Pay out'],
  ['reset between tests', 'A world for each test'],
  ['snapshot', 'Worlds'],
] as const

it('finds pages by the words of a reader, without another server', async () => {
  const world = await bench.world()
  const context = await browser({ viewport: { width: 390, height: 844 } })
  const page = await context.newPage()
  const asked: string[] = []
  const blocked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  page.on('console', (message) => blocked.push(message.text()))
  await page.goto(`${world.baseUrl}/docs/time`)
  for (const [typed, title] of words) {
    await page.getByLabel('Search').fill(typed)
    await page.locator('#found li:nth-child(-n+3) a').filter({ hasText: title }).first().waitFor()
  }
  await page
    .locator('#found li small')
    .filter({ hasText: /snapshot/i })
    .first()
    .waitFor()
  await expectAccessible(page)
  await expectNoOverflow(page)
  await page.locator('#found a').filter({ hasText: 'Worlds' }).first().click()
  await page.getByRole('heading', { level: 1, name: 'Worlds' }).waitFor()
  expect(asked.filter((url) => !url.startsWith(bench.simulator.baseUrl))).toEqual([])
  expect(blocked).toEqual([])
})

it('shows the picture of a page in the colours of its theme', async () => {
  const world = await bench.world()
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await (await browser({ colorScheme, viewport: { width: 390, height: 844 } })).newPage()
    await page.goto(`${world.baseUrl}/docs/worlds`)
    await page.getByRole('img', { name: /Three worlds/ }).waitFor()
    await expectAccessible(page)
    await expectNoOverflow(page)
  }
})

it('can be read without a script, from page to page', async () => {
  const world = await bench.world()
  const page = await (await browser({ javaScriptEnabled: false, viewport: { width: 390, height: 844 } })).newPage()
  await page.goto(`${world.baseUrl}/docs`)
  await page.getByRole('link', { name: 'Guides' }).first().click()
  await page.getByRole('heading', { level: 1, name: 'All pages' }).waitFor()
  await page.getByRole('main').getByRole('link', { name: 'Trigger numbers' }).click()
  await page.getByRole('heading', { level: 1, name: 'Trigger numbers' }).waitFor()
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
  expect(await text('settings')).toContain('| `MFANO_URL` | `http://localhost:8080` |')
})
