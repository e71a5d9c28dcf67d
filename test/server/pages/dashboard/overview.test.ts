import { expect, it } from 'vitest'
import { startMfano } from '../../../../src/apps/testing/index.ts'
import { type TestWorld, useBench } from '../../../support/harness.ts'
import { useDashboard } from './support.ts'

const bench = useBench()
const open = useDashboard()

it('says in an empty world what to do first', async () => {
  const world = await bench.world()
  const page = await open(world)
  await page.getByText('No payments yet').waitFor()
  await page.getByText('/_mfano/collections/stk').waitFor()
  await page.getByRole('link', { name: 'Send a payment' }).click()
  await page.waitForURL('**/#/send')
})

it('follows a payment that is made while it is open', async () => {
  const world = await bench.world()
  const page = await open(world)
  const uuid = await bench.pay(world)
  await page.getByTestId('payments-total').filter({ hasText: '1' }).waitFor()
  await page
    .getByTestId('feed')
    .getByRole('link', { name: /^send-money PENDING/ })
    .click()
  await page.waitForURL(`**/#/payments/${uuid}`)
})

it('moves time, and says what it did', async () => {
  const world = await bench.world()
  await bench.pay(world)
  const page = await open(world)
  await page.getByTestId('clock').click()
  await page.getByTestId('advance-by').fill('5s')
  await page.getByTestId('advance').click()
  await page.getByTestId('moved').filter({ hasText: '1 step, 1 callback delivered' }).waitFor()
  await page.getByTestId('now').filter({ hasText: '16:28:05' }).waitFor()
  expect(bench.receiver.at('/callback')).toHaveLength(1)
})

it('settles', async () => {
  const world = await bench.world()
  await bench.pay(world)
  const page = await open(world)
  await page.getByTestId('clock').click()
  await page.getByTestId('settle').click()
  await page.getByTestId('moved').filter({ hasText: 'nothing is due' }).waitFor()
})

it('shows a span that cannot be meant as the server refuses it', async () => {
  const world = await bench.world()
  const page = await open(world)
  await page.getByTestId('clock').click()
  await page.getByTestId('advance-by').fill('5 fortnights')
  await page.getByTestId('advance').click()
  await page.getByTestId('error').filter({ hasText: 'must be a duration such as' }).waitFor()
})

it('tells callbacks that are being retried from those that were given up', async () => {
  const world = await bench.world({
    scenario: { name: 'twice', description: 'Two attempts.', callbacks: { retry: { attempts: 2, backoff: ['10s'] } } },
  })
  bench.receiver.answer = 500
  await bench.pay(world, { referenceId: 'salary-1' })
  await world.advance('5s')
  const page = await open(world)
  const retrying = page.getByRole('region', { name: 'Callbacks: being retried' })
  await retrying.filter({ hasText: 'salary-1' }).filter({ hasText: '1 attempt, answered 500, next' }).waitFor()
  expect(await page.getByRole('region', { name: 'Callbacks: given up' }).count()).toBe(0)
  await page.locator('main [data-state=retrying]').waitFor()
  await world.advance('20s')
  await page
    .getByRole('region', { name: 'Callbacks: given up' })
    .filter({ hasText: '2 attempts, answered 500' })
    .waitFor()
  await retrying.waitFor({ state: 'detached' })
  await page.locator('main [data-state=failed]').waitFor()
})

it('begins with what needs attention: failed in the last hour, and rules that never fired', async () => {
  const world = await bench.world({ scenario: 'late-reversal' })
  await bench.pay(world, { referenceId: 'salary-1' })
  await world.advance('5s')
  const page = await open(world)
  const attention = page.getByTestId('attention')
  // Of the two rules of this scenario, none was reached.
  await attention.getByRole('region', { name: '2 rules never fired' }).waitFor()
  await bench.pay(world, { referenceId: 'salary-2', phoneNumber: '254711000404', amount: 1_500 })
  await world.advance('5s')
  const failed = attention.getByRole('region', { name: 'Payments: failed in the last hour' })
  await failed.filter({ hasText: 'The rail failed it and gave no reason' }).waitFor()
  await failed.getByRole('link', { name: 'KES 1,500.00 send-money, salary-2' }).waitFor()
  await world.advance('2h')
  await failed.waitFor({ state: 'detached' })
  expect(await page.locator('main').textContent()).toMatch(/2 rules never fired.*Simulated time.*Latest events/)
})

it('says that mfano stopped', async () => {
  const mfano = await startMfano()
  const { baseUrl } = await mfano.world()
  const page = await open({ baseUrl } as TestWorld)
  await mfano.close()
  await page.getByTestId('stopped-server').filter({ hasText: 'mfano does not answer' }).waitFor()
})

it('says when nothing needs attention', async () => {
  const world = await bench.world()
  await bench.pay(world)
  await world.advance('5s')
  const page = await open(world)
  await page.getByTestId('attention').getByText('Nothing needs attention').waitFor()
})

it('puts the cursor into the search of the page at "/"', async () => {
  const page = await open(await bench.world(), '/payments')
  await page.getByTestId('search').waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type('salary')
  await page.waitForURL('**/#/payments?search=salary*')
})
