import { expect, test } from 'vitest'
import { payoutTo } from '../../support/bodies.ts'
import { START, type TestWorld, useBench } from '../../support/harness.ts'
import { dataDirectory, startOn } from '../../support/restart.ts'
import { EventReader, type ServerSent } from '../../support/stream.ts'

// GET /_mfano/events: everything that happens in a world, in order, as it is committed.

const bench = useBench()

const { pay } = bench

const listen = (world: TestWorld, query = '', headers: Record<string, string> = {}) =>
  EventReader.open(`${world.baseUrl}/_mfano/events${query}`, headers)

/** What a list of events says, in short. */
const said = (events: ServerSent[]) =>
  events.map(({ event, data: { payment, callback, attempt, request, from, to } }) => {
    if (event === 'payment') return `payment ${from ?? 'new'} → ${to} ${payment.status}`
    if (event === 'callback') return `callback ${callback.state} ${attempt?.status ?? '-'}`
    return event === 'request' ? `request ${request.operation}` : event
  })

test('tells of a payout from its request to its callback, with simulated times', async () => {
  const world = await bench.world()
  await world.token()
  const stream = await listen(world)
  const uuid = await pay(world)
  await world.advance('1m')
  const events = await stream.take(6)
  expect(said(events)).toEqual([
    'payment new → PENDING PENDING',
    'request createSendMoney',
    'payment PENDING → SUCCESS SUCCESS',
    'callback pending -',
    'callback delivered 200',
    'clock',
  ])
  expect(events.map(({ data }) => data.at)).toEqual([
    `${START}.000000Z`,
    `${START}.000000Z`,
    '2025-01-24T16:28:02.000000Z',
    '2025-01-24T16:28:02.000000Z',
    '2025-01-24T16:28:02.000000Z',
    '2025-01-24T16:29:00.000000Z',
  ])
  expect(events[2]?.data).toMatchObject({ type: 'payment', payment: { uuid, amount: 100 }, by: 'plan' })
  expect(events[4]?.data).toMatchObject({
    callback: { payment: uuid, body: { requestId: uuid, status: 'SUCCESS' }, attempts: 1 },
    attempt: { number: 1, status: 200, error: null },
  })
  expect(events[5]?.data).toMatchObject({ clock: { mode: 'frozen', now: '2025-01-24T16:29:00.000000Z' } })
  stream.close()
})

test('tells of the inbox, wallets, the scenario and the clock', async () => {
  const world = await bench.world()
  const stream = await listen(world)
  await world.raw('POST', '/_mfano/inbox/shop', { body: { hello: 'you' } })
  await world.control('POST', '/wallets/fund', { currency: 'KES', amount: 12.5 })
  await world.control('PUT', '/scenario', { name: 'calm', description: 'Nothing special.' })
  await world.control('PATCH', '/clock', { mode: 'realtime' })
  const [inbox, wallet, scenario, clock] = await stream.take(4)
  expect(inbox?.data).toMatchObject({ type: 'inbox', inbox: 'shop', message: { id: 1, body: { hello: 'you' } } })
  expect(wallet?.data).toMatchObject({
    type: 'wallet',
    wallet: { organisationId: world.companyId, currency: 'KES', available: await world.available() },
    amount: 12.5,
  })
  expect(scenario?.data).toMatchObject({ type: 'scenario', scenario: 'calm' })
  expect(clock?.data).toMatchObject({ type: 'clock', clock: { mode: 'realtime', rate: 1 }, from: `${START}.000000Z` })
  stream.close()
})

test('what is taken back was never told', async () => {
  const world = await bench.world()
  await world.token()
  const stream = await listen(world)
  const answer = await world.post('/api/sandbox/v1/send-money', payoutTo(bench.receiver.url(), { amount: 99_000_000 }))
  expect(answer.status).toBe(402)
  expect(said(await stream.take(1))).toEqual(['request createSendMoney'])
  stream.close()
})

test('goes on behind the last event that a reader had', async () => {
  const world = await bench.world()
  await world.token()
  const first = await listen(world)
  await pay(world)
  const [opened] = await first.take(1)
  first.close()
  await world.advance('1m')
  const resumed = await listen(world, '', { 'last-event-id': opened?.id as string })
  expect(said(await resumed.take(5))).toEqual([
    'request createSendMoney',
    'payment PENDING → SUCCESS SUCCESS',
    'callback pending -',
    'callback delivered 200',
    'clock',
  ])
  resumed.close()
  const recent = await listen(world, '?recent=2')
  expect(said(await recent.take(2))).toEqual(['callback delivered 200', 'clock'])
  recent.close()
})

