import { expect, it } from 'vitest'
import { useBench } from '../../support/harness.ts'
import { useBrowser } from './browser.ts'
import { fillCard, openSession, statusOf } from './session.ts'

const bench = useBench()
const browser = useBrowser()

for (const width of [390, 1280]) {
  it(`says what is wrong beside its field, and pays when that is corrected, ${width} px wide`, async () => {
    const { world, session, page } = await openSession(bench, browser, { look: { viewport: { width, height: 900 } } })
    const wrong = [
      ['card-number', '4242424242424241', 'Check its digits'],
      ['card-expiry', '1390', 'such as 08/30'],
      ['card-cvc', '12', 'The security code has 3 digits.'],
    ] as const
    for (const [field, typed] of wrong) await page.getByTestId(field).fill(typed)
    await page.getByTestId('pay-CARD').click()
    await page
      .getByTestId('notice')
      .filter({ hasText: /check what is marked below/ })
      .waitFor()
    for (const [field, , says] of wrong) await page.getByTestId(`${field}-problem`).filter({ hasText: says }).waitFor()
    await fillCard(page)
    await page.getByTestId('pay-CARD').click()
    await page.locator('[data-status=PROCESSING]').waitFor()
    expect(await statusOf(world, session)).toBe('PROCESSING')
  })
}

it('says what is wrong with a phone number', async () => {
  const { page } = await openSession(bench, browser, { changes: { paymentMethods: ['MPESA_STK'] } })
  await page.getByTestId('phone-number').fill('07x')
  await page.getByTestId('pay-MPESA_STK').click()
  await page.getByTestId('phone-number-problem').filter({ hasText: 'such as 0712' }).waitFor()
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
