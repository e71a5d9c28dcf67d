import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { type TestWorld, useBench } from '../../support/harness.ts'
import { expectAccessible, expectNoOverflow } from './axe.ts'
import { useBrowser } from './browser.ts'
import { askByPhone, JANE, makeSession, statusOf, submit } from './session.ts'

const bench = useBench()
const browser = useBrowser()

const ask = (world: TestWorld) => askByPhone(bench, world)

async function pickUp(page: Page, world: TestWorld): Promise<void> {
  await page.goto(`${world.baseUrl}/_mfano/handset/${JANE}/`)
}

/** Waits until a place of the page says just that. */
async function reads(page: Page, testId: string, text: string): Promise<void> {
  await expect.poll(() => page.getByTestId(testId).textContent()).toBe(text)
}

const statusOfPayment = async (world: TestWorld, id: string) => (await world.control('GET', `/payments/${id}`)).status

it('rings when a prompt comes, takes the PIN from its pad, and shows the receipt', async () => {
  const world = await bench.world({ scenario: 'handset' })
  const page = await (await browser()).newPage()
  await pickUp(page, world)
  await reads(page, 'holder', 'JANE WANJIKU MWANGI')
  await reads(page, 'time', '19:28')
  await reads(page, 'balance', 'KES 50,000.00')
  await page.getByTestId('no-prompts').waitFor()

  const id = await ask(world)
  await reads(page, 'prompt-amount', 'KES 1,500.00')
  await reads(page, 'prompt-merchant', 'Example Merchant Ltd')
  await reads(page, 'prompt-reference', 'D1')
  for (const digit of '1234') await page.getByRole('button', { name: digit, exact: true }).click()
  await page.getByTestId('approve').click()
  const receipt = page.getByTestId('message').filter({ hasText: 'Ksh1,500.00 paid to EXAMPLE MERCHANT LTD.' })
  await receipt.filter({ hasText: 'on 24/1/25 at 7:28 PM' }).waitFor()
  expect(await receipt.locator('time').textContent()).toBe('19:28')
  await reads(page, 'balance', 'KES 48,500.00')
  expect(await statusOfPayment(world, id)).toBe('SUCCESS')
})

it('has no holder where the scenario says that the number is not registered', async () => {
  const world = await bench.world()
  const shown = (await world.raw('GET', '/_mfano/handset/254712000404/')).text
  expect(shown).toContain('data-testid="holder">Not registered</h1>')
  expect(shown).not.toContain('Balance not limited')
  expect((await world.raw('GET', '/_mfano/handset/254712345678/')).text).toContain('Balance not limited')
  expect(await world.control('GET', '/handset/254712000404')).toMatchObject({ name: '' })
})

describe('without a script', () => {
  it.each([
    ['approve', '1234', 'SUCCESS'],
    ['approve', '9999', 'FAILED'],
    ['cancel', '', 'FAILED'],
    ['ignore', '', 'PENDING'],
  ])('%s with PIN "%s": %s', async (button, pin, status) => {
    const world = await bench.world({ scenario: 'handset' })
    const id = await ask(world)
    const page = await (await browser({ javaScriptEnabled: false })).newPage()
    await pickUp(page, world)
    await page.getByTestId('pin').fill(pin)
    await page.getByTestId(button).click()
    await page.getByTestId(button === 'ignore' ? 'ignored' : 'no-prompts').waitFor()
    expect(await statusOfPayment(world, id)).toBe(status)
  })

  it('asks for a PIN, and says when a prompt is gone', async () => {
    const world = await bench.world({ scenario: 'handset' })
    await ask(world)
    const page = await (await browser({ javaScriptEnabled: false })).newPage()
    await pickUp(page, world)
    await page.getByTestId('approve').click()
    await page.getByTestId('notice').filter({ hasText: 'four digits' }).waitFor()
    await world.advance('2m')
    await page.getByTestId('pin').fill('1234')
    await page.getByTestId('approve').click()
    await page.getByTestId('notice').filter({ hasText: 'That prompt is gone' }).waitFor()
  })
})

it('answers what is paid on the hosted page, which follows', async () => {
  const world = await bench.world({ scenario: 'handset' })
  const session = await makeSession(bench, world)
  const payer = await browser()
  const [shop, phone] = [await payer.newPage(), await payer.newPage()]
  await shop.goto(session.checkoutUrl)
  await shop.getByTestId('method-MPESA_STK').click()
  await shop.getByTestId('phone-number').fill('0711 000 100')
  await shop.getByTestId('pay-MPESA_STK').click()
  const [href] = await Promise.all([shop.getByTestId('handset').getAttribute('href'), pickUp(phone, world)])
  expect(new URL(href ?? '', session.checkoutUrl).href).toBe(phone.url())
  await phone.getByTestId('cancel').click()
  await shop.locator('[data-status=FAILED]').waitFor()
  await shop.getByTestId('status').filter({ hasText: 'cancelled on the phone' }).waitFor()
  expect(await statusOf(world, session)).toBe('FAILED')
})

it('takes no answer from a page of another site', async () => {
  const world = await bench.world({ scenario: 'handset' })
  const id = await ask(world)
  const answer = await fetch(`${world.baseUrl}/_mfano/handset/${JANE}/`, {
    method: 'POST',
    body: new URLSearchParams({ prompt: id, answer: 'cancel' }),
    headers: { 'sec-fetch-site': 'cross-site' },
  })
  expect(answer.status).toBe(403)
  expect(await statusOfPayment(world, id)).toBe('PENDING')
})

it('is found by a browser at the address that tells a program', async () => {
  const world = await bench.world()
  const answer = await fetch(`${world.baseUrl}/_mfano/handset/0711000100`, {
    headers: { accept: 'text/html' },
    redirect: 'manual',
  })
  expect([answer.status, answer.headers.get('location')]).toEqual([302, `${world.baseUrl}/_mfano/handset/${JANE}/`])
  expect((await fetch(`${world.baseUrl}/_mfano/handset/nobody/`)).status).toBe(404)
})

it('is read well by everybody, in light and dark, small and large', async () => {
  const world = await bench.world({ scenario: 'handset' })
  const paid = await ask(world)
  await world.control('POST', `/handset/${JANE}/${paid}`, { answer: 'approve' })
  await ask(world)
  await submit(await makeSession(bench, world, { customerPhone: `+${JANE}` }), { action: 'pay', method: 'MPESA_STK' })
  for (const [colorScheme, width] of [
    ['light', 360],
    ['dark', 1440],
  ] as const) {
    const page = await (await browser({ colorScheme, viewport: { width, height: 800 } })).newPage()
    await pickUp(page, world)
    await page.getByTestId('prompt').nth(1).waitFor()
    await expectAccessible(page)
    await expectNoOverflow(page)
  }
})
