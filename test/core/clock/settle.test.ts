import { setTimeout as pass } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { bodies } from '../../support/bodies.ts'
import fc, { draws } from '../../support/fast-check.ts'
import { START, type TestWorld, useBench } from '../../support/harness.ts'
import { inBatches } from '../../support/in-batches.ts'
import { needsProcess } from '../../support/needs.ts'

// POST /_mfano/clock/settle: from due event to due event, until nothing is due, the budget is spent or a breakpoint holds.

const bench = useBench()

/** The moment some seconds after the beginning, as the control plane prints it. */
const at = (seconds: number) => new Date(Date.parse(`${START}Z`) + seconds * 1000).toISOString().replace('Z', '000Z')

const { pay } = bench
/** Nobody is told of it. */
const { callbackUrl: _, ...session } = bodies.checkout('')

const settle = (world: TestWorld, body: object = {}) => world.control('POST', '/clock/settle', body)

// biome-ignore lint/suspicious/noExplicitAny: what a server answers is for the test to judge
type Any = any

/** A list of what happened, in short: seconds since the beginning, and what. */
const said = (happened: Any[]) =>
  happened.map(({ at, type, ...one }) => {
    const seconds = (Date.parse(at) - Date.parse(`${START}Z`)) / 1000
    if (type === 'payment') return `${seconds} ${one.payment.kind} ${one.from ?? 'new'} → ${one.to}`
    if (type === 'callback')
      return `${seconds} callback ${one.callback.id} ${one.callback.state}${one.attempt ? `: attempt ${one.attempt.number} ${one.attempt.status}` : ''}`
    return type === 'request' ? `${seconds} ${one.request.operation}` : `${seconds} ${type}`
  })

test('goes on until nothing is due, and tells what happened, with simulated times', async () => {
  const world = await bench.world()
  bench.receiver.answer = () => (bench.receiver.received.length < 3 ? 503 : 200)
  const uuid = await pay(world)
  const settled = await settle(world, { within: '3d' })
  expect(settled).toMatchObject({
    from: at(0),
    now: at(72),
    steps: 1,
    callbacks: { delivered: 1, failed: 2 },
    ended: 'nothing is due',
    counts: { payment: 1, callback: 4 },
    truncated: false,
    pending: [],
    pendingTotal: 0,
    neverEnding: [],
  })
  expect(said(settled.happened)).toEqual([
    '2 send-money PENDING → SUCCESS',
    '2 callback 1 pending',
    '2 callback 1 pending: attempt 1 503',
    '12 callback 1 pending: attempt 2 503',
    '72 callback 1 delivered: attempt 3 200',
  ])
  expect(settled.happened.slice(2).map((one: Any) => one.callback.nextAttemptAt)).toEqual([at(12), at(72), null])
  expect(settled.happened[0]).toMatchObject({ payment: { uuid, status: 'SUCCESS' }, by: 'plan' })
  expect((await world.control('GET', '/clock')).now).toBe(at(72))
})

test('nothing to do: nothing is done, and no time passes', async () => {
  const world = await bench.world()
  expect(await settle(world)).toMatchObject({ now: at(0), steps: 0, ended: 'nothing is due', happened: [] })
})

test('a budget that is spent is spent: time has passed by it, and what is still due is named, and why', async () => {
  const world = await bench.world()
  bench.receiver.answer = 500
  const slow = await pay(world, { phoneNumber: '254711000202' })
  const quick = await pay(world)
  const settled = await settle(world, { within: '1m' })
  expect(settled).toMatchObject({ now: at(60), ended: 'the budget is spent', pendingTotal: 2 })
  expect(settled.pending).toEqual([
    {
      at: at(72),
      type: 'callback',
      payment: quick,
      callback: 1,
      why: expect.stringMatching(/callback 1 to .* is sent at .*16:29:12Z\. Attempt 2 of 5 failed: answered 500/),
    },
    { at: at(300), type: 'payment', payment: slow, callback: null, why: expect.stringContaining('becomes SUCCESS at') },
  ])
  // What is due at the very end of the budget is within it.
  expect(await settle(world, { within: '12s' })).toMatchObject({ now: at(72), callbacks: { failed: 1 } })
})

