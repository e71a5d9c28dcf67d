import { expect, it } from 'vitest'
import { useBench } from '../../../support/harness.ts'
import { useDashboard } from './support.ts'

const bench = useBench()
const open = useDashboard()

it('callbacks: those that failed, and what was answered', async () => {
  const world = await bench.world({
    scenario: { name: 'impatient', description: 'One attempt.', callbacks: { retry: { attempts: 1 } } },
  })
  bench.receiver.answer = 503
  await bench.pay(world)
  await world.advance('5s')
  const page = await open(world, '/callbacks')
  await page.getByText('failed 1').click()
  await page.getByTestId('row').filter({ hasText: 'answered 503' }).click()
  await page.getByRole('button', { name: /^503 Attempt 1/ }).waitFor()
})

it('requests: what nobody read', async () => {
  const world = await bench.world()
  await bench.pay(world, { colour: 'red' })
  const page = await open(world, '/requests')
  await page.getByTestId('row').filter({ hasText: 'colour' }).click()
  await page.getByTestId('unread').filter({ hasText: 'colour' }).waitFor()
})

it('requests: a condition that cannot be read is refused in words', async () => {
  const world = await bench.world()
  await bench.pay(world)
  const page = await open(world, '/requests')
  await page.getByTestId('where').fill('request.statos >= 400')
  await page.getByTestId('error').filter({ hasText: 'status' }).waitFor()
})

it('wallets: tops up, and the books balance', async () => {
  const world = await bench.world()
  const page = await open(world, '/wallets')
  await page.getByTestId('field-amount').fill('2500')
  await page.getByRole('button', { name: 'Top up' }).click()
  await page.getByTestId('row').filter({ hasText: '1,002,500.00' }).first().waitFor()
  await page.getByRole('link', { name: 'Open the ledger' }).click()
  await page.getByTestId('balanced').filter({ hasText: 'The books balance' }).waitFor()
  expect(await world.available()).toBe(1_002_500)
})

it('organisations: makes a key pair that logs in, and sets where collections are told', async () => {
  const world = await bench.world()
  const page = await open(world, '/organisations')
  await page.getByTestId('row').first().click()
  await page.getByTestId('field-collectionCallbackUrl').fill('http://localhost:3000/paid')
  await page.getByRole('button', { name: 'Save callback URL' }).click()
  await page.getByRole('group', { name: 'the organisation' }).filter({ hasText: 'localhost:3000/paid' }).waitFor()
  await page.getByTestId('new-keys').click()
  const keys = JSON.parse((await page.getByRole('group', { name: 'the new key pair' }).textContent()) ?? '')
  expect(await world.login(keys)).toMatch(/\./)
})

it('inbox: shows what came, and answers as it is told', async () => {
  const world = await bench.world()
  await world.raw('PUT', '/_mfano/inbox/hello', { body: { answers: '202', delay: '1ms' } })
  const page = await open(world, '/inbox')
  await expect.poll(() => page.getByTestId('field-answers').inputValue()).toBe('202')
  await page.getByTestId('field-answers').fill('500,200')
  await page.getByRole('button', { name: 'Set answers' }).click()
  const told = async () => (await world.control('GET', '/inbox/hello')).behaviour
  await expect.poll(told).toMatchObject({ answers: ['500', '200'], delay: '1ms' })
  await bench.pay(world, { callbackUrl: `${world.baseUrl}/_mfano/inbox/hello` })
  await world.advance('1m')
  await page.getByTestId('row').nth(1).waitFor()
  await page.getByTestId('row').filter({ hasText: '500' }).click()
  await page.getByTestId('message').filter({ hasText: 'answered 500' }).waitFor()
  const [callback] = (await world.control('GET', '/callbacks')).callbacks
  expect(callback).toMatchObject({ state: 'delivered', attempts: 2 })
})

it('a page that does not exist leads back', async () => {
  const page = await open(await bench.world(), '/payment')
  await page.getByRole('heading', { name: 'The dashboard has no page /payment' }).waitFor()
  await page.getByRole('link', { name: 'Open the overview' }).click()
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
})
