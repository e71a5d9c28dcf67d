import { expect, it } from 'vitest'
import { controlOf } from '../../../../src/client/control.ts'
import { plainTime, UTC } from '../../../../src/core/model/calendar.ts'
import { parseInstant } from '../../../../src/core/model/time.ts'
import { kenya, tanzania } from '../../../../src/service/countries/countries.ts'
import { useBench } from '../../../support/harness.ts'
import { useDashboard } from './support.ts'

const bench = useBench()
const open = useDashboard()

const SHOWN = /\d{1,2} [A-Z][a-z]{2} \d{4}, \d\d:\d\d:\d\d/g

it.each([kenya.zone, tanzania.zone, UTC])('shows every time in $name, which the clock alone names', async (zone) => {
  const world = await bench.world({
    scenario: `name: here\ndescription: Elsewhere.\nextends: default\ntimezone: ${zone.name}\n`,
  })
  bench.receiver.answer = 503
  const uuid = await bench.pay(world, { referenceId: 'salary-1' })
  await bench.pay(world, { callbackUrl: `${world.baseUrl}/_mfano/inbox/hello` })
  await world.advance('5s')
  await world.control('POST', '/snapshots', { name: 'before' })
  // Another world of the server, whose zone this page must not take.
  await bench.world()
  const { nextDue } = await world.control('GET', '/clock')
  // The list of worlds has the server's own in it, which runs.
  const ownClock = controlOf(bench.simulator.baseUrl)('PATCH', '/clock', { body: { mode: 'frozen' } })
  const { now } = (await ownClock) as { now: string }
  const wall = (instant: string) => plainTime(parseInstant(instant) as number, zone).replace(/ \S+$/, '')
  const told = ['2025-01-24T16:28:00Z', '2025-01-24T16:28:02Z', '2025-01-24T16:28:05Z', now, nextDue].map(wall)
  const page = await open(world, '/')
  // biome-ignore lint/performance/useDomNodeTextContent: without blanks, a count and the day behind it are one number
  const text = () => page.locator('body').innerText()
  for (const path of [
    '/payments',
    `/payments/${uuid}`,
    '/callbacks',
    '/requests',
    '/inbox',
    '/worlds',
    '/snapshots',
    '/wallets',
    '/',
  ]) {
    await page.goto(`${world.baseUrl}/_mfano/#${path}`)
    await page
      .getByTestId('now')
      .filter({ hasText: wall('2025-01-24T16:28:05Z').slice(-8) })
      .waitFor()
    if (!['/wallets', '/'].includes(path)) await page.getByText(SHOWN).first().waitFor()
    for (const shown of (await text()).match(SHOWN) ?? []) expect(told, path).toContain(shown)
    expect((await text()).split(zone.name).length - 1, `${path} names the zone`).toBe(1)
  }
})
