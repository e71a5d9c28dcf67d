import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { useBench } from '../../../support/harness.ts'
import { expectAccessible } from '../axe.ts'
import { useDashboard } from './support.ts'

const bench = useBench()
const open = useDashboard()

const menuOf = (page: Page, name: string) => page.getByRole('button', { name: `Actions of ${name}`, exact: true })
const rowOf = (page: Page, name: string) => page.getByTestId('row').filter({ has: menuOf(page, name) })

/** From the menu of a row. */
async function choose(page: Page, name: string, words: string): Promise<void> {
  await menuOf(page, name).click()
  await page.getByRole('menuitem', { name: words }).click()
}

it('makes a world of a scenario that is picked, and forks it under a name that is asked for', async () => {
  const world = await bench.world()
  const page = await open(world, '/worlds')
  await page.getByTestId('field-id').fill('made-here')
  await page.getByTestId('field-scenario').click()
  await page.getByRole('option', { name: 'late-reversal' }).click()
  await page.getByRole('button', { name: 'Create world' }).click()
  await rowOf(page, 'made-here').filter({ hasText: 'late-reversal' }).waitFor()
  await choose(page, 'made-here', 'Fork…')
  await page.getByTestId('name-asked').fill('forked-here')
  await page.keyboard.press('Enter')
  await rowOf(page, 'forked-here').filter({ hasText: 'late-reversal' }).waitFor()
})

it('asks before what cannot be undone, and Escape says no', async () => {
  const world = await bench.world({ id: 'kept' })
  const page = await open(world, '/snapshots')
  await page.getByTestId('field-name').fill('before')
  await page.getByRole('button', { name: 'Save snapshot' }).click()
  const snapshot = rowOf(page, 'before')
  // The world's time when it was saved.
  await snapshot.filter({ hasText: '24 Jan 2025, 16:28:00' }).waitFor()
  await choose(page, 'before', 'Restore…')
  const question = page.getByTestId('question')
  await question.filter({ hasText: 'Go back to before?' }).waitFor()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await question.getByText('Go back to before?').waitFor({ state: 'detached' })
  await choose(page, 'before', 'Delete…')
  await question.filter({ hasText: 'Delete before?' }).getByRole('button', { name: 'Delete' }).click()
  await snapshot.waitFor({ state: 'detached' })
  expect((await world.control('GET', '/snapshots')).snapshots).toEqual([])
})

it('finds a world by its name or scenario', async () => {
  const world = await bench.world({ id: 'shop-1' })
  for (let i = 2; i < 7; i++) await bench.world({ id: `shop-${i}`, ...(i === 4 && { scenario: 'late-reversal' }) })
  const page = await open(world, '/worlds')
  await page.getByTestId('search').fill('LATE-rev')
  await rowOf(page, 'shop-1').waitFor({ state: 'detached' })
  await rowOf(page, 'shop-4').waitFor()
  await page.getByTestId('search').fill('nowhere')
  await page.getByTestId('clear-filters').click()
  await rowOf(page, 'shop-6').waitFor()
})

it('lists how many payments each world has, and how much time has passed in it', async () => {
  const world = await bench.world({ id: 'aged' })
  await bench.pay(world)
  await world.advance('2d7h')
  const page = await open(world, '/worlds')
  await page.getByRole('row', { name: /^aged this one default 1 .* 2 d 7 h/ }).waitFor()
})

it('says that the callbacks of a world from a file are paused, and resumes them', async () => {
  const world = await bench.world({ id: 'carried' })
  await bench.pay(world)
  const bytes = await (await fetch(`${bench.simulator.baseUrl}/_mfano/worlds/carried/file`)).arrayBuffer()
  await fetch(`${bench.simulator.baseUrl}/_mfano/worlds/brought/file`, { method: 'PUT', body: bytes })

  const brought = `${bench.simulator.baseUrl}/w/brought/_mfano`
  await fetch(`${brought}/clock/advance`, { method: 'POST', body: '{"by":"1h"}' })
  expect(bench.receiver.received).toEqual([])
  const page = await open(world)
  await page.goto(`${brought}/#/callbacks/1`)
  await page.getByTestId('paused-note').waitFor()
  await expectAccessible(page)
  await page.getByTestId('paused-note').getByTestId('resume').click()
  await page.getByTestId('paused-note').waitFor({ state: 'detached' })
  await expect.poll(() => bench.receiver.received.length).toBe(1)
})

it('says in a page that there is no such world', async () => {
  const world = await bench.world()
  const page = await open(world)
  const answer = await page.goto(`${bench.simulator.baseUrl}/w/nowhere/_mfano/`)
  expect(answer?.status()).toBe(404)
  await page.getByTestId('missing-world').filter({ hasText: 'There is no world “nowhere”' }).waitFor()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'The worlds of this server' }).click()
  await page.getByRole('heading', { level: 1, name: 'Worlds' }).waitFor()
})

it('has every button within reach on a phone', async () => {
  const world = await bench.world({ id: 'a-name-that-takes-all-of-the-room-there-is-on-a-phone' })
  await world.control('POST', '/snapshots', { name: 'before-everything-else' })
  for (const [path, name] of [
    ['/worlds', world.id],
    ['/snapshots', 'before-everything-else'],
  ] as const) {
    const page = await open(world, path, { viewport: { width: 390, height: 844 } })
    const menu = menuOf(page, name)
    await menu.waitFor()
    expect(await menu.evaluate((one) => one.getBoundingClientRect().right)).toBeLessThanOrEqual(390 - 16)
    const wider = await page
      .locator('main [role=table] *')
      .evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.outerHTML))
    expect(wider).toEqual([])
  }
})
