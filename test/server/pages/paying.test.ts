import { expect, it } from 'vitest'
import { useBench } from '../../support/harness.ts'
import { EventReader } from '../../support/stream.ts'
import { expectAccessible } from './axe.ts'
import { useBrowser } from './browser.ts'
import { fillCard, makeSession, openSession, statusOf } from './session.ts'

// A payer with a real browser. What works without a script is tried without one.

const bench = useBench()
const browser = useBrowser()

it('pays by card, tells the merchant, then sends the payer back', async () => {
  const world = await bench.world()
  const session = await makeSession(bench, world)
  const before = await world.available()
  const payer = await browser({ javaScriptEnabled: false })
  const page = await payer.newPage()

  await page.goto(session.checkoutUrl)
  expect(await page.getByTestId('merchant').textContent()).toBe('Example Merchant Ltd')
  expect(await page.getByTestId('amount').textContent()).toBe('KES 1,500.00')
  expect(await page.getByTestId('simulated').textContent()).toContain('no money moves')
  await fillCard(page)
  await page.getByRole('button', { name: 'Pay KES 1,500.00 by card' }).click()

  await page.getByTestId('frozen').waitFor()
  expect(page.url()).toBe(session.checkoutUrl)
  expect(await statusOf(world, session)).toBe('PROCESSING')

  // It looks again by itself, in seconds of real time, which no test waits for: another page looks now.
  expect(await page.locator('meta[http-equiv=refresh]').getAttribute('content')).toBe('4')
  await page.close()
  await world.advance('5s')
  const again = await payer.newPage()
  await again.goto(session.checkoutUrl)
  await again.waitForURL(bench.receiver.url('/success?order=12345'))
  const callbackThenReturn = bench.receiver.received.map(({ path }) => path).filter((path) => path !== '/favicon.ico')
  expect(callbackThenReturn).toEqual(['/callback', '/success?order=12345'])
  expect(bench.receiver.at('/callback')).toMatchObject([{ id: session.id, status: 'SUCCEEDED', amount: 1500 }])
  expect(await world.available()).toBe(before + 1500)
})

it('pays by phone prompt', async () => {
  const { world, session, page } = await openSession(bench, browser, { changes: { customerPhone: '+254700000200' } })
  await page.getByTestId('method-MPESA_STK').click()
  await page.getByTestId('pay-MPESA_STK').click()
  await page.locator('[data-status=REQUIRES_CUSTOMER_ACTION]').waitFor()
  await page.getByTestId('status').filter({ hasText: '+254700000200' }).waitFor()
  await world.advance('10s')
  // Nobody reloads: the page follows its session.
  await page.waitForURL(/\/success/)
  expect(await statusOf(world, session)).toBe('SUCCEEDED')
})

it('charges once when two tabs pay, and says so', async () => {
  const world = await bench.world()
  const session = await makeSession(bench, world)
  const before = await world.available()
  const payer = await browser({ javaScriptEnabled: false })
  const [first, second] = [await payer.newPage(), await payer.newPage()]
  await first.goto(session.checkoutUrl)
  await second.goto(session.checkoutUrl)

  await fillCard(first)
  await first.getByTestId('pay-CARD').click()
  await first.locator('[data-status=PROCESSING]').waitFor()
  await fillCard(second)
  await second.getByTestId('pay-CARD').click()
  await second.getByTestId('notice').filter({ hasText: 'already under way' }).waitFor()

  await world.advance('5s')
  expect(await statusOf(world, session)).toBe('SUCCEEDED')
  expect(bench.receiver.at('/callback')).toHaveLength(1)
  expect(await world.available()).toBe(before + 1500)
})

it('charges once on a double click', async () => {
  const { world, page } = await openSession(bench, browser)
  const before = await world.available()
  await fillCard(page)
  await page.getByTestId('pay-CARD').dblclick()
  await page.locator('[data-status=PROCESSING]').waitFor()
  await world.advance('5s')
  await page.waitForURL(/\/success/)
  expect(await world.available()).toBe(before + 1500)
})

it('cancels: back to the merchant, and the session stays open until it expires', async () => {
  const { world, session, page } = await openSession(bench, browser)
  await page.getByTestId('cancel').click()
  await page.waitForURL(bench.receiver.url('/cancel'))
  expect(await statusOf(world, session)).toBe('PENDING')
  const { timeline, explanation } = await world.control('GET', `/payments/${session.id}`)
  expect(timeline.happened.at(-1)).toMatchObject({ event: 'leave', status: 'PENDING', by: 'payer' })
  expect(explanation.story.at(-1).text).toContain('the payer cancelled on the page and went back to the merchant')
  const events = await EventReader.open(`${world.baseUrl}/_mfano/events?types=payment&recent=1000`)
  expect((await events.take(2)).at(-1)?.data).toMatchObject({ from: 'PENDING', to: 'PENDING', by: 'payer' })
  events.close()

  await world.advance('31m')
  await page.goto(session.checkoutUrl)
  await page.locator('[data-status=EXPIRED]').waitFor()
  await page.getByTestId('pay-CARD').waitFor({ state: 'detached' })
  expect(bench.receiver.at('/callback')).toMatchObject([{ status: 'EXPIRED' }])
})

it('follows a merchant that sends a cancelling payer on to another site', async () => {
  const world = await bench.world()
  const cancelUrl = bench.receiver.url('/_mfano/health').replace('127.0.0.1', 'localhost')
  const session = await makeSession(bench, world, { cancelUrl })
  const page = await (await browser()).newPage()
  await page.goto(session.checkoutUrl)
  await page.getByTestId('cancel').click()
  await page.waitForURL(cancelUrl)
})

it('fits a small screen and takes the keyboard, in light and dark', async () => {
  const world = await bench.world()
  const session = await makeSession(bench, world, { description: `${'x'.repeat(300)} <script>alert(1)</script>` })
  const papers = new Set<string>()
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await (await browser({ colorScheme, viewport: { width: 360, height: 800 } })).newPage()
    await page.goto(session.checkoutUrl)
    const width = await page.evaluate(() => document.documentElement.scrollWidth)
    expect(width).toBe(360)
    expect(await page.getByTestId('description').textContent()).toContain('<script>')
    await page.keyboard.press('Tab')
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('way-CARD')
    await page.keyboard.press('Tab')
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('card-number')
    await expectAccessible(page)
    papers.add(await page.evaluate(() => getComputedStyle(document.body).backgroundColor))
  }
  expect(papers.size).toBe(2)
})
