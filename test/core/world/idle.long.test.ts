import { readdirSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { describe, expect, onTestFinished, test } from 'vitest'
import { Worlds } from '../../../src/core/worlds.ts'
import { scenarioLibrary } from '../../../src/hosts/node/scenarios.ts'
import { storage } from '../../../src/hosts/node/storage/files.ts'
import { paymentsService } from '../../../src/service/service.ts'
import { alarms } from '../../support/alarms.ts'
import { atOnce } from '../../support/at-once.ts'
import { payoutTo } from '../../support/bodies.ts'
import { Receiver, START, type TestWorld, useBench } from '../../support/harness.ts'
import { needsProcess } from '../../support/needs.ts'
import { dataDirectory, startOn } from '../../support/restart.ts'
import { EventReader } from '../../support/stream.ts'

// Idle worlds are closed to save memory, and opened again when somebody asks for them.
// Here every world but the default one is closed as soon as nobody is at work in it.

const START_US = Date.parse(`${START}Z`) * 1000

const payout = (callbackUrl: string, change: object = {}) => payoutTo(callbackUrl, change)

async function pay(world: TestWorld, callbackUrl: string, change: object = {}): Promise<string> {
  const answer = await world.post('/api/sandbox/v1/send-money', payout(callbackUrl, change))
  expect(answer.status, answer.text).toBe(201)
  return answer.body.data.requestId
}

/** A receiver whose next call is answered when a test says so. */
function slow(receiver: Receiver) {
  let answer = (_: number) => {}
  const called = new Promise<void>((resolve) => {
    receiver.answer = () =>
      new Promise<number>((answered) => {
        answer = answered
        resolve()
      })
  })
  return { called, answer: (status: number) => answer(status) }
}

/** Resolves when something is as it is expected to be; how long that may take is for the test's timeout. */
async function becomes<T>(look: () => T, expected: T): Promise<void> {
  while (!isDeepStrictEqual(look(), expected)) await new Promise((resolve) => setImmediate(resolve))
}

/** Worlds with room for one open one, whose clocks run and whose timers ring when a test says so. */
function wakened(files: boolean) {
  const timers = alarms()
  const heard: string[] = []
  const { promise, resolve } = Promise.withResolvers<void>()
  let awaited = ''
  const send = async ({ url }: { url: string }) => {
    const { pathname } = new URL(url)
    heard.push(pathname)
    if (pathname === awaited) resolve()
    return { status: 200, body: '', tookMs: 0 }
  }
  const worlds = new Worlds({
    ...storage(files ? dataDirectory() : ':memory:', 'process'),
    host: {
      ...timers.host,
      defer: (work) => {
        setImmediate(work)
      },
      connections: () => ({ send, close: () => {} }),
    },
    library: scenarioLibrary(),
    service: paymentsService,
    observer: () => ({
      happened: () => {},
      error: (error) => {
        throw error
      },
    }),
    scenario: 'default',
    openMax: 1,
    version: '0.0.0',
  })
  onTestFinished(() => worlds.close())
  return {
    worlds,
    timers,
    heard,
    /** Resolves when a receiver at a path was told something. */
    told(path: string) {
      awaited = path
      return promise
    },
    /** A new world that runs, with a payout that ends in two seconds and is told at a path; gives its id. */
    async pays(id: string, path: string): Promise<string> {
      worlds.create({ id, clock: { mode: 'realtime', startUs: START_US } })
      const { payment } = await worlds.get(id).perform({
        command: 'open-payment',
        kind: 'send-money',
        organisationId: 1,
        currency: 'KES',
        amountMinor: 100,
        request: { phoneNumber: '254712345678', amount: 1, remarks: 'a', occasion: 'b' },
        callbackUrl: `http://merchant.example${path}`,
      })
      return payment.uuid
    },
  }
}

describe.each([
  { where: 'in files', files: true },
  { where: 'in memory', files: false },
])('$where, with room for one open world', ({ files }) => {
  const bench = useBench({ files, settings: ['--open-worlds', '1'] })
  const open = () => bench.simulator.worlds.open.map(({ id }) => id)

  test('a world is closed between requests, and nothing shows it', async () => {
    const [first, second] = [await bench.world({ id: 'first' }), await bench.world({ id: 'second' })]
    const uuid = await pay(first, bench.receiver.url('/first'))
    const token = await first.token()
    expect(open()).toEqual(['default'])

    await pay(second, bench.receiver.url('/second'))
    expect(await first.control('GET', `/payments/${uuid}`)).toMatchObject({ uuid, status: 'PENDING' })
    expect((await first.control('GET', '/scenario')).rules[0].file).toBe('scenarios/default.yaml')
    expect(await first.advance('10s')).toMatchObject({ steps: 1, callbacks: { delivered: 1, failed: 0 } })
    expect(bench.receiver.received.map(({ path }) => path)).toEqual(['/first'])
    expect(await first.control('GET', '/clock')).toMatchObject({ now: '2025-01-24T16:28:10.000000Z', mode: 'frozen' })
    expect((await first.get('/api/sandbox/v1/bank/payout/all', { token })).status).toBe(200)
    expect((await second.control('GET', '/clock')).now).toBe(`${START}.000000Z`)
    expect(open()).toEqual(['default'])
  })

  test('a scenario, its parameters and what it counted are those of before', async () => {
    const world = await bench.world({
      id: 'counted',
      scenario: {
        name: 'second-fails',
        description: 'The second payout is refused.',
        rules: [{ name: 'the second', on: 'send-money', nth: 2, then: { refuse: { code: 'RESOURCE_LOCKED' } } }],
      },
    })
    await pay(world, bench.receiver.url())
    expect(open()).toEqual(['default'])
    const refused = await world.post('/api/sandbox/v1/send-money', payout(bench.receiver.url()))
    expect(refused.status).toBe(423)
    expect((await world.control('GET', '/scenario/hits')).hits[0]).toMatchObject({ name: 'the second', hits: 1 })
  })

  test('a delivery under way keeps its world open, and its outcome is recorded', async (context) => {
    needsProcess('worlds', context)
    const world = await bench.world({ id: 'telling', scenario: 'default', clock: { mode: 'frozen', start: START } })
    await pay(world, bench.receiver.url('/slow'))
    const receiver = slow(bench.receiver)
    const advancing = world.advance('10s')
    await receiver.called
    expect(open()).toContain('telling')
    receiver.answer(200)
    expect(await advancing).toMatchObject({ callbacks: { delivered: 1 } })
    expect(open()).toEqual(['default'])
  })

  test('a stream of events keeps its world open until it is closed', async () => {
    const world = await bench.world({ id: 'heard' })
    const stream = await EventReader.open(`${world.baseUrl}/_mfano/events`)
    await world.control('POST', '/wallets/fund', { currency: 'KES', amount: 5 })
    expect((await stream.next())?.event).toBe('wallet')
    expect(open()).toContain('heard')
    stream.close()
    await becomes(open, ['default'])
  })

  test('a reader of events goes on behind the last one that it had, with the world closed in between', async () => {
    const world = await bench.world({ id: 'followed' })
    const fund = (amount: number) => world.control('POST', '/wallets/fund', { currency: 'KES', amount })
    const first = await EventReader.open(`${world.baseUrl}/_mfano/events`)
    await fund(1)
    const last = await first.next()
    first.close()
    await becomes(open, ['default'])
    await fund(2)
    await fund(3)
    expect(open()).toEqual(['default'])
    const second = await EventReader.open(`${world.baseUrl}/_mfano/events?types=wallet`, {
      'last-event-id': String(last?.id),
    })
    expect((await second.take(2)).map(({ data }) => data.amount)).toEqual([2, 3])
    second.close()
    await becomes(open, ['default'])
  })

  test('a long list keeps its world open while it is read', async () => {
    const world = await bench.world({ id: 'listed' })
    const release = world.inside.leases.take()
    const order = {
      command: 'open-payment',
      kind: 'till',
      organisationId: 1,
      currency: 'KES',
      amountMinor: 100,
      request: { businessNumber: '400200', amount: 1, remarks: 'a', occasion: 'b' },
    } as const
    await Promise.all(Array.from({ length: 5000 }, () => world.inside.perform(order)))
    release()
    const headers = { authorization: `Bearer ${await world.token()}` }
    expect(open()).toEqual(['default'])

    const response = await fetch(`${world.baseUrl}/api/sandbox/v1/till/all`, { headers })
    expect((await response.json()) as object).toMatchObject({ data: { length: 5000 } })
    await becomes(open, ['default'])
    const head = await fetch(`${world.baseUrl}/api/sandbox/v1/till/all`, { method: 'HEAD', headers })
    expect(head.status).toBe(200)
    expect(open()).toEqual(['default'])
  })

  test('a running clock goes on while its world is closed, and a frozen one stands', async () => {
    const running = await bench.world({ id: 'running', clock: { mode: 'scaled', rate: 1_000_000, start: START } })
    const frozen = await bench.world({ id: 'frozen' })
    const before = (await running.control('GET', '/clock')).now
    expect(open()).toEqual(['default'])
    while ((await running.control('GET', '/clock')).now <= before);
    expect((await frozen.control('GET', '/clock')).now).toBe(`${START}.000000Z`)
  })

  test('worlds are listed without being opened', async () => {
    await bench.world({ id: 'one', scenario: 'slow-rails', seed: 3, clock: { mode: 'frozen', start: START } })
    await bench.world({ id: 'two', clock: { mode: 'scaled', rate: 60, start: START } })
    const response = await fetch(`${bench.simulator.baseUrl}/_mfano/worlds`)
    const { worlds } = (await response.json()) as { worlds: object[] }
    expect(worlds).toMatchObject([
      { id: 'default' },
      { id: 'one', scenario: 'slow-rails', seed: 3, clock: { mode: 'frozen', rate: 0, now: `${START}.000000Z` } },
      { id: 'two', scenario: 'default', clock: { mode: 'scaled', rate: 60 } },
    ])
    expect(open()).toEqual(['default'])
  })

  test('a world whose clock runs is open until what falls due is done and told, and closed then', async () => {
    const { worlds, timers, told, pays } = wakened(files)
    const next = told('/by-itself')
    const uuid = await pays('running', '/by-itself')
    expect(worlds.open.map(({ id }) => id)).toEqual(['default', 'running'])
    timers.ring()
    await next
    await becomes(() => worlds.open.map(({ id }) => id), ['default'])
    expect(worlds.get('running').core.store.payments.byUuid(uuid)).toMatchObject({ status: 'SUCCESS' })
    expect(atOnce(worlds.get('running').core.store.callbacks.counting()).counts).toMatchObject({ delivered: 1 })
  })

  test('a removed world is woken by nothing', async () => {
    const { worlds, timers, heard, told, pays } = wakened(files)
    await pays('gone', '/never')
    worlds.remove('gone')
    // Another one with as much to wait for is woken; this one was not.
    const next = told('/other')
    await pays('other', '/other')
    timers.ring()
    await next
    expect(heard).toEqual(['/other'])
  })
})

test('the world that was idle longest is the one that is closed', async () => {
  const simulator = await startOn(':memory:', '--open-worlds', '3')
  const { worlds } = simulator
  for (const id of ['a', 'b', 'c']) {
    worlds.create({ id })
    await simulator.world(id).control('GET', '/health')
  }
  expect(worlds.open.map(({ id }) => id).sort()).toEqual(['b', 'c', 'default'])
  worlds.get('b')
  worlds.get('a')
  expect(worlds.open.map(({ id }) => id).sort()).toEqual(['a', 'b', 'default'])
})

test('a start opens the default world, and those in which something falls due by their clocks', async () => {
  const directory = dataDirectory()
  const receiver = new Receiver()
  await receiver.start()
  const time = alarms()
  const before = await startOn({ directory, time })
  for (const id of ['due', 'later', 'frozen']) {
    const mode = id === 'frozen' ? 'frozen' : 'realtime'
    before.worlds.create({ id, clock: { mode, startUs: START_US } })
    const phoneNumber = id === 'later' ? '254711000408' : '254712345678'
    await pay(before.world(id), receiver.url(`/${id}`), { phoneNumber })
  }
  await before.close()
  // A database that was closed in order is all that there is of a world.
  expect(readdirSync(directory).sort()).toEqual(['default.db', 'due.db', 'frozen.db', 'later.db'])

  const told = new Promise<string>((resolve) => {
    receiver.answer = ({ path }) => {
      resolve(path)
      return 200
    }
  })
  const after = await startOn({ directory, time })
  expect(after.worlds.open.map(({ id }) => id)).toEqual(['default'])
  expect(after.worlds.count).toBe(4)
  await expect.poll(() => after.worlds.open.map(({ id }) => id)).toEqual(['default', 'due', 'later'])
  await time.set(2_000)
  time.pass(2_000)
  expect(await told).toBe('/due')
  expect(receiver.received).toHaveLength(1)
  await after.close()
  await receiver.stop()
})
