import { it } from 'vitest'
import { useBench } from '../../support/harness.ts'
import { expectAccessible, expectNoOverflow, type Look, OF_A_LOOK } from './axe.ts'
import { useBrowser } from './browser.ts'
import { byCard, makeSession, submit } from './session.ts'

// A session in every state, as its payer finds it: readable by everybody, in both colours and on both ends of screens.

const bench = useBench()
const browser = useBrowser()

const looks: readonly Look[] = [
  { colorScheme: 'light', viewport: { width: 360, height: 800 } },
  { colorScheme: 'dark', viewport: { width: 1440, height: 800 }, only: OF_A_LOOK },
]
const challenged = { ...byCard, number: '4000 0000 0000 3220' }

it.each<[status: string, what: string, forms: Record<string, string>[], expired?: boolean]>([
  ['PENDING', 'untouched', []],
  ['PENDING', 'with a mistake', [{ ...byCard, cvc: '' }]],
  ['PROCESSING', 'paid by card', [byCard]],
  ['REQUIRES_CUSTOMER_ACTION', 'challenged', [challenged]],
  ['REQUIRES_CUSTOMER_ACTION', 'on the phone', [{ action: 'pay', method: 'MPESA_STK', phoneNumber: '0711000100' }]],
  ['FAILED', 'refused', [challenged, { action: 'challenge', answer: 'refuse' }]],
  ['EXPIRED', 'left alone', [], true],
  ['NOT_FOUND', 'unknown', []],
])('%s: %s', async (status, _, forms, expired) => {
  const world = await bench.world()
  const session = await makeSession(bench, world)
  for (const form of forms) await submit(session, form)
  if (expired) await world.control('POST', `/payments/${session.id}/resolve`, { status: 'EXPIRED' })
  if (status === 'FAILED') await world.advance('10s')
  const address = status === 'NOT_FOUND' ? `${world.baseUrl}/session/chk_0000001AAAAAAAAAAAA` : session.checkoutUrl
  for (const { only, ...look } of looks) {
    const page = await (await browser(look)).newPage()
    await page.goto(address)
    await page.locator(`[data-status=${status}]`).waitFor()
    if (['FAILED', 'EXPIRED'].includes(status)) await page.getByTestId('pay-CARD').waitFor({ state: 'detached' })
    await expectAccessible(page, only)
    await expectNoOverflow(page)
  }
})
