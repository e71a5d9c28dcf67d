import { expect, it } from 'vitest'
import { declaredLists } from '../../../../src/apps/dashboard/lists.gen.ts'
import { must } from '../../../../src/core/model/must.ts'
import { useBench } from '../../../support/harness.ts'
import { useDashboard } from './support.ts'

const bench = useBench()
const open = useDashboard()

it.for([390, 768, 1024, 1280])('payments: has reference and reason whole, and links, %i px wide', async (width) => {
  const world = await bench.world()
  const uuid = await bench.pay(world, { phoneNumber: '254711000404', referenceId: 'salary-1' })
  await world.advance('5s')
  const page = await open(world, '/payments', { viewport: { width, height: 900 } })
  const row = page.getByTestId('row')
  for (const text of ['salary-1', 'The rail failed it and gave no reason', 'the phone number is not registered'])
    await row.getByText(text).filter({ visible: true }).waitFor()
  const isCut = (one: Element) => one.scrollWidth > one.clientWidth && getComputedStyle(one).display !== 'inline'
  for (const cell of await row.locator('[role=cell], [role=cell] div').all())
    expect(await cell.evaluate(isCut), (await cell.textContent()) ?? '').toBe(false)
  expect(await row.getByRole('link').getAttribute('href')).toBe(`#/payments/${uuid}`)
})

it('payments: are sorted by amount and by time, and Back keeps the order', async () => {
  const world = await bench.world()
  for (const amount of [200, 300, 100]) {
    await bench.pay(world, { amount })
    await world.advance('5s')
  }
  const page = await open(world, '/payments')
  const amounts = async () =>
    (await page.getByTestId('row').allTextContents()).map((row) => /(\d00)\.00/.exec(row)?.[1])
  await expect.poll(amounts).toEqual(['100', '300', '200'])
  await page.getByRole('button', { name: 'Amount' }).click()
  await expect.poll(amounts).toEqual(['300', '200', '100'])
  await page.getByRole('button', { name: 'Amount' }).click()
  await expect.poll(amounts).toEqual(['100', '200', '300'])
  await page.getByTestId('row').first().click()
  await page.goBack()
  await expect.poll(amounts).toEqual(['100', '200', '300'])
  expect(await page.getByRole('columnheader', { name: 'Amount' }).getAttribute('aria-sort')).toBe('ascending')
  await page.getByRole('button', { name: 'When' }).click()
  await page.getByRole('button', { name: 'When' }).click()
  await expect.poll(amounts).toEqual(['200', '300', '100'])
})

it('everything: finds payments, callbacks and requests from the header', async () => {
  const world = await bench.world()
  await bench.pay(world, { referenceId: 'salary-1' })
  await world.advance('5s')
  const page = await open(world, '/wallets')
  await page.getByRole('searchbox', { name: 'Search everything' }).fill('salary-1')
  await page.keyboard.press('Enter')
  for (const name of ['Payments', 'Callbacks', 'Requests']) await page.getByRole('region', { name }).waitFor()
  await page.getByRole('region', { name: 'Payments' }).getByRole('link', { name: 'View all' }).click()
  await page.waitForURL('**/#/payments?search=salary-1')
  await page.getByText('1 of 1 loaded').waitFor()
})

it('callbacks: say what they tell of whom, and what came of the last attempt', async () => {
  const world = await bench.world()
  bench.receiver.answer = 503
  await bench.pay(world, { referenceId: 'salary-1' })
  await bench.pay(world, { referenceId: 'salary-2' })
  await world.advance('5s')
  const page = await open(world, '/callbacks?search=SALARY-2')
  const row = page.getByTestId('row')
  await row
    .filter({ hasText: 'salary-2' })
    .filter({ hasText: 'KES 100.00' })
    .filter({ hasText: 'answered 503' })
    .waitFor()
  expect(await row.count()).toBe(1)
})

it('requests: have every filter that is declared, and the columns of their CSV', async () => {
  const world = await bench.world()
  await bench.pay(world, { colour: 'red' })
  const page = await open(world, '/requests')
  await page.getByTestId('row').first().waitFor()
  await page.getByTestId('more-filters').click()
  const { filters, columns } = must(declaredLists['requests.list'])
  for (const name of Object.keys(filters)) await page.getByTestId(name).waitFor()
  const titles = await page.getByRole('columnheader').allTextContents()
  expect(titles).toEqual(['When ↕', 'Answer', 'Request', 'Refused because', 'Rule', 'Ignored fields'])
  expect(columns).toMatchObject({ unreadFields: ['text', 'ignored fields'] })
  const csv = await world.raw('GET', '/_mfano/requests?format=csv')
  expect(csv.text.split('\r\n')[0]?.split(',')).toEqual(expect.arrayContaining(Object.keys(columns)))
})

it('inbox: finds one message among many', async () => {
  const world = await bench.world()
  const send = (n: number) => world.control('POST', '/inbox/shop', { reference: `order-${n}`, status: 'SUCCESS' })
  for (let n = 1; n <= 30; n++) await send(n)
  const page = await open(world, '/inbox?name=shop')
  await page.getByText('30 loaded').waitFor()
  await page.getByTestId('search').fill('ORDER-17')
  await page.getByText('1 loaded', { exact: true }).waitFor()
  await page.getByTestId('row').filter({ hasText: 'order-17' }).waitFor()
})
