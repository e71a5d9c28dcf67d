import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { useBench } from '../../../support/harness.ts'
import { useDashboard } from './support.ts'

const bench = useBench()
const open = useDashboard()

async function write(page: Page, text: string): Promise<void> {
  const editor = page.getByLabel('The scenario, in YAML')
  await editor.click()
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.insertText(text)
}

it('marks what is wrong where it is wrong, and offers no use of it', async () => {
  const world = await bench.world()
  const page = await open(world, '/scenario')
  await write(
    page,
    'name: mine\ndescription: Mine.\nrules:\n  - name: big\n    on: send-money\n    when: request.amonut > 5\n    then: { end: FAILED }\n',
  )
  await page.getByTestId('problem').filter({ hasText: 'Line 6' }).filter({ hasText: 'amount' }).waitFor()
  await expect.poll(() => page.getByTestId('use').isDisabled()).toBe(true)
})

it('puts a scenario in force for new payments', async () => {
  const world = await bench.world()
  const page = await open(world, '/scenario')
  await write(
    page,
    'name: mine\ndescription: Mine.\nrules:\n  - name: all fail\n    on: send-money\n    then: { after: 1s, end: FAILED }\n',
  )
  await page.locator('[data-testid=verdict][data-valid=true]').filter({ hasText: 'mine' }).waitFor()
  await page.getByTestId('use').click()
  await page.getByTestId('verdict').filter({ hasText: 'in force' }).waitFor()
  const uuid = await bench.pay(world)
  await world.advance('1s')
  expect((await world.control('GET', `/payments/${uuid}`)).status).toBe('FAILED')
  await page.getByRole('link', { name: 'Rules that decided' }).click()
  await page.waitForURL('**/#/rules?sort=-Hits')
  await page.getByRole('cell', { name: 'all fail' }).first().waitFor()
})

it('begins with a shipped scenario', async () => {
  const world = await bench.world()
  const page = await open(world, '/scenario')
  await page.getByTestId('shipped').click()
  await page.getByRole('option', { name: 'late-reversal' }).click()
  await page.getByTestId('verdict').filter({ hasText: 'late-reversal' }).waitFor()
})

it('shows the text before the code of the editor has come', async () => {
  const world = await bench.world({ scenario: 'late-reversal' })
  const page = await open(world)
  const code = Promise.withResolvers<void>()
  await page.route(/\/app\/editor-[^/]*\.js$/, async (route) => {
    await code.promise
    await route.continue()
  })
  await page.reload()
  await page.getByRole('link', { name: 'Scenario' }).click()
  await page.getByText('the network takes a large payout back').waitFor()
  expect(await page.getByTestId('editor').count()).toBe(0)
  code.resolve()
  await page.getByTestId('editor').waitFor()
})

it('says that the code of the editor cannot be had, and tries again when asked', async () => {
  const world = await bench.world()
  const page = await open(world)
  const code = /\/app\/editor-[^/]*\.js$/
  await page.route(code, (route) => route.abort())
  await page.getByRole('link', { name: 'Scenario' }).click()
  const error = page.getByTestId('error')
  await error.waitFor()
  await page.unroute(code)
  await error.getByRole('button').click()
  await page.locator('.cm-content').waitFor()
})

it('draws what would happen to a request', async () => {
  const world = await bench.world({ scenario: 'late-reversal' })
  const page = await open(world, '/scenario')
  await page
    .getByTestId('field-request')
    .fill(
      '{ "phoneNumber": "254712345678", "amount": 20000, "currencyCode": "KSH", "remarks": "r", "occasion": "o", "callbackUrl": "http://localhost:3000/told" }',
    )
  await page.getByRole('button', { name: 'What would happen?' }).click()
  await page.getByTestId('story').getByText('FAILED').first().waitFor()
  await page.getByRole('cell', { name: 'the network takes a large payout back' }).first().waitFor()
  expect((await world.control('GET', '/payments')).total).toBe(0)
})

const failing =
  'name: mine\ndescription: Mine.\nrules:\n  - name: all fail\n    on: send-money\n    then: { after: 1s, end: FAILED }\n'

it('tries a request on the draft, as it is written', async () => {
  const world = await bench.world()
  const page = await open(world, '/scenario')
  await write(page, failing)
  await page.getByTestId('tried-on').filter({ hasText: 'On this draft' }).waitFor()
  await page.getByRole('button', { name: 'What would happen?' }).click()
  await page.getByRole('cell', { name: 'all fail' }).first().waitFor()
  // In force is the one from before, and nothing was made.
  expect((await world.control('GET', '/scenario')).name).toBe('default')
  await page.getByTestId('field-request').fill('{ "amount": 1000 }')
  await page.getByRole('button', { name: 'What would happen?' }).click()
  await page.getByTestId('try-refused').filter({ hasText: 'phoneNumber' }).waitFor()
  await page.getByTestId('field-request').fill('{ "amount": 1000, }')
  await page.getByRole('button', { name: 'What would happen?' }).click()
  await page.getByTestId('error').filter({ hasText: 'request' }).waitFor()
})

it('keeps a draft while its page is left, until it is given up', async () => {
  const world = await bench.world()
  const page = await open(world, '/scenario')
  await write(page, failing)
  await page.getByTestId('verdict').filter({ hasText: 'mine' }).filter({ hasText: 'not applied yet' }).waitFor()
  await page.getByRole('link', { name: 'Payments' }).click()
  await page.getByText('No payments yet').waitFor()
  await page.getByRole('link', { name: 'Scenario' }).click()
  await page.getByTestId('verdict').filter({ hasText: 'mine' }).filter({ hasText: 'not applied yet' }).waitFor()
  await page.getByRole('button', { name: 'Discard changes' }).click()
  await page.getByTestId('verdict').filter({ hasText: 'default' }).filter({ hasText: 'in force' }).waitFor()
})

it('keeps every letter, however fast they come', async () => {
  const world = await bench.world()
  const page = await open(world, '/scenario')
  const editor = page.getByLabel('The scenario, in YAML')
  await editor.click()
  await page.keyboard.press('ControlOrMeta+A')
  const typed = `# ${'the quick brown fox jumps over the lazy dog '.repeat(2)}end`
  await page.keyboard.type(typed)
  await expect.poll(() => editor.textContent()).toBe(typed)
})
