import { expect, test } from 'vitest'
import { alarms } from '../../support/alarms.ts'
import { START, type TestWorld, useBench } from '../../support/harness.ts'

// Time in a world goes from due event to due event. Nothing is jumped over, and nobody waits in real time.

const time = alarms()
const bench = useBench({ time })
const timezone = { name: 'UTC', offsetMinutes: 0 }

/** The moment some seconds after the beginning, as the control plane prints it. */
const at = (seconds: number) => new Date(Date.parse(`${START}Z`) + seconds * 1000).toISOString().replace('Z', '000Z')

/** The whole answer of an advance that came where it was to come, with all callbacks delivered. */
const reached = (seconds: number, steps: number, delivered: number) => {
  const callbacks = { delivered, failed: 0 }
  return { now: at(seconds), timezone, steps, callbacks, ended: 'the target is reached' }
}

// Numbers that end in 000202 take five minutes, others two seconds.
const { pay } = bench

/** A session without a callback, which is paid by itself after 5 s and succeeds 3 s later. */
async function checkOut(world: TestWorld): Promise<string> {
  const addresses = { successUrl: 'http://shop.example/paid', cancelUrl: 'http://shop.example/cart' }
  const session = { amount: 201.01, currency: 'KES', description: 'Order', paymentMethods: ['CARD'], ...addresses }
  return (await world.post('/api/sandbox/v1/checkout-sessions', session)).body.id
}

const payment = (world: TestWorld, uuid: string) => world.control('GET', `/payments/${uuid}`)
const clock = (world: TestWorld) => world.control('GET', '/clock')

/** Every attempt to tell a merchant: when, by the world's clock, and what came back. */
async function tries(world: TestWorld, uuid: string): Promise<string[]> {
  const { callbacks } = await payment(world, uuid)
  return callbacks.flatMap(({ tries }: { tries: { sentAt: string; status: number }[] }) =>
    tries.map(({ sentAt, status }) => `${sentAt} ${status}`),
  )
}

test('a frozen clock stands until it is moved, and then by exactly what was asked', async () => {
  const world = await bench.world()
  const uuid = await pay(world)
  expect(await clock(world)).toEqual({
    mode: 'frozen',
    rate: 0,
    now: at(0),
    nextDue: at(2),
    timezone,
  })

  expect(await world.advance('1s')).toEqual(reached(1, 0, 0))
  expect((await payment(world, uuid)).status).toBe('PENDING')
  expect(await world.advance('1s')).toEqual(reached(2, 1, 1))
  expect((await payment(world, uuid)).status).toBe('SUCCESS')
  expect(await clock(world)).toMatchObject({ now: at(2), nextDue: null })
})

test('what is due happens in order of simulated time, whatever the order in which it was asked for', async () => {
  const world = await bench.world()
  const last = await pay(world, { phoneNumber: '254711000408', callbackUrl: bench.receiver.url('/timed-out') })
  const middle = await pay(world, { phoneNumber: '254711000202', callbackUrl: bench.receiver.url('/slow') })
  const first = await pay(world, { callbackUrl: bench.receiver.url('/quick') })
  expect(await world.advance('1h')).toMatchObject({ steps: 3, callbacks: { delivered: 3 } })

  expect(bench.receiver.received.map(({ path }) => path)).toEqual(['/quick', '/slow', '/timed-out'])
  expect(await tries(world, first)).toEqual([`${at(2)} 200`])
  expect(await tries(world, middle)).toEqual([`${at(300)} 200`])
  expect(await tries(world, last)).toEqual([`${at(600)} 200`])
})

test('a step that is due because of another step comes in its turn, between what was due already', async () => {
  const world = await bench.world()
  const early = await checkOut(world)
  await world.advance('4s')
  const late = await checkOut(world)
  // Paid at 5 and 9; done at 8 and 12. What would have expired after half an hour must not.
  expect(await world.advance('1d')).toMatchObject({ steps: 4 })

  const happened = async (uuid: string) => {
    const { timeline } = await payment(world, uuid)
    return timeline.happened.map(
      (moment: { at: string; status: string }) => `${moment.at.slice(0, 19)} ${moment.status}`,
    )
  }
  const second = (seconds: number) => at(seconds).slice(0, 19)
  expect(await happened(early)).toEqual([`${second(0)} PENDING`, `${second(5)} PROCESSING`, `${second(8)} SUCCEEDED`])
  expect(await happened(late)).toEqual([`${second(4)} PENDING`, `${second(9)} PROCESSING`, `${second(12)} SUCCEEDED`])
})

