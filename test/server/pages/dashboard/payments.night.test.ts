import { expect, it } from 'vitest'
import { type TestWorld, useBench } from '../../../support/harness.ts'
import { inBatches } from '../../../support/in-batches.ts'
import { useDashboard } from './support.ts'

const bench = useBench()
const open = useDashboard()

it('finds a payment by its reference, and shows why it ended as it did', async () => {
  const world = await bench.world()
  await bench.pay(world, { referenceId: 'salary-1' })
  const uuid = await bench.pay(world, { referenceId: 'salary-2', phoneNumber: '254711000404' })
  await world.advance('5s')
  const page = await open(world, '/payments')
  await page.getByTestId('search').fill('salary-2')
  await page.getByText('1 of 1 loaded').waitFor()
  await page.getByTestId('row').filter({ hasText: 'salary-2' }).click()
  await page.waitForURL(`**/#/payments/${uuid}`)
  await page.getByRole('heading', { level: 1, name: 'KES 100.00 send-money' }).waitFor()
  await page.locator('main [data-state=FAILED]').first().waitFor()
  await page
    .getByTestId('stopped')
    .filter({ hasText: /The rail failed it and gave no reason: the rule ".+" decided so\./ })
    .filter({ hasText: /FAILED is final\. Its merchant was notified/ })
    .waitFor()
  const { story } = (await world.control('GET', `/payments/${uuid}`)).explanation
  const { passed } = story.find((link: { station: string }) => link.station === 'rule')
  await page.getByRole('button', { name: 'Why this rule matched' }).click()
  await page
    .getByTestId('rule-trace')
    .filter({ hasText: `${passed.length} rules before it` })
    .waitFor()
})

it('tells what happened once: what the merchant saw, what the rails did, details; a date where it changes', async () => {
  const world = await bench.world({ scenario: 'late-reversal' })
  const uuid = await bench.pay(world, { amount: 25_000 })
  await world.advance('3d')
  const page = await open(world, `/payments/${uuid}`)
  const story = page.getByTestId('story')
  await story.getByText('SUCCESS to FAILED').waitFor()
  const told = async (weight: string) => story.locator(`[data-weight=${weight}]`).allInnerTexts()
  const [merchant, rails, details] = [await told('merchant'), await told('rails'), await told('detail')]
  expect(merchant.map((text) => /(Request|Answer|Callback)\./.exec(text)?.[1])).toEqual([
    'Request',
    'Answer',
    'Callback',
    'Callback',
  ])
  expect(rails.join('\n')).toMatch(/PENDING to SUCCESS.*SUCCESS to FAILED/s)
  // Amounts in one form, accounts in words, and how long after the request.
  expect(details.join('\n')).toMatch(/Moved KES 25,000\.00: wallet to rail.*Took back KES 25,000\.00: rail to wallet/s)
  expect(rails.join('\n')).toMatch(/16:28:02, \+2 s/)
  expect(await story.getByTestId('day').allTextContents()).toEqual(['24 Jan 2025', '26 Jan 2025'])
})

it('ends a pending payment now, as one of the statuses that it may come to', async () => {
  const world = await bench.world()
  const uuid = await bench.pay(world, { phoneNumber: '254711000999' })
  const page = await open(world, `/payments/${uuid}`)
  await page.getByTestId('end-now').click()
  await page.getByTestId('end-FAILED').click()
  await page.getByTestId('stopped').filter({ hasText: 'Forced by hand.' }).waitFor()
  await page.getByTestId('end-now').waitFor({ state: 'detached' })
  expect((await world.control('GET', `/payments/${uuid}`)).status).toBe('FAILED')
})

it('moves a frozen clock to what a payment waits for', async () => {
  const world = await bench.world()
  const uuid = await bench.pay(world)
  const page = await open(world, `/payments/${uuid}`)
  await page.getByTestId('advance-to-due').filter({ hasText: '2 s' }).click()
  await page.locator('main [data-state=SUCCESS]').first().waitFor()
})

it('leads to its rule', async () => {
  const world = await bench.world()
  const uuid = await bench.pay(world, { phoneNumber: '254711000404' })
  const page = await open(world, `/payments/${uuid}`)
  await page.getByRole('link', { name: 'Open rule' }).click()
  await page
    .getByTestId('row')
    .filter({ hasText: 'the phone number is not registered' })
    .filter({ hasText: 'endsWith("000404")' })
    .waitFor()
  expect(await page.getByTestId('row').count()).toBe(1)
})

it('says what is wrong with a callback that failed, and sends it again', async () => {
  const world = await bench.world()
  bench.receiver.answer = 500
  const uuid = await bench.pay(world)
  await world.advance('5s')
  const page = await open(world, `/payments/${uuid}`)
  const { todo } = (await world.control('GET', `/payments/${uuid}`)).callbacks[0].tries[0].diagnosis
  await page.getByTestId('stopped').filter({ hasText: todo }).waitFor()
  bench.receiver.answer = 200
  await page.getByTestId('redeliver').click()
  await page.getByTestId('story').getByText('Attempt 2 of callback 1: received, answered 200').waitFor()
})

