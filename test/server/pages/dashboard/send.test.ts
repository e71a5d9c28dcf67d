import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { useBench } from '../../../support/harness.ts'
import { useDashboard } from './support.ts'

const bench = useBench()
const open = useDashboard()

it('sends a payment by a form that the contract makes, and leads to it', async () => {
  const world = await bench.world()
  const page = await open(world, '/send?kind=till')
  await page.getByTestId('field-amount').fill('250')
  await page.getByTestId('send').click()
  await page.getByTestId('send-answer').getByText('201', { exact: true }).waitFor()
  await page.getByRole('link', { name: 'The payment' }).click()
  await page.getByRole('heading', { name: 'KES 250.00 till' }).waitFor()
  const { payments } = await world.control('GET', '/payments')
  expect(payments).toMatchObject([{ kind: 'till', amount: 250 }])
})

it('sends a payroll from a CSV, and gives the answers as one', async () => {
  const world = await bench.world()
  const page = await open(world, '/send?kind=send-money')
  await page.getByRole('tab', { name: 'Many, from a CSV' }).click()
  await page
    .getByTestId('payroll')
    .fill(
      'Phone Number,amount,reference_id,Department\n254712345678,1500,salary-1,Sales\n254711000403,900,salary-2,Sales\n',
    )
  await page.getByTestId('ignored-columns').filter({ hasText: 'Department' }).waitFor()
  await page.getByTestId('send-all').filter({ hasText: 'Send 2 payments' }).click()
  await page.getByTestId('sent').filter({ hasText: '2 payments sent, 1 refused' }).waitFor()
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByTestId('answers-csv').click()])
  const [header, first, second] = (await text(await download.createReadStream())).split('\r\n')
  expect(header).toBe('Phone Number,amount,reference_id,Department,answered,payment,refused')
  const { payments } = await world.control('GET', '/payments')
  expect(payments).toMatchObject([{ referenceId: 'salary-1', amount: 1500 }])
  expect(first).toBe(`254712345678,1500,salary-1,Sales,201,${payments[0].uuid},`)
  expect(second).toContain('403,,PAYMENT_LIMIT_EXCEEDED')
})
