/**
 * Takes the pictures of the README: `npm run screenshots`. A world with a frozen clock and a seed, so that only what the
 * pages show has changed when a picture has.
 */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Page } from 'playwright-core'
import { startMfano } from '../../../../src/apps/testing/index.ts'
import { findChromium } from '../../../support/chromium.ts'
import { FLAGS } from '../browser.ts'

const WINDOW = { width: 1280, height: 860 }

await using mfano = await startMfano()
await using world = await mfano.world({ id: 'chama', seed: 7, scenario: 'late-reversal' })
const uuid = await fill(world)

const found = findChromium()
if (!found) throw new Error('this machine has no Chromium, Chrome or Edge')
const browser = await chromium.launch({
  executablePath: found.executablePath,
  args: FLAGS,
  env: { ...process.env, ...found.env, HOME: mkdtempSync(join(tmpdir(), 'mfano-screenshots-')) },
})
const page = await (await browser.newContext({ viewport: WINDOW, colorScheme: 'light' })).newPage()
await take(page, 'overview', `${world.baseUrl}/_mfano/`)
await take(page, 'payment', `${world.baseUrl}/_mfano/#/payments/${uuid}`)
await page.emulateMedia({ colorScheme: 'dark' })
await take(page, 'scenario', `${world.baseUrl}/_mfano/#/scenario`)
await browser.close()

/** A morning of payments; gives one that was taken back about two days after its success. */
async function fill(chama: typeof world): Promise<string> {
  const { url } = chama.inbox('payroll')
  const pay = async (phoneNumber: string, amount: number) =>
    // Logged in anew each time: tokens live for five minutes, and this goes on for two days.
    (await chama.client()).createSendMoney({
      phoneNumber,
      amount,
      currencyCode: 'KSH',
      remarks: 'Salary',
      occasion: 'January',
      callbackUrl: url,
    })
  const late = await pay('254712000409', 25_000)
  for (let hour = 0; hour < 11; hour++) {
    for (let i = 0; i <= hour % 4; i++) await pay(`2547120${String(hour).padStart(2, '0')}${i}11`, 1_000 + 150 * i)
    if (hour % 3 === 2) await pay('254711000404', 900)
    await chama.payment.collect({ way: 'stk', phoneNumber: '254712345678', amount: 350 * (hour + 1) })
    await chama.clock.advance('5h')
  }
  await pay('254711000999', 4_000)
  await pay('254711000202', 7_500)
  await chama.clock.advance('4s')
  return late.data.requestId
}

async function take(page: Page, name: string, address: string): Promise<void> {
  await page.goto('about:blank')
  await page.goto(address)
  await page.locator('[data-live=true]').waitFor()
  // What is loading out of sight is no matter.
  await page.waitForFunction(() =>
    Array.from(document.querySelectorAll('[aria-label=Loading]')).every((sign) => !sign.checkVisibility()),
  )
  await page.waitForTimeout(500)
  await page.screenshot({ path: join(import.meta.dirname, `${name}.png`) })
  process.stdout.write(`${name}.png\n`)
}