it('filters by outcome, day, amount and organisation, and keeps the filters in the address', async () => {
  const world = await bench.world({
    scenario: 'name: here\ndescription: Elsewhere.\nextends: default\ntimezone: Africa/Nairobi\n',
  })
  await bench.pay(world, { amount: 500 })
  // In Nairobi it is the day after.
  await world.advance('6h')
  const collect = (phoneNumber: string, amount: number) =>
    world.control('POST', '/collections/stk', { phoneNumber, amount })
  await collect('254712345678', 5_000)
  await collect('254711000404', 6_000)
  await world.advance('10s')
  const page = await open(world, '/payments')
  const rows = page.getByTestId('row')
  await page.getByText('3 of 3 loaded').waitFor()
  await page.getByTestId('more-filters').click()
  await page.getByTestId('since').fill('2025-01-25')
  await page.getByText('2 of 2 loaded').waitFor()
  await page.getByTestId('maxAmount').fill('5500')
  await page.getByText('1 of 1 loaded').waitFor()
  await rows.filter({ hasText: 'KES 5,000.00' }).waitFor()
  await page.waitForURL('**/#/payments?since=2025-01-25&maxAmount=5500')
  await page.goto(`${world.baseUrl}/_mfano/#/payments?outcome=failed&organisationId=${await organisationOf(world)}`)
  await page.getByText('1 of 1 loaded').waitFor()
  await rows.filter({ hasText: 'KES 6,000.00' }).waitFor()
  await page.getByTestId('more-filters').filter({ hasText: 'More filters (1)' }).waitFor()
  await page.goto(`${world.baseUrl}/_mfano/#/payments?minAmount=9000`)
  await page.getByText('No payments match').waitFor()
  await page.getByTestId('clear-filters').click()
  await page.getByText('3 of 3 loaded').waitFor()
})

it('scrolls through thousands of rows and draws only those in sight', async () => {
  const world = await bench.world()
  await inBatches(600, () => world.control('POST', '/collections/stk', { phoneNumber: '254712345678', amount: 10 }))
  const page = await open(world, '/payments')
  await page.getByText('200 of 600 loaded').waitFor()
  await expect.poll(() => page.getByTestId('row').count()).toBeLessThan(60)
  const table = page.getByRole('table', { name: 'Payments' })
  // Each end that it is scrolled to loads more, so that there is another one.
  const scrolled = async () => {
    await table.evaluate((frame) => frame.scrollTo(0, frame.scrollHeight))
    return page.getByText('600 of 600 loaded').count()
  }
  await expect.poll(scrolled).toBe(1)
  await expect.poll(() => page.getByTestId('row').count()).toBeLessThan(60)
})

it('loads more of a list also where an event made it load anew what it had', async () => {
  const world = await bench.world()
  await inBatches(210, () => world.control('POST', '/collections/stk', { phoneNumber: '254712345678', amount: 10 }))
  const page = await open(world, '/payments')
  await page.getByText('200 of 210 loaded').waitFor()
  await page.getByTestId('live').and(page.locator('[data-live=true]')).waitFor()
  // What the page asks for twice before it draws once is where it stood still.
  await page.evaluate(() => {
    const later = window.setTimeout
    const held: (() => void)[] = []
    const hold = (act: () => void, ms?: number) => (ms ? later(act, ms) : held.push(act))
    Object.assign(window, {
      setTimeout: hold,
      letGo: () => {
        window.setTimeout = later
        for (const act of held) act()
      },
    })
  })
  const second = Promise.withResolvers<void>()
  const cancelled = Promise.withResolvers<void>()
  await page.route(
    /\/payments\?.*before=/,
    async (route) => {
      second.resolve()
      await cancelled.promise
      await route.continue()
    },
    { times: 1 },
  )
  await page.getByRole('table', { name: 'Payments' }).evaluate((frame) => frame.scrollTo(0, frame.scrollHeight))
  await second.promise
  const anew = page.waitForRequest(/\/payments\?(?!.*before=)/)
  await bench.pay(world)
  await anew
  cancelled.resolve()
  await page.evaluate('letGo()')
  await page.getByText('211 of 211 loaded').waitFor()
})

it('follows a world in which something happens all the time', async () => {
  const world = await bench.world()
  const page = await open(world, '/payments')
  await page.getByTestId('live').and(page.locator('[data-live=true]')).waitFor()
  const shown = async () => {
    await bench.pay(world)
    return page.getByTestId('row').count()
  }
  await expect.poll(shown, { interval: 20 }).toBeGreaterThan(0)
})

it('says so when there is no such payment', async () => {
  const world = await bench.world()
  const page = await open(world, '/payments/00000000-0000-4000-8000-00000000dead')
  await page.getByTestId('error').filter({ hasText: 'no payment' }).waitFor()
  // It would be refused again.
  expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0)
})

async function organisationOf(world: TestWorld): Promise<string> {
  return (await world.control('GET', '/organisations')).organisations[0].uuid
}
