import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { useBench } from '../../support/harness.ts'
import { dayOrNight } from '../../support/night.ts'
import { expectAccessible, expectNoOverflow, type Look, OF_A_LOOK } from './axe.ts'
import { useDashboard } from './dashboard/support.ts'
import { makeSession } from './session.ts'

// Every page in both themes at three widths: readable by everybody, nothing cut, and large enough to touch.

const bench = useBench()
const open = useDashboard()

const PHONE = 390
/** CSS pixels of what is touched, on a phone and elsewhere; links in the middle of a text are as large as it. */
const TARGETS = { phone: 44, other: 24 }

/** All rules on a phone; the other looks differ in colours and widths alone. */
type SizedLook = Look & { viewport: { width: number; height: number } }
const looks: readonly SizedLook[] = [
  { colorScheme: 'light', viewport: { width: PHONE, height: 900 } },
  { colorScheme: 'dark', viewport: { width: 1440, height: 900 }, only: OF_A_LOOK },
  ...dayOrNight<SizedLook[]>(
    [],
    [
      { colorScheme: 'dark', viewport: { width: PHONE, height: 900 }, only: OF_A_LOOK },
      { colorScheme: 'light', viewport: { width: 768, height: 900 }, only: OF_A_LOOK },
      { colorScheme: 'dark', viewport: { width: 768, height: 900 }, only: OF_A_LOOK },
      { colorScheme: 'light', viewport: { width: 1440, height: 900 } },
    ],
  ),
]

/** Pages of the dashboard, with their headings. `last`: what comes when all else is there. */
const dashboard: readonly { path: string; title: string | RegExp; last?: string }[] = [
  { path: '/', title: 'Overview' },
  { path: '/payments', title: 'Payments' },
  { path: '/send', title: 'Send' },
  { path: '/callbacks', title: 'Callbacks' },
  { path: '/callbacks/1', title: 'Callback 1' },
  { path: '/requests', title: 'Requests' },
  { path: '/wallets', title: 'Wallets' },
  { path: '/ledger', title: 'Ledger' },
  { path: '/organisations', title: 'Organisations' },
  { path: '/inbox', title: 'Inbox' },
  { path: '/handset', title: 'Handset' },
  { path: '/scenario', title: 'Scenario', last: '.cm-content' },
  { path: '/rules', title: 'Rules' },
  { path: '/worlds', title: 'Worlds' },
  { path: '/snapshots', title: 'Snapshots' },
  { path: '/runs', title: 'Test runs' },
  { path: '/coverage', title: 'Coverage' },
  { path: '/report', title: 'Report' },
  { path: '/search?search=salary-1', title: 'Search' },
  { path: '/nowhere', title: 'Page not found' },
]

/** Written pages are held by guides.night.test.ts. */
const documents = [
  ...['', '/api/createSendMoney', '/api/getToken', '/api/errors'],
  ...['/api/assumptions', '/api/webhooks', '/control', '/control/clock.advance'],
].map((path) => `/docs${path}`)

it.each(looks)('in $colorScheme at $viewport.width', { timeout: 300_000 }, async ({ only, ...look }) => {
  const { world, uuid, requestId, checkoutPath } = await busyWorld()
  const page = await open(world, '/', look)
  const problems: string[] = []
  const lookAt = async (name: string) => {
    for (const check of [expectAccessible(page, only), expectNoOverflow(page)])
      await check.catch(({ message, actual }) => problems.push(`${name}: ${message}: ${JSON.stringify(actual)}`))
    const small = await tooSmall(page, look.viewport.width === PHONE ? TARGETS.phone : TARGETS.other)
    problems.push(...small.map((one) => `${name}: ${one}`))
  }

  const details = [
    { path: `/payments/${uuid}`, title: /25,000/ },
    { path: `/requests/${requestId}`, title: /send-money$/ },
  ]
  const all: typeof dashboard = [...dashboard, ...details]
  for (const { path, title, last = 'main' } of all) {
    await page.evaluate((hash) => {
      location.hash = hash
    }, path)
    await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor()
    await page.locator(last).first().waitFor()
    await page.waitForFunction(() => document.querySelector('[aria-label=Loading]') === null)
    await lookAt(path)
  }
  for (const path of [...documents, checkoutPath, '/_mfano/handset/254711000100/', '/_mfano/report?format=html']) {
    await page.goto(path.startsWith('http') ? path : world.baseUrl + path)
    await page.getByRole('main').waitFor()
    await lookAt(path)
  }
  expect(problems).toEqual([])
})

/** A world with something on every page. */
async function busyWorld() {
  const callbackUrl = 'http://localhost:1/nobody'
  const world = await bench.world({ scenario: 'late-reversal' })
  const uuid = await bench.pay(world, { referenceId: 'salary-1', amount: 25_000 })
  await bench.pay(world, { referenceId: 'salary-2', callbackUrl: `${world.baseUrl}/_mfano/inbox/hello` })
  await bench.pay(world, { phoneNumber: '254711000404', callbackUrl, colour: 'red' })
  await world.advance('5s')
  await world.post('/api/sandbox/v1/stk/new', {
    ...{ phoneNumber: '254711000100', amount: 1500, description: 'Chairs', accountReference: 'D1' },
    callbackUrl,
  })
  await world.control('POST', '/snapshots', { name: 'before' })
  await world.control('PUT', '/assumptions/error-body', { value: 'flat' })
  const books = ['salary-1', 'salary-2'].map((reference) => ({ reference, amount: 7, status: 'FAILED' }))
  await world.control('POST', '/reconcile', { books })
  const { checkoutUrl } = await makeSession(bench, world)
  const { requests } = await world.control('GET', '/requests?unread=true')
  return { world, uuid, requestId: requests[0].requestId, checkoutPath: checkoutUrl }
}

/** Buttons, boxes and links that stand alone, smaller than a finger. */
function tooSmall(page: Page, leastPx: number): Promise<string[]> {
  return page.evaluate((least) => {
    const touched = 'button, summary, input:not([type=hidden]), nav a, header a, [class*=SegmentedControl-label]'
    // In the middle of a text; touched by their label; or seen only with the focus of a keyboard.
    const exempt = 'button.mono, [type=radio], [type=checkbox], [type=file], .skip, iframe *'
    return [...document.querySelectorAll<HTMLElement>(touched)]
      .filter((one) => one.checkVisibility({ opacityProperty: true }) && !one.matches(exempt))
      .map((one) => ({ one, box: one.getBoundingClientRect() }))
      .filter(({ box }) => box.height > 0 && Math.round(box.height) < least)
      .map(({ one, box }) => `${one.outerHTML.slice(0, 120)}: ${box.height} px`)
  }, leastPx)
}
