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
  await page.getByRole('link', { name: 'Open payment' }).click()
  await page.getByRole('heading', { name: 'KES 250.00 till' }).waitFor()
  const { payments } = await world.control('GET', '/payments')
  expect(payments).toMatchObject([{ kind: 'till', amount: 250 }])
})

it('shows the fields of the chosen currency, with what it requires', async () => {
  const world = await bench.world()
  const page = await open(world, '/send?kind=send-money')
  const field = (name: string) => page.getByTestId(`field-${name}`)
  const choose = async (name: string, option: string) => {
    await field(name).click()
    await page.getByRole('option', { name: option, exact: true }).click()
  }
  // Called by words, with the name of the API beside them.
  await page.getByRole('textbox', { name: 'Callback URL callbackUrl' }).waitFor()
  expect(await field('remarks').getAttribute('required')).not.toBeNull()
  expect(await field('referenceId').getAttribute('required')).toBeNull()
  await choose('currencyCode', 'TZS')
  await field('firstName').waitFor()
  expect(await field('remarks').count()).toBe(0)
  await choose('serviceCode', 'TZ-AIRTEL-B2C')
  for (const [name, text] of Object.entries({
    ...{ phoneNumber: '255754123456', amount: '2000', narration: 'Wages', firstName: 'Asha', lastName: 'Mushi' },
  }))
    await field(name).fill(text)
  await page.getByTestId('send').click()
  await page.getByTestId('send-answer').getByText('201', { exact: true }).waitFor()
  const { requests } = await world.control('GET', '/requests?operation=createSendMoney')
  expect(Object.keys(requests[0].request.body)).not.toContain('remarks')
})

it('chooses the outcome of one request among the rules of the scenario', async () => {
  const world = await bench.world()
  const page = await open(world, '/send?kind=send-money')
  await page.getByTestId('outcome').click()
  await page.getByRole('option', { name: 'the phone number is not registered' }).click()
  await page.getByTestId('send').click()
  await page.getByRole('link', { name: 'Open payment' }).click()
  await world.advance('5s')
  await page.locator('main [data-state=FAILED]').first().waitFor()
})

it('chooses the outcome of one request by a rule or a trigger', async () => {
  const world = await bench.world()
  const page = await open(world, '/send?kind=till')
  const outcome = page.getByRole('combobox', { name: 'Outcome of this request' })
  await outcome.fill('500.01')
  await page.getByTestId('send').click()
  await page.getByTestId('send-answer').getByText('500', { exact: true }).waitFor()
  await outcome.fill('500.02')
  await page.getByTestId('send').click()
  await page.getByTestId('send-answer').getByText('400', { exact: true }).waitFor()
  const { requests } = await world.control('GET', '/requests?operation=createTillPayment')
  expect(JSON.stringify(requests[0].response)).toContain('the nearest are')
  expect(requests[1].request.headers['mfano-outcome']).toBe('500.01')
})

it('has a form for every kind that a merchant asks for, each with an example that is taken', async () => {
  const world = await bench.world()
  const { kinds } = await world.control('GET', '/kinds')
  const sendable = kinds.filter(({ operation }: { operation: string | null }) => operation !== null)
  const page = await open(world, '/send')
  for (const { phrase, operation } of sendable) {
    await page.getByTestId('send-kind').click()
    await page.getByRole('option', { name: phrase.replace(/^an? /, ''), exact: true }).click()
    // The form of this kind is there, and no answer to another.
    await page.getByText(operation, { exact: true }).first().waitFor()
    await page.getByTestId('send').click()
    await page.getByTestId('send-answer').getByRole('link', { name: 'Open request' }).waitFor()
  }
  const { requests } = await world.control('GET', '/requests?method=POST')
  const asked = requests.filter(({ operation }: { operation: string }) => operation !== 'getToken')
  expect(asked).toHaveLength(sendable.length)
})
