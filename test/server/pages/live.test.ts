import { expect, it } from 'vitest'
import { useBench } from '../../support/harness.ts'
import { useBrowser } from './browser.ts'
import { byCard, makeSession, openPaid, openSession, submit } from './session.ts'

// The page follows its session: nobody reloads here unless the test says so.

const bench = useBench()
const browser = useBrowser()

it('offers no second payment to whoever goes back, or opens the address again', async () => {
  const world = await bench.world()
  const session = await makeSession(bench, world)
  const page = await (await browser()).newPage()
  await page.goto(bench.receiver.url('/shop'))
  await page.goto(session.checkoutUrl)
  await submit(session, byCard)
  await page.locator('[data-status=PROCESSING]').waitFor()
  await world.advance('5s')
  await page.waitForURL(/\/success/)
  await page.goBack()
  await page.waitForURL(/\/shop$/)
  await openPaid(page, session)
  expect(await world.available()).toBe(1_001_500)
})

it('expires under the eyes of its payer', async () => {
  const { world, page } = await openSession(bench, browser)
  await page.locator('[data-status=PENDING]').waitFor()
  await world.advance('31m')
  await page.locator('[data-status=EXPIRED]').waitFor()
  await page.getByTestId('status').filter({ hasText: 'start a new payment at the shop' }).waitFor()
  await page.getByTestId('pay-CARD').waitFor({ state: 'detached' })
})

it('tells of one session and no other, to whoever has its address', async () => {
  const world = await bench.world()
  const [session, other] = [await makeSession(bench, world), await makeSession(bench, world)]
  const stream = (await fetch(`${session.checkoutUrl}/events`)).body?.getReader()
  const next = async () => new TextDecoder().decode((await stream?.read())?.value)
  expect(await next()).toContain('{"status":"PENDING"}')
  await submit(other, byCard)
  await submit(session, { action: 'pay', method: 'MPESA_STK', phoneNumber: '0711000100' })
  expect(await next()).toBe('event: status\ndata: {"status":"REQUIRES_CUSTOMER_ACTION"}\n\n')
  await stream?.cancel()
  expect((await fetch(`${world.baseUrl}/session/chk_nothing/events`)).status).toBe(404)
})

it('has places of its own to follow a session from, so that no crowd of payers keeps an operator out', async () => {
  const world = await bench.world()
  const session = await makeSession(bench, world)
  const follow = () => fetch(`${session.checkoutUrl}/events`)
  const crowd = await Promise.all(Array.from({ length: 100 }, async () => (await follow()).body?.getReader()))
  for (const one of crowd) await one?.read()
  expect((await follow()).status).toBe(429)

  const operator = await fetch(`${world.baseUrl}/_mfano/events`)
  expect(operator.status).toBe(200)
  await operator.body?.cancel()
  for (const one of crowd) await one?.cancel()
})
