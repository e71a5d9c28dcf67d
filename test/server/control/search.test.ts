import { expect, it, test } from 'vitest'
import type { Attempt } from '../../../src/core/model/callback.ts'
import { LANE } from '../../../src/core/model/due.ts'
import type { World } from '../../../src/core/world.ts'
import { searchTexts } from '../../../src/server/control/fields.ts'
import { countries } from '../../../src/service/countries/countries.ts'
import { payoutTo } from '../../support/bodies.ts'
import { type TestWorld, useBench } from '../../support/harness.ts'

const bench = useBench()
const SEND_MONEY = '/api/sandbox/v1/send-money'

it.each([
  ['salary-1', ['salary-1']],
  ['0712', ['0712', '254712', '255712', '256712']],
  ['+254 712 345 678', ['+254 712 345 678', '254712345678', '0712345678']],
  ['254712345678', ['254712345678', '0712345678']],
  ['0', ['0']],
  ['KES 1,500.00', ['KES 1,500.00', '1500']],
  ['1,500.50', ['1,500.50', '1500.5']],
  ['1500', ['1500']],
])('looks for %j in every spelling', (typed, texts) => {
  expect(searchTexts(countries, typed)).toEqual(texts)
})

it.each(['SALARY-7', 'salary-7', '0712345678', '+254 712 345 678', '254712345678', 'school fees'])(
  'finds payment, callback and request by %j',
  async (typed) => {
    const world = await bench.world()
    const uuid = await bench.pay(world, { referenceId: 'Salary-7', remarks: 'SCHOOL FEES' })
    await bench.pay(world, { phoneNumber: '254799999999', remarks: 'Rent' })
    await world.advance('5s')
    const search = encodeURIComponent(typed)
    const [payments, callbacks, requests] = await Promise.all([
      world.control('GET', `/payments?search=${search}`),
      world.control('GET', `/callbacks?search=${search}`),
      world.control('GET', `/requests?search=${search}`),
    ])
    expect(payments).toMatchObject({ total: 1, payments: [{ uuid }] })
    expect(callbacks.callbacks).toMatchObject([{ payment: uuid, about: { referenceId: 'Salary-7' }, tells: 'SUCCESS' }])
    expect(requests.requests).toMatchObject([{ payment: uuid }])
  },
)

it('takes what is special to the database for itself', async () => {
  const world = await bench.world()
  await bench.pay(world, { remarks: '50%_off "now"' })
  await bench.pay(world, { remarks: '50 off' })
  for (const typed of ['50%', '%_', '"now"'])
    expect((await world.control('GET', `/payments?search=${encodeURIComponent(typed)}`)).total, typed).toBe(1)
})

it('finds what was refused by what the request said, and by what it was answered', async () => {
  const world = await bench.world()
  await bench.pay(world)
  await world.post(SEND_MONEY, payoutTo(bench.receiver.url(), { phoneNumber: '254711000403', remarks: 'Bonus' }))
  const found = async (query: string) => (await world.control('GET', `/requests?${query}`)).requests
  expect(await found('refused=true')).toMatchObject([{ status: 403 }])
  expect(await found('refused=true&search=bonus')).toHaveLength(1)
  expect(await found('refused=true&search=payment_limit')).toHaveLength(1)
  expect(await found('refused=true&search=salary')).toEqual([])
})

it('counts what a search finds only when everything was looked through', async () => {
  const world = await bench.world()
  for (const n of [1, 2, 3]) await bench.pay(world, { referenceId: `salary-${n}` })
  const find = (query: string) => world.control('GET', `/payments?search=salary&${query}`)
  const references = ({ payments }: { payments: { referenceId: string }[] }) =>
    payments.map(({ referenceId }) => referenceId)
  const first = await find('limit=2')
  expect([first.total, references(first)]).toEqual([null, ['salary-3', 'salary-2']])
  const second = await find(`limit=2&before=${first.next}`)
  expect([second.next, references(second)]).toEqual([null, ['salary-1']])
  expect((await find('limit=4')).total).toBe(3)
})

it('begins at the newest payment, however far above it somebody says', async () => {
  const world = await bench.world()
  const uuid = await bench.pay(world, { referenceId: 'far-below' })
  const { payments, next } = await world.control('GET', `/payments?search=far-below&before=${Number.MAX_SAFE_INTEGER}`)
  expect(payments).toMatchObject([{ uuid }])
  expect(next).toBeNull()
})

/** Amounts of the payments of a list, the newest first. */
async function listed(world: TestWorld, query: string): Promise<{ amounts: number[]; total: number | null }> {
  const { payments, total } = await world.control('GET', `/payments?${query}`)
  return { amounts: payments.map(({ amount }: { amount: number }) => amount), total }
}