test('says that something was missed: too long ago, or in another life of the world', async () => {
  const world = await bench.world()
  const stream = await listen(world)
  await world.control('PATCH', '/clock', { mode: 'frozen' })
  const [first] = await stream.take(1)
  const happen = () => world.inside.perform({ command: 'set-clock', mode: 'frozen' })
  for (let i = 0; i < 1_100; i++) await happen()
  const late = await listen(world, '', { 'last-event-id': first?.id as string })
  const [gap, next] = await late.take(2)
  expect(gap).toMatchObject({
    event: 'gap',
    id: undefined,
    data: { type: 'gap', says: '100 events are too long ago to be kept' },
  })
  expect(gap?.data.catchUp).toContain('/_mfano/payments')
  const { feed } = world.inside
  expect(next?.id).toBe(`${feed.epoch}.102`)
  late.close()
  stream.close()
  while (feed.count('stream') > 0) await new Promise(setImmediate)
  await happen()
  const unread = await listen(world, '', { 'last-event-id': first?.id as string })
  expect((await unread.take(1))[0]?.data.says).toBe('901 events are too long ago to be kept')
  unread.close()

  await world.control('POST', '/reset')
  const other = await listen(world, '', { 'last-event-id': first?.id as string })
  expect((await other.take(1))[0]).toMatchObject({ event: 'gap', data: { says: expect.stringContaining('was reset') } })
  other.close()
})

test('who reads too slowly misses some and is told so; nothing piles up', async () => {
  const world = await bench.world()
  const stream = await listen(world)
  const big = { name: 'shop', headers: {}, body: 'x'.repeat(20_000), signature: 'none' } as const
  const message = { command: 'receive-in-inbox', ...big } as const
  for (let i = 0; i < 4_000; i += 500)
    await Promise.all(Array.from({ length: 500 }, () => world.inside.perform(message)))
  const events: string[] = []
  for (;;) {
    const one = await stream.next()
    events.push(one?.event ?? 'over')
    if (one?.id?.endsWith('.4000')) break
  }
  expect(events).toContain('gap')
  expect(events.length).toBeLessThan(3_500)
  stream.close()
})

test('sends only the types that are asked for, and those for which a condition holds', async () => {
  const world = await bench.world()
  await world.token()
  const stream = await listen(world, '?types=payment,callback')
  const filtered = await listen(
    world,
    `?where=${encodeURIComponent('payment.referenceId == "b" || callback.body.amount == 7')}`,
  )
  await pay(world, { referenceId: 'a', amount: 7 })
  await pay(world, { referenceId: 'b' })
  await world.advance('1m')
  expect(said(await stream.take(3))).toEqual([
    'payment new → PENDING PENDING',
    'payment new → PENDING PENDING',
    'payment PENDING → SUCCESS SUCCESS',
  ])
  expect(said(await filtered.take(4))).toEqual([
    'payment new → PENDING PENDING',
    'request createSendMoney',
    'callback pending -',
    'payment PENDING → SUCCESS SUCCESS',
  ])
  stream.close()
  filtered.close()
})

test('says what is wrong with a filter', async () => {
  const world = await bench.world()
  const refusal = async (query: string) => {
    const answer = await world.raw('GET', `/_mfano/events?${query}`)
    expect(answer.status).toBe(400)
    return answer.body.error.details
  }
  expect(await refusal('types=payments')).toContain('got "payments". Did you mean "payment"?')
  expect(await refusal(`where=${encodeURIComponent('payment.statu == "x"')}`)).toBe(
    'where: column 9: "payment" has no field "statu". Known: uuid, kind, status, amount, currency, organisationId, referenceId, rule, callbackUrl, createdAt, updatedAt, request, details. Did you mean "status"?',
  )
  expect(await refusal(`where=${encodeURIComponent('payment.status == "SUCESS"')}`)).toContain(
    'where: column 19: payment.status is never "SUCESS". Known: PENDING, ',
  )
  expect(await refusal('type=payment')).toBe(
    'type: is not known here; known: types, where, recent. Did you mean "types"?',
  )
})

test('ends with its world, and holds up nobody who stops', async () => {
  const world = await bench.world()
  const stream = await listen(world)
  await world.control('POST', '/reset')
  expect(await stream.next()).toBeUndefined()
  for (let i = 0; i < 100; i++) await listen(world)
  expect((await world.raw('GET', '/_mfano/events')).status).toBe(429)
})

test('who only listens holds up nobody who stops: streams end, waits are told', async () => {
  const simulator = await startOn(dataDirectory())
  const stream = await EventReader.open(`${simulator.baseUrl}/_mfano/events`)
  const waiting = fetch(`${simulator.baseUrl}/_mfano/wait`, {
    method: 'POST',
    body: JSON.stringify({ for: 'payment', timeout: '60s' }),
  })
  const { feed } = simulator.worlds.default
  while (feed.count('wait') === 0) await new Promise(setImmediate)
  await simulator.close()
  // Cut off, they would have thrown.
  expect(await stream.next()).toBeUndefined()
  expect((await waiting).status).toBe(503)
})
