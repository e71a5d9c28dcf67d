import { it } from 'vitest'
import { useBench } from '../../support/harness.ts'
import { expectAccessible, expectNoOverflow } from './axe.ts'
import { useBrowser } from './browser.ts'
import { byCard, makeSession, openPaid, submit } from './session.ts'

// A session in every state, as its payer finds it: readable by everybody, in both colours and on both ends of screens.

const bench = useBench()
const browser = useBrowser()

it('a session that goes on', { timeout: 90_000 }, async () => {
  const world = await bench.world()
  const states: [string, Record<string, string>[]][] = [
    ['PENDING', []],
    ['PENDING', [{ ...byCard, cvc: '' }]],
    ['PROCESSING', [byCard]],
    ['REQUIRES_CUSTOMER_ACTION', [{ ...byCard, number: '4000 0000 0000 3220' }]],
    ['REQUIRES_CUSTOMER_ACTION', [{ action: 'pay', method: 'MPESA_STK', phoneNumber: '0711000100' }]],
  ]
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [360, 1440]) {
      const page = await (await browser({ colorScheme, viewport: { width, height: 800 } })).newPage()
      for (const [status, forms] of states) {
        const session = await makeSession(bench, world)
        for (const form of forms) await submit(session, form)
        await page.goto(session.checkoutUrl)
        await page.locator(`[data-status=${status}]`).waitFor()
        await expectAccessible(page)
        await expectNoOverflow(page)
      }
    }
  }
})

it.each([
  {
    end: 'FAILED',
    call: 'pay',
    body: { method: 'CARD', card: { number: '4000000000000002', expiry: '12/30', cvc: '123' } },
  },
  { end: 'EXPIRED', call: 'expire', body: {} },
] as const)('a session that has $end', async ({ end, call, body }) => {
  const world = await bench.world()
  const session = await makeSession(bench, world)
  await world.control('POST', `/checkout/${session.id}/${call}`, body)
  await world.advance('10s')
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [360, 1440]) {
      const page = await (await browser({ colorScheme, viewport: { width, height: 800 } })).newPage()
      await page.goto(session.checkoutUrl)
      await page.locator(`[data-status=${end}]`).waitFor()
      await page.getByTestId('pay-CARD').waitFor({ state: 'detached' })
      await expectAccessible(page)
      await expectNoOverflow(page)
    }
  }
})

it('a session that never was', async () => {
  const world = await bench.world()
  const page = await (await browser({ viewport: { width: 360, height: 800 } })).newPage()
  await page.goto(`${world.baseUrl}/session/chk_0000001AAAAAAAAAAAA`)
  await page.locator('[data-status=NOT_FOUND]').waitFor()
  await expectAccessible(page)
})

it('a session that is paid, before its payer goes home', async () => {
  const world = await bench.world()
  const session = await makeSession(bench, world)
  await world.control('POST', `/checkout/${session.id}/pay`, { method: 'CARD' })
  await world.advance('10s')
  const page = await (await browser({ javaScriptEnabled: false, viewport: { width: 360, height: 800 } })).newPage()
  await openPaid(page, session)
})
