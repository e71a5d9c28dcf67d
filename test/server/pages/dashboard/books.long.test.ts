import { it } from 'vitest'
import { useBench } from '../../../support/harness.ts'
import { useDashboard } from './support.ts'

const bench = useBench()
const open = useDashboard()

it('compares pasted books with the ledger, and shows the finding beside its payment', async () => {
  const world = await bench.world()
  const uuid = await bench.pay(world, { referenceId: 'salary-1' })
  await world.advance('5s')
  const page = await open(world, '/books')
  await page.getByText('No books were compared yet').waitFor()
  await page.getByRole('region', { name: 'An example finding' }).getByText('the books say SUCCESS').waitFor()
  await page.getByTestId('books').fill('reference,amount,status\nsalary-1,100,FAILED')
  await page.getByTestId('compare').click()
  const finding = page.getByTestId('finding')
  await finding.filter({ hasText: 'stale' }).waitFor()
  await finding.getByRole('link', { name: 'Open payment' }).click()
  await page.waitForURL(`**/#/payments/${uuid}`)
  await finding.filter({ hasText: 'the books say FAILED' }).waitFor()
  // Books that are right take it away again, whoever sends them.
  await world.control('POST', '/reconcile', [{ reference: 'salary-1', amount: 100, status: 'SUCCESS' }])
  await page.goto(`${world.baseUrl}/_mfano/#/books`)
  await page.getByRole('heading', { name: 'The books are right' }).waitFor()
  await finding.waitFor({ state: 'detached' })
})

it('says what cannot be read of them', async () => {
  const page = await open(await bench.world(), '/books')
  await page.getByTestId('books').fill('[{ "amount": "much" }]')
  await page.getByTestId('compare').click()
  await page.getByTestId('error').filter({ hasText: 'books line 1, amount' }).waitFor()
})

it('shows what was exercised, and what leads to the rest', async () => {
  const world = await bench.world()
  await bench.pay(world)
  const page = await open(world, '/coverage')
  await page.getByText('Error codes that the service answered. Good: 50% or more.').waitFor()
  await page
    .getByTestId('coverage-operations')
    .getByText(/^4%2 of 4\d$/)
    .waitFor()
  await page.getByTestId('coverage-refusals').getByRole('button').click()
  await page.getByText('mfano start --scenario rate-limited').waitFor()
})
