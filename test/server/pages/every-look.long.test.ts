import { expect, it } from 'vitest'
import { useBench } from '../../support/harness.ts'
import { expectAccessible, expectNoOverflow } from './axe.ts'
import { useBrowser } from './browser.ts'
import { makeSession } from './session.ts'

// One page of each sort in both themes at three widths: readable by everybody, nothing cut, and large enough to touch.

const bench = useBench()
const browser = useBrowser()

const PHONE = 390
/** CSS pixels of what is touched, on a phone and elsewhere; links in the middle of a text are as large as it. */
const TARGETS = { phone: 44, other: 24 }

const looks = (['light', 'dark'] as const).flatMap((colorScheme) =>
  [PHONE, 768, 1440].map((width) => ({ colorScheme, viewport: { width, height: 900 } })),
)

it.each(looks)('in $colorScheme at $viewport.width', { timeout: 240_000 }, async (look) => {
  const world = await bench.world({ scenario: 'late-reversal' })
  await bench.pay(world, { referenceId: 'salary-1', amount: 25_000 })
  await bench.pay(world, { referenceId: 'salary-2' })
  await world.post('/api/sandbox/v1/stk/new', {
    ...{ phoneNumber: '254711000100', amount: 1500, description: 'Chairs', accountReference: 'D1' },
    callbackUrl: bench.receiver.url(),
  })
  const books = ['salary-1', 'salary-2'].map((reference) => ({ reference, amount: 7, status: 'FAILED' }))
  await world.control('POST', '/reconcile', { books })
  const { checkoutUrl } = await makeSession(bench, world)
  const page = await (await browser(look)).newPage()
  const pages = [
    ...['', '/explore', '/commands', '/api/createSendMoney', '/api/getToken', '/api/errors', '/api/assumptions'],
    ...['/api/webhooks', '/control', '/control/clock.advance'],
  ].map((path) => `${world.baseUrl}/docs${path}`)
  const others = [
    checkoutUrl,
    `${world.baseUrl}/_mfano/handset/254711000100/`,
    `${world.baseUrl}/_mfano/report?format=html`,
  ]
  for (const address of [...pages, ...others]) {
    await page.goto(address)
    await page.getByRole('main').waitFor()
    await expectAccessible(page)
    await expectNoOverflow(page)
    expect(await tooSmall(look.viewport.width === PHONE ? TARGETS.phone : TARGETS.other), address).toEqual([])
  }

  /** Buttons, boxes and links that stand alone, smaller than a finger. */
  function tooSmall(leastPx: number): Promise<string[]> {
    return page.evaluate((least) => {
      const shown = [
        ...document.querySelectorAll<HTMLElement>(
          'button, summary, label[for], input:not([type=hidden]), nav a, header a',
        ),
      ]
      return shown
        .filter(
          (one) => one.checkVisibility({ opacityProperty: true }) && !one.matches('label:has(+ input), .field label'),
        )
        .map((one) => ({ one, box: one.getBoundingClientRect() }))
        .filter(
          ({ one, box }) => box.height > 0 && box.height < least && !one.matches('[type=radio], .search label, .skip'),
        )
        .map(({ one, box }) => `${one.outerHTML.slice(0, 90)}: ${box.height}`)
    }, leastPx)
  }
})
