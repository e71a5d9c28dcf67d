import { expect, test } from 'vitest'
import { Receiver, TestWorld, useBench } from '../../support/harness.ts'

// A world file that is uploaded tells nobody at the addresses in it before somebody has said where that goes now.

const bench = useBench()

async function file(world: TestWorld): Promise<BodyInit> {
  return (await fetch(`${bench.simulator.baseUrl}/_mfano/worlds/${world.id}/file`)).arrayBuffer()
}

async function upload(body: BodyInit, callbacks?: string) {
  const query = callbacks === undefined ? '' : `?callbacks=${encodeURIComponent(callbacks)}`
  const response = await fetch(`${bench.simulator.baseUrl}/_mfano/worlds/copied/file${query}`, { method: 'PUT', body })
  // biome-ignore lint/suspicious/noExplicitAny: what a server answers is for the test to judge
  return { status: response.status, body: (await response.json()) as any }
}

/** One callback waits to be retried, and one payment is under way. */
async function halfTold(): Promise<{ world: TestWorld; origin: string; told(): number }> {
  const world = await bench.world({ id: 'shop' })
  bench.receiver.answer = 500
  await bench.pay(world)
  await world.advance('3s')
  await bench.pay(world)
  bench.receiver.answer = 200
  const before = bench.receiver.received.length
  return { world, origin: new URL(bench.receiver.url()).origin, told: () => bench.receiver.received.length - before }
}

test('what says nothing is held: what waits, and what is written later', async () => {
  const { world, origin, told } = await halfTold()
  const { status, body } = await upload(await file(world))
  expect([status, body.callbacks]).toEqual([201, { held: [{ address: origin, waiting: 1, coming: 1 }], rewritten: [] }])
  const copy = new TestWorld(bench.simulator, body)
  expect(await copy.advance('3d')).toMatchObject({ callbacks: { delivered: 0, failed: 0 } })
  expect(told()).toBe(0)
  const { counts, callbacks } = await copy.control('GET', '/callbacks')
  expect(counts).toMatchObject({ held: 2, pending: 0 })
  expect(callbacks).toMatchObject([{ heldFor: 'release' }, { heldFor: 'release', attempts: 1 }])
  const { stopped } = await copy.control('GET', `/payments/${callbacks[0].payment}/explain`)
  expect(JSON.stringify(stopped)).toContain('its address')
  expect(JSON.stringify(stopped)).toContain(`/callbacks/release {\\"from\\":\\"${origin}\\"}`)

  expect(await copy.control('POST', '/callbacks/release', { from: `${origin}/anything` })).toEqual({
    released: 2,
    held: [],
    rewritten: [],
  })
  await copy.advance('0s')
  expect(told()).toBe(2)
  expect((await copy.control('GET', '/callbacks')).counts).toMatchObject({ held: 0, delivered: 2 })
})

test('goes to another host when somebody says so, and keeps what stands behind the host', async () => {
  const { world, origin, told } = await halfTold()
  const another = new Receiver()
  await another.start()
  try {
    const to = new URL(another.url()).origin
    const { body } = await upload(await file(world), `${origin}=${to}`)
    expect(body.callbacks).toEqual({ held: [], rewritten: [{ from: origin, to }] })
    const advance = async (by: string) => {
      const ran = await fetch(`${body.baseUrl}/_mfano/clock/advance`, { method: 'POST', body: JSON.stringify({ by }) })
      const { counts } = await (await fetch(`${body.baseUrl}/_mfano/callbacks`)).json()
      return { ran: await ran.json(), counts }
    }
    // What waited to be retried goes at once, even where nobody moves the clock.
    const { counts } = await advance('0s')
    expect(counts).toMatchObject({ held: 0, pending: 0, delivered: 1 })
    expect(await advance('1h')).toMatchObject({
      ran: { callbacks: { delivered: 1, failed: 0 } },
      counts: { held: 0, pending: 0, delivered: 2 },
    })
    expect(told()).toBe(0)
    expect(another.received.map(({ path }) => path)).toEqual(['/callback', '/callback'])
  } finally {
    await another.stop()
  }
})

test('goes where it was to go when somebody says so, at the times at which it was to go', async () => {
  const { world, told } = await halfTold()
  const { body } = await upload(await file(world), 'as-they-are')
  expect(body.callbacks).toEqual({ held: [], rewritten: [] })
  const advance = (by: string) =>
    fetch(`${body.baseUrl}/_mfano/clock/advance`, { method: 'POST', body: JSON.stringify({ by }) })
  await advance('1s')
  expect(told()).toBe(0)
  await advance('1h')
  expect(told()).toBe(2)
})

test('the inboxes of a world come along, and are told at once', async () => {
  const world = await bench.world({ id: 'shop' })
  await bench.pay(world, { callbackUrl: 'http://far.example:8080/w/shop/_mfano/inbox/payroll' })
  const { body } = await upload(await file(world))
  expect(body.callbacks).toEqual({ held: [], rewritten: [] })
  await fetch(`${body.baseUrl}/_mfano/clock/advance`, { method: 'POST', body: '{"by":"1h"}' })
  const { messages } = await (await fetch(`${body.baseUrl}/_mfano/inbox/payroll`)).json()
  expect(messages).toHaveLength(1)
})

test('of an address that the file does not have, nothing can be said, and no world is made', async () => {
  const { world, origin } = await halfTold()
  const { status, body } = await upload(await file(world), 'https://shop.example=http://localhost:1')
  expect([status, body.error.code]).toEqual([400, 'INVALID_FIELD'])
  expect(body.error.details).toContain(`the file has no address at https://shop.example; it has ${origin}`)
  expect(bench.simulator.worlds.has('copied')).toBe(false)
  for (const wrong of [
    'everywhere',
    'a=b',
    'https://a.example',
    'hold,as-they-are',
    'http://a=http://b,http://a=http://c',
  ])
    expect([wrong, (await upload(await file(world), wrong)).status]).toEqual([wrong, 400])

  const nothing = await world.raw('POST', '/_mfano/callbacks/release', { body: {} })
  expect([nothing.status, nothing.body.error.details]).toEqual([404, expect.stringContaining('nothing is held')])
  const copy = await upload(await file(world))
  const other = await fetch(`${copy.body.baseUrl}/_mfano/callbacks/release`, {
    method: 'POST',
    body: '{"from":"https://shop.example"}',
  })
  expect(other.status).toBe(404)
  expect((await other.json()).error.details).toContain(`what is held is for ${origin}`)
})

test('what one held callback is sent by hand lets no other go', async () => {
  const { world, told } = await halfTold()
  const { body } = await upload(await file(world))
  await fetch(`${body.baseUrl}/_mfano/clock/advance`, { method: 'POST', body: '{"by":"1h"}' })
  const { callbacks } = await (await fetch(`${body.baseUrl}/_mfano/callbacks`)).json()
  await fetch(`${body.baseUrl}/_mfano/callbacks/${callbacks[0].id}/redeliver`, { method: 'POST' })
  await fetch(`${body.baseUrl}/_mfano/clock/advance`, { method: 'POST', body: '{"by":"1h"}' })
  expect(told()).toBe(1)
  const { counts } = await (await fetch(`${body.baseUrl}/_mfano/callbacks`)).json()
  expect(counts).toMatchObject({ held: 1, delivered: 1 })
})