test('payments that never end keep nothing going, and are named', async () => {
  const world = await bench.world({
    scenario: {
      name: 'stuck',
      description: 'Some end only when somebody does something.',
      rules: [{ name: 'read me', on: 'till', then: { until: { poll: 2 }, end: 'SUCCESS' } }],
    },
  })
  const never = await pay(world, { phoneNumber: '254711000999' })
  const { body } = await world.post('/api/sandbox/v1/till', bodies.till(bench.receiver.url()))
  await pay(world)
  const settled = await settle(world)
  expect(settled).toMatchObject({ now: at(2), ended: 'nothing is due' })
  expect(settled.neverEnding).toEqual([
    { payment: never, status: 'PENDING', why: expect.stringContaining('never ends by itself') },
    { payment: body.data.requestId, status: 'PENDING', why: expect.stringContaining('ends it with read number 2') },
  ])
})

test('a late reversal, an expiry and a retry all belong to it', async () => {
  const world = await bench.world()
  await pay(world, { phoneNumber: '254711000409' })
  await world.post('/api/sandbox/v1/checkout-sessions', session)
  const { happened, now } = await settle(world)
  expect(said(happened).filter((line) => !line.includes('callback'))).toEqual([
    '2 send-money PENDING → SUCCESS',
    '1800 checkout PENDING → EXPIRED',
    '172802 send-money SUCCESS → FAILED',
  ])
  expect(now).toBe(at(172_802))
})

test('a breakpoint stops time at the instant of the first event that it holds for; what is due then still happens', async () => {
  const world = await bench.world()
  bench.receiver.answer = ({ path }) => (path === '/down' ? 500 : 200)
  await pay(world, { callbackUrl: bench.receiver.url('/down') })
  const slow = await pay(world, { phoneNumber: '254711000202' })
  const tried = await settle(world, { until: 'callback.attempts == 3 && event.type == "callback"' })
  expect(tried).toMatchObject({
    now: at(72),
    ended: 'the breakpoint holds',
    matched: { at: at(72), callback: { id: 1, attempts: 3 }, attempt: { number: 3, status: 500 } },
  })
  const ended = await settle(world, { until: `payment.uuid == "${slow}" && event.to == "SUCCESS"` })
  expect(ended).toMatchObject({ now: at(300), matched: { payment: { uuid: slow }, from: 'PENDING', to: 'SUCCESS' } })
  expect(said(ended.happened)).toEqual([
    '300 send-money PENDING → SUCCESS',
    '300 callback 2 pending',
    '300 callback 2 delivered: attempt 1 200',
  ])
})

test('a breakpoint finds the instant among thousands of steps that are taken together', async () => {
  const world = await bench.world({
    scenario: { name: 'slowly', description: 'One after the other.', wallets: { KES: 10_000_000 } },
  })
  const sessions: string[] = []
  for (let i = 0; i < 60; i++) {
    const { body } = await world.post('/api/sandbox/v1/checkout-sessions', { ...session, amount: 201.01 })
    sessions.push(body.id)
    await world.advance('10ms')
  }
  const uuid = sessions[41] as string
  const { now, matched, steps } = await settle(world, {
    until: `payment.uuid == "${uuid}" && payment.status == "PROCESSING"`,
  })
  expect(matched.payment.uuid).toBe(uuid)
  expect(now).toBe(matched.at)
  expect(now).toBe(at(5.41))
  expect(steps).toBe(42)
  expect(await settle(world)).toMatchObject({ steps: 60 + 18, ended: 'nothing is due' })
})

test('breakpoints about the world as a whole', async () => {
  const world = await bench.world()
  await pay(world)
  await pay(world, { phoneNumber: '254711000202' })
  expect(await settle(world, { until: 'pending.payments == 1' })).toMatchObject({ now: at(2) })
  expect(await settle(world, { until: 'pending.payments <= 1 && pending.callbacks == 0' })).toMatchObject({
    now: at(2),
    steps: 0,
    ended: 'the breakpoint holds',
    matched: null,
  })
  expect(await settle(world, { until: 'now >= timestamp("2025-01-24T16:30:00Z")' })).toMatchObject({ now: at(300) })
})

test('advance takes a breakpoint and lists too', async () => {
  const world = await bench.world()
  await pay(world)
  await pay(world, { phoneNumber: '254711000202' })
  const advance = (body: object) => world.control('POST', '/clock/advance', body)
  expect(await advance({ by: '1h', until: 'callback.state == "delivered"' })).toMatchObject({
    now: at(2),
    ended: 'the breakpoint holds',
    matched: { callback: { id: 1 } },
  })
  const listed = await advance({ by: '1h', list: true })
  expect(listed).toMatchObject({ now: at(3602), ended: 'the target is reached', truncated: false })
  expect(said(listed.happened)).toEqual([
    '300 send-money PENDING → SUCCESS',
    '300 callback 2 pending',
    '300 callback 2 delivered: attempt 1 200',
  ])
})

