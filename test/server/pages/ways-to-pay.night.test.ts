import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { useBench } from '../../support/harness.ts'
import { useBrowser } from './browser.ts'
import { fillCard, openSession, statusOf } from './session.ts'

// What a payer corrects moves nothing from under the next click.

const bench = useBench()
const browser = useBrowser()

/** Where the button is that pays by card. */
async function placeOfPay(page: Page): Promise<unknown> {
  // On the page, which scrolls to what is typed into.
  const box = await page.getByTestId('pay-CARD').boundingBox()
  return box && { ...box, y: box.y + (await page.evaluate(() => scrollY)) }
}

for (const width of [390, 1280]) {
  it(`keeps the button where it is while fields are marked and corrected, ${width} px wide`, async () => {
    const { world, session, page } = await openSession(bench, browser, { look: { viewport: { width, height: 900 } } })
    await page.getByTestId('pay-CARD').waitFor()
    const before = await placeOfPay(page)
    for (const [field, wrong, says] of [
      ['card-number', '4242424242424241', 'Check its digits'],
      ['card-expiry', '1390', 'such as 08/30'],
      ['card-cvc', '12', 'The security code has 3 digits.'],
    ] as const) {
      await page.getByTestId(field).fill(wrong)
      await page.getByTestId(field).blur()
      await page.getByTestId(`${field}-problem`).filter({ hasText: says }).waitFor()
      expect(await placeOfPay(page), `${field} is marked`).toEqual(before)
    }
    const isWhole = (problem: Element) => problem.scrollHeight <= problem.clientHeight
    for (const problem of await page.locator('[data-form=card] .problem').all())
      expect(await problem.evaluate(isWhole), 'a message touches the next label').toBe(true)
    await page.getByTestId('pay-CARD').click()
    const says = (words: RegExp) => page.getByTestId('notice').filter({ hasText: words }).waitFor()
    await says(/check what is marked below/)
    const answered = await placeOfPay(page)
    await page.getByTestId('method-MPESA_STK').click()
    await says(/^Nothing was taken yet\.$/)
    await page.getByTestId('method-CARD').click()
    await says(/marked below/)

    await fillCard(page)
    await page.locator('[aria-invalid]').first().waitFor({ state: 'detached' })
    await says(/^Nothing was taken yet\.$/)
    expect(await placeOfPay(page), 'all is corrected').toEqual(answered)
    await page.getByTestId('pay-CARD').click()
    await page.locator('[data-status=PROCESSING]').waitFor()
    expect(await statusOf(world, session)).toBe('PROCESSING')
  })
}

it('withdraws what it said of a code when the card turns out to be one with a longer code', async () => {
  const { page } = await openSession(bench, browser)
  await page.getByTestId('card-cvc').fill('1234')
  await page.getByTestId('card-cvc').blur()
  await page.getByTestId('card-cvc-problem').filter({ hasText: '3 digits' }).waitFor()
  await page.getByTestId('card-number').fill('378282246310005')
  await page.locator('#card-cvc:not([aria-invalid])').waitFor()
})

it('withdraws what the server said of a phone number that is being changed', async () => {
  const { page } = await openSession(bench, browser, { changes: { paymentMethods: ['MPESA_STK'] } })
  await page.getByTestId('phone-number').fill('07x')
  await page.getByTestId('pay-MPESA_STK').click()
  await page.getByTestId('phone-number-problem').filter({ hasText: 'such as 0712' }).waitFor()
  await page.getByTestId('phone-number').fill('0712')
  await page.locator('#phone-number:not([aria-invalid])').waitFor()
  await page.getByTestId('phone-number-problem').filter({ hasText: /^$/ }).waitFor()
})

for (const javaScriptEnabled of [true, false]) {
  it(`opens a way to pay by its test id, however often it is clicked, ${javaScriptEnabled ? 'with' : 'without'} a script`, async () => {
    const { page } = await openSession(bench, browser, { look: { javaScriptEnabled } })
    for (const [method, field, other] of [
      ['CARD', 'card-number', 'phone-number'],
      ['MPESA_STK', 'phone-number', 'card-number'],
      ['MPESA_STK', 'phone-number', 'card-number'],
      ['CARD', 'card-number', 'phone-number'],
    ] as const) {
      await page.getByTestId(`method-${method}`).click()
      await page.getByTestId(field).waitFor()
      await page.getByTestId(other).waitFor({ state: 'hidden' })
    }
  })
}
