import { it } from 'vitest'
import { useBench } from '../../../support/harness.ts'
import { expectAccessible, expectNoOverflow, type Look, OF_A_LOOK } from '../axe.ts'
import { useDashboard } from './support.ts'

const bench = useBench()
const open = useDashboard()

/** `last`: what comes when all else is there. */
const pages: readonly { path: string; title: string; last?: string }[] = [
  { path: '/', title: 'Overview' },
  { path: '/payments', title: 'Payments' },
  { path: '/send', title: 'Send' },
  { path: '/callbacks', title: 'Callbacks' },
  { path: '/requests', title: 'Requests' },
  { path: '/wallets', title: 'Wallets and ledger' },
  { path: '/books', title: 'Books' },
  { path: '/organisations', title: 'Organisations' },
  { path: '/inbox', title: 'Inbox' },
  { path: '/handset', title: 'Handset' },
  { path: '/scenario', title: 'Scenario', last: '.cm-content' },
  { path: '/worlds', title: 'Worlds' },
  { path: '/coverage', title: 'Coverage' },
  { path: '/fidelity', title: 'Fidelity' },
]
const looks: readonly Look[] = [
  { colorScheme: 'light', viewport: { width: 1440, height: 900 } },
  { colorScheme: 'dark', viewport: { width: 1440, height: 900 }, only: OF_A_LOOK },
  { colorScheme: 'light', viewport: { width: 360, height: 780 } },
  { colorScheme: 'dark', viewport: { width: 360, height: 780 }, only: OF_A_LOOK },
]

it.each(looks)(
  'is readable by everybody in $colorScheme at $viewport.width pixels',
  { timeout: 90_000 },
  async ({ only, ...look }) => {
    const world = await bench.world()
    const uuid = await bench.pay(world, { callbackUrl: `${world.baseUrl}/_mfano/inbox/hello` })
    await bench.pay(world, { phoneNumber: '254711000404' })
    await world.advance('5s')
    const page = await open(world, '/', look)
    const all: typeof pages = [...pages, { path: `/payments/${uuid}`, title: 'KES 100.00 send-money' }]
    for (const { path, title, last = 'main' } of all) {
      await page.evaluate((hash) => {
        location.hash = hash
      }, path)
      await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor()
      await page.locator(last).first().waitFor()
      await page.waitForFunction(() => document.querySelector('[aria-label=Loading]') === null)
      await expectAccessible(page, only)
      await expectNoOverflow(page)
    }
  },
)