test.each(['realtime', 'scaled', 'frozen'])(
  'works with a %s clock, which stands meanwhile and then goes on',
  async (mode) => {
    const world = await bench.world({ clock: { mode, start: START, ...(mode === 'scaled' && { rate: 2 }) } })
    bench.receiver.answer = () => (bench.receiver.received.length < 5 ? 503 : 200)
    await pay(world, { phoneNumber: '254711000202' })
    const { happened, now, ended, callbacks } = await settle(world)
    expect({ ended, callbacks }).toEqual({ ended: 'nothing is due', callbacks: { delivered: 1, failed: 4 } })
    const times = happened.filter((one: Any) => one.attempt).map((one: Any) => Date.parse(one.at))
    expect(times.map((time: number) => Math.round((time - times[0]) / 1000))).toEqual([0, 10, 70, 370, 2170])
    const clock = await world.control('GET', '/clock')
    expect(clock.mode).toBe(mode)
    expect(Date.parse(clock.now)).toBeGreaterThanOrEqual(Date.parse(now))
  },
)

test('what could go on for ever is bounded: by steps, by real time, by the end of time', async () => {
  const world = await bench.world({
    scenario: {
      name: 'at-once',
      description: 'Everything ends at once, and the receiver pays again.',
      rules: [{ name: 'at once', on: 'send-money', then: { after: '0s', end: 'SUCCESS' } }],
    },
  })
  await world.token()
  let again = true
  bench.receiver.answer = async () => {
    if (again) await pay(world)
    return 200
  }
  await pay(world)
  const bySteps = await settle(world, { steps: 30 })
  expect(bySteps).toMatchObject({ now: at(0), ended: 'limit of steps' })
  expect(bySteps.steps + bySteps.callbacks.delivered).toBeGreaterThanOrEqual(30)
  expect(await settle(world, { timeout: '50ms' })).toMatchObject({ now: at(0), ended: 'the timeout passed' })
  again = false
  expect(await settle(world)).toMatchObject({ ended: 'nothing is due' })
  const refusal = async (body: object, path = 'settle') =>
    (await world.raw('POST', `/_mfano/clock/${path}`, { body })).body.error
  expect((await refusal({ within: '400000d' })).details).toContain('within: must not lead beyond 2255-01-01')
  expect((await refusal({ by: '365000d' }, 'advance')).details).toContain('by: must not lead beyond 2255-01-01')
  expect((await refusal({ within: 'soon' })).details).toContain('within: must be a duration such as')
  expect((await refusal({ timeout: '1h' })).details).toContain('timeout: must be at most 10m')
  expect((await refusal({ steps: 0 })).details).toContain('steps: must be at least 1')
  expect((await refusal({ untill: 'true' })).details).toBe(
    'untill: is not known here; known: within, until, steps, timeout, list. Did you mean "until"?',
  )
  expect(await refusal({ until: 'paymnt.status == "SUCCESS"' })).toMatchObject({
    code: 'INVALID_EXPRESSION',
    details: expect.stringMatching(/^until: column 1: "paymnt" is not known here.*Did you mean "payment"\?$/),
  })
  expect((await refusal({ until: 'pending.paymentz == 0' })).details).toContain('Did you mean "payments"?')
})

test('callbacks that cause callbacks within one instant cannot hold it for ever', async () => {
  const world = await bench.world()
  await world.control('PATCH', `/organisations/${world.companyId}`, { collectionCallbackUrl: bench.receiver.url() })
  let again = true
  bench.receiver.answer = async () => {
    // A bank collection is over at once: its callback is due with its making.
    if (again) await world.control('POST', '/collections/bank', { amount: 1 })
    return 200
  }
  await pay(world)
  expect(await settle(world, { until: 'callback.topic == "bank-collection"', steps: 20 })).toBeDefined()
  await world.control('POST', '/collections/bank', { amount: 1 })
  expect(await settle(world, { steps: 50 })).toMatchObject({ ended: 'limit of steps' })
  again = false
  expect(await settle(world)).toMatchObject({ ended: 'nothing is due' })
})

test('a long list is cut, and counted', async () => {
  const world = await bench.world()
  const { inside } = world
  await world.token()
  bench.receiver.answer = 500
  await inBatches(200, () => pay(world))
  const settled = await settle(world)
  expect(settled.happened).toHaveLength(1_000)
  expect(settled).toMatchObject({ truncated: true, counts: { payment: 200, callback: 200 + 200 * 5 } })
  expect((await settle(world, { list: false })).happened).toBeUndefined()
  expect(inside.feed.count('settle')).toBe(0)
})

