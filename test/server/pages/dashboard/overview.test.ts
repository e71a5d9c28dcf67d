import { expect, it } from 'vitest'
import { useBench } from '../../../support/harness.ts'
import { useDashboard } from './support.ts'

const bench = useBench()
const open = useDashboard()

it('says in an empty world what to do first', async () => {
  const world = await bench.world()
  const page = await open(world)
  await page.getByText('No payment yet').waitFor()
  await page.getByText('/_mfano/collections/stk').waitFor()
})

it('follows a payment that is made while it is open', async () => {
  const world = await bench.world()
  const page = await open(world)
  const uuid = await bench.pay(world)
  await page.getByTestId('payments-total').filter({ hasText: '1' }).waitFor()
  await page.getByTestId('feed').getByRole('link', { name: 'send-money', exact: true }).click()
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
  await page.getByTestId('moved').filter({ hasText: 'nothing is pending' }).waitFor()
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
  const retrying = page.getByRole('region', { name: 'Being retried' })
  await retrying.filter({ hasText: 'salary-1' }).filter({ hasText: '1 attempt, answered 500, next' }).waitFor()
  expect(await page.getByRole('region', { name: 'Given up' }).count()).toBe(0)
  await page.locator('main [data-state=retrying]').waitFor()
  await world.advance('20s')
  await page.getByRole('region', { name: 'Given up' }).filter({ hasText: '2 attempts, answered 500' }).waitFor()
  await retrying.waitFor({ state: 'detached' })
  await page.locator('main [data-state=failed]').waitFor()
})

it('counts a single payment as one', async () => {
  const world = await bench.world()
  await bench.pay(world)
  const page = await open(world)
  await page.getByText('peak: 1 payment', { exact: true }).waitFor()
})
