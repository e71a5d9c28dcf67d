import { expect, it } from 'vitest'
import { useBench } from '../../../support/harness.ts'
import { inBatches } from '../../../support/in-batches.ts'
import { useDashboard } from './support.ts'

const bench = useBench()
const open = useDashboard()

it('finds a payment by its reference, and shows why it ended as it did', async () => {
  const world = await bench.world()
  await bench.pay(world, { referenceId: 'salary-1' })
  const uuid = await bench.pay(world, { referenceId: 'salary-2', phoneNumber: '254711000404' })
  await world.advance('5s')
  const page = await open(world, '/payments')
  await page.getByTestId('search').fill('salary-2')
  await page.getByText('1 of 1 loaded').waitFor()
  await page.getByTestId('row').filter({ hasText: 'salary-2' }).click()
  await page.waitForURL(`**/#/payments/${uuid}`)
  await page
    .getByTestId('stopped')
    .filter({
      hasText: /The rail failed it and gave no reason: the rule ".+" decided so\. FAILED is final\. Its merchant/,
    })
    .waitFor()
  await page.getByTestId('story').getByText('rule').first().waitFor()
  const { story } = (await world.control('GET', `/payments/${uuid}`)).explanation
  const { passed } = story.find((link: { station: string }) => link.station === 'rule')
  await page.getByRole('button', { name: 'Why it, and no other rule' }).click()
  await page
    .getByTestId('rule-trace')
    .filter({ hasText: `${passed.length} rules before it` })
    .waitFor()
  const [failed, pending] = await Promise.all(
    ['FAILED', 'PENDING'].map((state) =>
      page.locator(`g[data-state=${state}][data-visited=true] rect`).first().getAttribute('stroke'),
    ),
  )
  expect(failed).not.toBe(pending)
  await page.getByTestId('callback').filter({ hasText: 'delivered' }).waitFor()
})

it('makes a payment end by a button for each legal event', async () => {
  const world = await bench.world()
  const uuid = await bench.pay(world, { phoneNumber: '254711000999' })
  const page = await open(world, `/payments/${uuid}`)
  await page.getByTestId('event-FAIL').click()
  await page.getByTestId('stopped').filter({ hasText: 'Forced by hand. FAILED is final.' }).waitFor()
  await page.getByTestId('event-FAIL').waitFor({ state: 'detached' })
  expect((await world.control('GET', `/payments/${uuid}`)).status).toBe('FAILED')
})

it('says what is wrong with a callback that failed, and sends it again', async () => {
  const world = await bench.world()
  bench.receiver.answer = 500
  const uuid = await bench.pay(world)
  await world.advance('5s')
  const page = await open(world, `/payments/${uuid}`)
  await page.getByTestId('callback').getByText('Attempt 1').waitFor()
  await page.getByTestId('callback').getByText('Attempt 1').click()
  await page.getByTestId('diagnosis').first().waitFor()
  bench.receiver.answer = 200
  await page.getByTestId('redeliver').click()
  await page.getByTestId('callback').getByText('delivered').waitFor()
  await page.getByTestId('callback').getByText('Attempt 2 (by hand)').waitFor()
})

it('scrolls through thousands of rows and draws only those in sight', async () => {
  const world = await bench.world()
  await inBatches(600, () => world.control('POST', '/collections/stk', { phoneNumber: '254712345678', amount: 10 }))
  const page = await open(world, '/payments')
  await page.getByText('200 of 600 loaded').waitFor()
  await expect.poll(() => page.getByTestId('row').count()).toBeLessThan(60)
  const table = page.getByRole('table', { name: 'Payments' })
  // Each end that it is scrolled to loads more, so that there is another one.
  const scrolled = async () => {
    await table.evaluate((frame) => frame.scrollTo(0, frame.scrollHeight))
    return page.getByText('600 of 600 loaded').count()
  }
  await expect.poll(scrolled).toBe(1)
  await expect.poll(() => page.getByTestId('row').count()).toBeLessThan(60)
})

it('leads to a payment by keyboard', async () => {
  const world = await bench.world()
  const uuid = await bench.pay(world)
  const page = await open(world, '/payments')
  await page.getByTestId('row').first().focus()
  await page.keyboard.press('Enter')
  await page.waitForURL(`**/#/payments/${uuid}`)
})

it('says so when there is no such payment', async () => {
  const world = await bench.world()
  const page = await open(world, '/payments/00000000-0000-4000-8000-00000000dead')
  await page.getByTestId('error').filter({ hasText: 'no payment' }).waitFor()
})