test('a thousand payments under load: every one once, in order of simulated time and then of sequence', async () => {
  const world = await bench.world()
  await world.token()
  bench.receiver.answer = async ({ body }) => {
    await pass(Math.random() * 3)
    return body.amount % 3 === 0 && bench.receiver.received.length < 2_000 ? 503 : 200
  }
  const numbers = ['254712345678', '254711000202', '254711000404', '254711000408']
  await inBatches(1_000, (i) => pay(world, { amount: i + 1, phoneNumber: numbers[i % 4] as string }))
  const moving = [
    settle(world, { within: '1m', list: false }),
    world.control('POST', '/clock/advance', { by: '30s' }),
    settle(world, { until: 'pending.payments == 0' }),
    world.control('POST', '/clock/advance', { by: '10s' }),
    settle(world),
  ]
  const moved = await Promise.all(moving)
  expect(moved.reduce((sum, { steps }) => sum + steps, 0)).toBe(1_000)
  expect(moved.reduce((sum, { callbacks }) => sum + callbacks.delivered, 0)).toBe(1_000)
  for (const { happened = [] } of moved) expect(inOrder(happened)).toEqual([])
  const { counts } = await world.control('GET', '/callbacks')
  expect(counts).toEqual({ pending: 0, held: 0, delivered: 1_000, failed: 0, dropped: 0 })
}, 60_000)

/** Neighbours in a list of what happened that are the wrong way round. */
function inOrder(happened: Any[]): string[] {
  const wrong: string[] = []
  for (let i = 1; i < happened.length; i++) {
    const [a, b] = [happened[i - 1], happened[i]]
    const bothTried = a.attempt && b.attempt && a.at === b.at
    if (a.at > b.at || (bothTried && a.callback.id > b.callback.id)) wrong.push(said([a, b]).join(' before '))
  }
  return wrong
}

test('however receivers dawdle and time is cut into pieces, the same happens in the same order', async (context) => {
  needsProcess('worlds', context)
  const script = fc.record({
    payments: fc.array(
      fc.record({ number: fc.constantFrom('678', '202', '404', '409'), down: fc.integer({ min: 0, max: 3 }) }),
      {
        minLength: 1,
        maxLength: 6,
      },
    ),
    pieces: fc.array(fc.constantFrom('1s', '11s', '5m', '1h', '1d'), { maxLength: 4 }),
    dawdle: fc.boolean(),
  })
  const run = async ({
    payments,
    pieces,
    dawdle,
  }: {
    payments: { number: string; down: number }[]
    pieces: string[]
    dawdle: boolean
  }) => {
    const world = await bench.world({ id: 'same', seed: 3 })
    const heard = new Map<string, number>()
    bench.receiver.answer = async ({ path }) => {
      if (dawdle) await pass(Math.random() * 4)
      const [, , down] = path.split('/')
      heard.set(path, (heard.get(path) ?? 0) + 1)
      return (heard.get(path) ?? 0) <= Number(down) ? 503 : 200
    }
    for (const [i, { number, down }] of payments.entries())
      await pay(world, { phoneNumber: `254711000${number}`, callbackUrl: bench.receiver.url(`/${i}/${down}`) })
    const happened = []
    for (const within of pieces) happened.push(...(await settle(world, { within })).happened)
    happened.push(...(await settle(world)).happened)
    bench.simulator.worlds.remove('same')
    return JSON.stringify(happened).replaceAll(/"tookMs":\d+/g, '"tookMs":0')
  }
  await fc.assert(
    fc.asyncProperty(script, async (asked) => {
      const whole = await run({ ...asked, pieces: [], dawdle: false })
      const cut = await run(asked)
      expect(cut).toBe(whole)
      expect(inOrder(JSON.parse(whole))).toEqual([])
    }),
    { numRuns: draws(15), seed: 20250124 },
  )
}, 60_000)

test('a reset on the way ends it', async () => {
  const world = await bench.world()
  const [asked, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  bench.receiver.answer = async () => {
    asked.resolve()
    await over.promise
    return 200
  }
  await pay(world)
  const settling = world.raw('POST', '/_mfano/clock/settle', { body: {} })
  await asked.promise
  await world.control('POST', '/reset')
  over.resolve()
  expect(await settling).toMatchObject({ status: 503 })
})
