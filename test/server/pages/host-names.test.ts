/** Pages by other names than localhost, over plain HTTP, as the containers of a compose file reach each other. */
import { expect, it } from 'vitest'
import { type TestWorld, useBench } from '../../support/harness.ts'
import { useBrowser } from './browser.ts'
import { fillCard, makeSession, statusOf } from './session.ts'

const bench = useBench()
const browser = useBrowser()

/** An address as the network of a compose file has it. */
const named = (url: string) => url.replace('//127.0.0.1:', '//mfano:')

/** A phone that asks its holder: the first prompt of a world. */
async function prompt(world: TestWorld): Promise<string> {
  const { uuid } = await world.control('POST', '/collections/stk', { phoneNumber: '254711000100', amount: 1500 })
  return uuid
}

it('take a payment, and let a payer go to a shop that is not told where from', async () => {
  const world = await bench.world()
  const page = await (await browser()).newPage()
  const session = await makeSession(bench, world)
  await page.goto(named(session.checkoutUrl))
  await fillCard(page)
  await page.getByTestId('pay-CARD').click()
  await page.getByTestId('frozen').waitFor()
  expect(await statusOf(world, session)).toBe('PROCESSING')

  await page.goto(named((await makeSession(bench, world)).checkoutUrl))
  await page.getByTestId('cancel').click()
  await page.waitForURL(bench.receiver.url('/cancel'))
  const arrived = bench.receiver.received.find(({ path }) => path === '/cancel')
  expect(arrived?.headers.referer).toBeUndefined()
})

it('take the answer to a prompt', async () => {
  const world = await bench.world({ scenario: 'handset' })
  const uuid = await prompt(world)
  const page = await (await browser()).newPage()
  await page.goto(named(`${world.baseUrl}/_mfano/handset/254711000100/`))
  for (const digit of '1234') await page.getByRole('button', { name: digit, exact: true }).click()
  await page.getByTestId('approve').click()
  await page.getByTestId('message').waitFor()
  expect((await world.control('GET', `/payments/${uuid}`)).status).toBe('SUCCESS')
})

it('move the clock from the dashboard', async () => {
  const world = await bench.world()
  const page = await (await browser()).newPage()
  await page.goto(named(`${world.baseUrl}/_mfano/`))
  await page.locator('[data-live=true]').waitFor()
  await page.getByTestId('clock').click()
  await page.getByTestId('advance-by').fill('5s')
  await page.getByTestId('advance').click()
  await page.getByTestId('now').filter({ hasText: '16:28:05' }).waitFor()
})