test('a callback is answered before time goes on: its receiver sees the world as of that moment', async () => {
  const world = await bench.world()
  const quick = await pay(world)
  const slow = await pay(world, { phoneNumber: '254711000202' })
  const seen: unknown[] = []
  bench.receiver.answer = async ({ body }) => {
    const { now } = await clock(world)
    const { status } = await payment(world, body.requestId)
    const others = await Promise.all(
      [quick, slow].filter((uuid) => uuid !== body.requestId).map((uuid) => payment(world, uuid)),
    )
    seen.push({ now, status, others: others.map((other) => other.status) })
    return 200
  }
  await world.advance('1h')
  expect(seen).toEqual([
    { now: at(2), status: 'SUCCESS', others: ['PENDING'] },
    { now: at(300), status: 'SUCCESS', others: ['SUCCESS'] },
  ])
})

test('what a receiver asks for while it is told happens within the same advance', async () => {
  const world = await bench.world()
  await world.token()
  let next: string | undefined
  bench.receiver.answer = async ({ path }) => {
    if (path === '/callback') next = await pay(world, { callbackUrl: bench.receiver.url('/next') })
    return 200
  }
  await pay(world)
  expect(await world.advance('10s')).toEqual(reached(10, 2, 2))
  expect(await tries(world, next as string)).toEqual([`${at(4)} 200`])
})

test('a failed callback is tried again at exactly the times of its policy', async () => {
  const world = await bench.world()
  bench.receiver.answer = 500
  const uuid = await pay(world)
  expect(await world.advance('1h')).toMatchObject({ steps: 1, callbacks: { delivered: 0, failed: 5 } })

  // Due after 2 s; then 10 s, 1 m, 5 m and 30 m after the attempt before.
  expect(await tries(world, uuid)).toEqual([2, 12, 72, 372, 2172].map((seconds) => `${at(seconds)} 500`))
  const [callback] = (await world.control('GET', '/callbacks')).callbacks
  expect(callback).toMatchObject({ state: 'failed', attempts: 5, nextAttemptAt: null, settledAt: at(2172) })
  expect(new Set(bench.receiver.received.map(({ text }) => text)).size).toBe(1)
})

test('time does not go back, nor beyond what can be counted exactly', async () => {
  const world = await bench.world()
  const refusal = async (body: object) => {
    const answer = await world.raw('POST', '/_mfano/clock/advance', { body })
    expect(answer.status).toBe(400)
    return answer.body.error.details
  }
  expect(await refusal({ to: '2025-01-24T16:27:59' })).toBe(
    `to: must not be before the world's now, ${at(0)}; time does not go back`,
  )
  expect(await refusal({ by: '-5m' })).toContain('by: must be a duration such as 90s')
  expect(await refusal({ to: '9999-12-31T23:59:59.5' })).toContain('must not lead beyond')
  expect(await refusal({ by: '1s', to: '2030-01-01T00:00:00' })).toContain('must have either by')
  expect(await refusal({})).toContain('must have either by')
  expect((await clock(world)).now).toBe(at(0))

  await pay(world)
  expect(await world.control('POST', '/clock/advance', { to: '2254-12-31T23:00:00' })).toMatchObject({
    now: '2254-12-31T23:00:00.000000Z',
    steps: 1,
  })
  expect(await refusal({ by: '2h' })).toBe('by: must not lead beyond 2255-01-01T00:00:00Z')
  expect(await refusal({ by: '52000w' })).toContain('by: must not lead beyond')
})

test.each(['0001-01-01', '1969-12-31T23:59:59', '1970-01-01T00:00:00+03:00', '2255-01-01', '9999-12-31'])(
  'no clock stands at %s',
  async (start) => {
    const world = await bench.world()
    const details = async (method: string, path: string, body: unknown) => {
      const answer = await world.raw(method, `/_mfano${path}`, { body })
      expect([answer.status, answer.text]).toEqual([400, expect.stringContaining(JSON.stringify(start).slice(1, -1))])
      return answer.body.error.details
    }
    const expected = 'must be a time from 1970 to 2254, such as 2025-01-24T16:28:00'
    const made = await fetch(`${bench.simulator.baseUrl}/_mfano/worlds`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ id: 'beyond', clock: { mode: 'frozen', start } }),
    })
    expect([made.status, await made.text()]).toEqual([400, expect.stringContaining(`clock.start: ${expected}`)])
    expect(bench.simulator.worlds.has('beyond')).toBe(false)
    expect(await details('POST', '/scenario/explain', { kind: 'till', request: {}, at: start })).toContain(
      `at: ${expected}`,
    )
    const scenario = `name: beyond\ndescription: d\nextends: default\nclock: { start: "${start}" }\n`
    expect(await details('PUT', '/scenario', scenario)).toContain('is out of range. Expected a time from 1970 to 2254.')
    expect((await clock(world)).now).toBe(at(0))
  },
)

