import { expect, it } from 'vitest'
import { useBench } from '../../../support/harness.ts'
import { useDashboard } from './support.ts'

const bench = useBench()
const open = useDashboard()

it('compares pasted books with the ledger, and shows the finding beside its payment', async () => {
  const world = await bench.world()
  const uuid = await bench.pay(world, { referenceId: 'salary-1' })
  await world.advance('5s')
  const page = await open(world, '/report')
  const report = page.frameLocator('[data-testid=report]')
  await page.getByTestId('books').fill('reference,amount,status\nsalary-1,100,FAILED')
  await page.getByTestId('compare').click()
  const findings = report.locator('#findings')
  await findings.getByText('stale').first().waitFor({ state: 'attached' })
  await findings.getByRole('link').first().click()
  await page.waitForURL(`**/#/payments/${uuid}`)
  const finding = page.getByTestId('finding')
  await finding.filter({ hasText: 'the books say FAILED' }).waitFor()
  // Books that are right take it away again, whoever sends them.
  await world.control('POST', '/reconcile', [{ reference: 'salary-1', amount: 100, status: 'SUCCESS' }])
  await page.goto(`${world.baseUrl}/_mfano/#/report`)
  await findings.getByText('They agree.').waitFor({ state: 'attached' })
  await page.goto(`${world.baseUrl}/_mfano/#/payments/${uuid}`)
  await page.getByTestId('story').waitFor()
  await expect.poll(() => finding.count()).toBe(0)
})

it('says what cannot be read of them', async () => {
  const page = await open(await bench.world(), '/report')
  await page.getByTestId('books').fill('[{ "amount": "much" }]')
  await page.getByTestId('compare').click()
  await page.getByTestId('error').filter({ hasText: 'books line 1, amount' }).waitFor()
})

it('shows what was exercised, and what leads to the rest', async () => {
  const world = await bench.world()
  await bench.pay(world)
  const page = await open(world, '/coverage')
  const report = page.frameLocator('[data-testid=report]')
  await report.getByRole('heading', { level: 1, name: `Coverage of ${world.id}` }).waitFor()
  await report.getByText('mfano start --scenario rate-limited').first().waitFor({ state: 'attached' })
})