it('lists payments by when they were created, with both instants in, as far apart as they are', async () => {
  const world = await bench.world()
  const collect = (amount: number) => world.control('POST', '/collections/stk', { phoneNumber: '254712345678', amount })
  for (const amount of [1, 2, 3, 4, 5]) {
    await collect(amount)
    await world.advance('1h')
  }
  expect(await listed(world, 'since=2025-01-24T18:28:00Z')).toEqual({ amounts: [5, 4, 3], total: 3 })
  expect(await listed(world, 'until=2025-01-24T18:28:00Z')).toEqual({ amounts: [3, 2, 1], total: 3 })
  expect(await listed(world, 'since=2025-01-24T17:00:00Z&until=2025-01-24T19:00:00Z')).toMatchObject({ total: 2 })
  expect(await listed(world, 'since=2025-01-25T00:00:00Z')).toEqual({ amounts: [], total: 0 })
  expect(await listed(world, 'until=2025-01-23T00:00:00Z')).toEqual({ amounts: [], total: 0 })
  // In pages, as any other list.
  const { next } = await world.control('GET', '/payments?since=2025-01-24T17:28:00Z&limit=2')
  expect(await listed(world, `since=2025-01-24T17:28:00Z&limit=2&before=${next}`)).toEqual({
    amounts: [3, 2],
    total: 4,
  })
})

it('lists payments by amount, and by how they ended, whatever their kind calls it', async () => {
  const world = await bench.world()
  await bench.pay(world, { amount: 500 })
  await bench.pay(world, { amount: 1_500.5, phoneNumber: '254711000404' })
  await bench.pay(world, { amount: 2_000, phoneNumber: '254711000999' })
  await world.advance('5s')
  expect(await listed(world, 'minAmount=1500.5&maxAmount=1999')).toEqual({ amounts: [1_500.5], total: 1 })
  expect(await listed(world, 'outcome=succeeded')).toMatchObject({ amounts: [500] })
  expect(await listed(world, 'outcome=failed')).toMatchObject({ amounts: [1_500.5] })
  expect(await listed(world, 'outcome=open')).toMatchObject({ amounts: [2_000] })
  const refused = await world.raw('GET', '/_mfano/payments?minAmount=lots')
  expect(refused.status).toBe(400)
  expect(refused.text).toContain('minAmount')
})

/** Lets something happen when a long search lets others have their turn. */
function meanwhile(world: World, happens: () => Promise<unknown>) {
  const { defer } = world.host
  world.host.defer = (work) => {
    world.host.defer = defer
    void happens().then(() => defer(work))
  }
}

// Seen under kills, when a restarted mfano delivers hundreds of callbacks while somebody lists them: one was pending,
// and nothing was due for it. It had been delivered between the page of the list that it was on and the look at what is
// due.
test('a long list shows each callback as it is when it is shown: none is pending with nothing due', async () => {
  const { receiver } = bench
  const world = await bench.world({ scenario: 'callbacks-retried' })
  receiver.answer = 500
  for (let i = 0; i < 260; i++) await bench.pay(world)
  await world.advance('5s')
  const { commit, core } = world.inside
  const [newest] = core.store.callbacks.page({ limit: 1, newestFirst: true })
  if (!newest) throw new Error('no callback was written')
  const [due] = core.store.agenda.of(LANE.deliveries, newest.id)
  expect([newest.state, due]).toEqual(['pending', expect.anything()])
  const attempt: Attempt = { ...(core.store.callbacks.attemptsOf(newest.id)[0] as Attempt), status: 200, error: null }
  const delivered = () =>
    world.inside.perform({ command: 'record-attempt', due: due as never, attempt, accepted: true })

  meanwhile(world.inside, delivered)
  const { callbacks } = await world.control('GET', '/callbacks?limit=1000')
  expect(callbacks).toHaveLength(260)
  expect(callbacks[0]).toMatchObject({ id: newest.id, state: 'delivered', nextAttemptAt: null })
  for (const { state, nextAttemptAt } of callbacks.slice(1))
    expect([state, nextAttemptAt !== null]).toEqual(['pending', true])

  // What was asked for does not hold of it any more.
  await commit.submit(() => core.store.callbacks.save({ ...newest, state: 'pending' }))
  meanwhile(world.inside, () => commit.submit(() => core.store.callbacks.save({ ...newest, state: 'delivered' })))
  const pending = await world.control('GET', '/callbacks?state=pending&limit=1000')
  expect(pending.callbacks.map(({ state }: { state: string }) => state)).toEqual(Array(259).fill('pending'))
})

// What a database may hold that mfano would not write: it came in a file, or by somebody's own hand.

test('an agenda row without its payment or callback is told of, and is done with when it falls due', async () => {
  const world = await bench.world()
  await bench.pay(world)
  const { commit, core } = world.inside
  const { agenda } = core.store
  await commit.submit(() => {
    agenda.add(LANE.steps, core.clock.now() + 60_000_000, 4711, 'end')
    agenda.add(LANE.deliveries, core.clock.now() + 60_000_000, 4712, 'deliver')
  })
  const before = await world.control('POST', '/clock/settle', { within: '10s' })
  expect(before).toMatchObject({
    ended: 'the budget is spent',
    pending: [
      { type: 'payment', payment: null, callback: null, why: expect.stringContaining('payment 4711') },
      { type: 'callback', payment: null, callback: 4712, why: expect.stringContaining('callback 4712') },
    ],
    pendingTotal: 2,
  })
  for (const path of ['/payments', '/callbacks', '/statistics', '/happenings', '/handset/254712345678', '/requests'])
    expect((await world.raw('GET', `/_mfano${path}`)).status, path).toBeLessThan(500)

  bench.expectErrors(/payment 4711/, /callback 4712/)
  const after = await world.control('POST', '/clock/settle', {})
  expect(after).toMatchObject({ ended: 'nothing is due', pending: [], pendingTotal: 0 })
  expect((await world.control('GET', '/health')).status).toBe('ok')
})