test('a clock that reaches the end of time by itself stands there', async () => {
  const clockThere = { mode: 'scaled', rate: 1_000_000, start: '2254-12-31T23:59:59.999999' }
  const world = await bench.world({ clock: clockThere })
  time.pass(1)
  expect((await clock(world)).now).toBe('2255-01-01T00:00:00.000000Z')
  await pay(world)
  expect(await clock(world)).toMatchObject({
    now: '2255-01-01T00:00:00.000000Z',
    nextDue: '2255-01-01T00:00:02.000000Z',
  })
})

test('advances that come together wait for each other, and everything happens once', async () => {
  const world = await bench.world()
  for (let i = 0; i < 5; i++) await pay(world)
  await pay(world, { phoneNumber: '254711000202' })
  const moments = [1, 400, 3, 2, 300].map((seconds) => ({ to: at(seconds) }))
  const done = await Promise.all(moments.map((moment) => world.control('POST', '/clock/advance', moment)))
  expect(done.reduce((sum, { steps }) => sum + steps, 0)).toBe(6)
  expect(done.reduce((sum, { callbacks }) => sum + callbacks.delivered, 0)).toBe(6)
  expect((await clock(world)).now).toBe(at(400))
  expect(bench.receiver.received).toHaveLength(6)
})

test('a callback that is being told may be asked for again; both attempts are kept', async () => {
  const world = await bench.world()
  await pay(world)
  let asked = false
  bench.receiver.answer = async () => {
    if (!asked) {
      asked = true
      await world.control('POST', '/callbacks/1/redeliver')
    }
    return 200
  }
  expect(await world.advance('10s')).toMatchObject({ callbacks: { delivered: 2, failed: 0 } })
  const { state, tries, nextAttemptAt } = await world.control('GET', '/callbacks/1')
  expect({ state, nextAttemptAt, numbers: tries.map(({ number }: { number: number }) => number) }).toEqual({
    state: 'delivered',
    nextAttemptAt: null,
    numbers: [1, 2],
  })
})

test('a clock changes its mode from the present moment on, and what is due stays due', async () => {
  const world = await bench.world()
  const uuid = await pay(world)
  const told = new Promise<void>((resolve) => {
    bench.receiver.answer = () => {
      resolve()
      return 200
    }
  })
  expect(await world.control('PATCH', '/clock', { mode: 'scaled', rate: 1000 })).toMatchObject({
    mode: 'scaled',
    rate: 1000,
    nextDue: at(2),
  })
  time.pass(2)
  await told
  const frozen = await world.control('PATCH', '/clock', { mode: 'frozen' })
  expect(Date.parse(frozen.now)).toBeGreaterThanOrEqual(Date.parse(at(2)))
  expect((await clock(world)).now).toBe(frozen.now)
  expect((await payment(world, uuid)).status).toBe('SUCCESS')
})

test('steps that fall due within five milliseconds of others are taken together, and that much later at most', async () => {
  const world = await bench.world({ clock: { mode: 'realtime', start: START } })
  const told = new Set<string>()
  let tell = () => {}
  bench.receiver.answer = ({ body }) => {
    told.add(body['requestId'] as string)
    tell()
    return 200
  }
  const hasTold = (uuid: string) =>
    new Promise<void>((resolve) => {
      tell = () => told.has(uuid) && resolve()
      tell()
    })
  const statusOf = async (uuid: string) => (await payment(world, uuid)).status
  const first = await pay(world)
  time.pass(1)
  const [second, third] = [await pay(world), await pay(world)]
  time.pass(1999)
  await hasTold(first)
  time.pass(1)
  expect(await statusOf(second)).toBe('PENDING')
  time.pass(4)
  await hasTold(second)
  await hasTold(third)
  expect(await statusOf(third)).toBe('SUCCESS')
})

test('a running clock can be moved on, and goes on from there', async () => {
  const world = await bench.world({ clock: { mode: 'realtime', start: START } })
  await pay(world, { phoneNumber: '254711000202' })
  const { now, steps } = await world.advance('1h')
  expect(steps).toBe(1)
  expect(Date.parse(now)).toBeGreaterThanOrEqual(Date.parse(at(3600)))
  time.pass(1000)
  expect((await clock(world)).now).toBe(at(3601))
})
