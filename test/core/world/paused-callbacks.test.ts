import { expect, test } from 'vitest'
import { TestWorld, useBench } from '../../support/harness.ts'

// A world from a file may have addresses of somebody else, so it sends no callback before somebody resumes them.

const bench = useBench()

async function file(world: TestWorld): Promise<BodyInit> {
  return (await fetch(`${bench.simulator.baseUrl}/_mfano/worlds/${world.id}/file`)).arrayBuffer()
}

async function upload(body: BodyInit, id = 'copied'): Promise<TestWorld> {
  const response = await fetch(`${bench.simulator.baseUrl}/_mfano/worlds/${id}/file`, { method: 'PUT', body })
  expect(response.status).toBe(201)
  const made = await response.json()
  expect(made).toMatchObject({ callbacksPaused: true })
  return new TestWorld(bench.simulator, made)
}

/** One callback waits to be retried, and one payment is under way. */
async function halfTold(): Promise<{ world: TestWorld; told(): number }> {
  const world = await bench.world({ id: 'shop' })
  bench.receiver.answer = 500
  await bench.pay(world)
  await world.advance('3s')
  await bench.pay(world)
  bench.receiver.answer = 200
  const before = bench.receiver.received.length
  return { world, told: () => bench.receiver.received.length - before }
}

const countsOf = async (world: TestWorld) => (await world.control('GET', '/callbacks')).counts

test('what is due and what is written later waits in the outbox until callbacks are resumed', async () => {
  const { world, told } = await halfTold()
  const copy = await upload(await file(world))
  expect(await copy.advance('3d')).toMatchObject({ callbacks: { delivered: 0, failed: 0 } })
  expect(told()).toBe(0)
  const { counts, callbacks } = await copy.control('GET', '/callbacks')
  expect(counts).toMatchObject({ pending: 2, held: 0 })
  expect(callbacks).toMatchObject([
    { state: 'pending', heldFor: 'resume' },
    { state: 'pending', heldFor: 'resume', attempts: 1 },
  ])
  const { stopped } = await copy.control('GET', `/payments/${callbacks[0].payment}/explain`)
  expect(stopped).toMatchObject({ waitsFor: 'operator', why: expect.stringContaining('is paused') })
  expect(JSON.stringify(stopped.next)).toContain('/callbacks/resume')

  expect(await copy.control('POST', '/callbacks/resume')).toEqual({ resumed: true, pending: 2 })
  await copy.advance('0s')
  expect(told()).toBe(2)
  expect(await countsOf(copy)).toMatchObject({ pending: 0, delivered: 2 })
  expect(await copy.control('POST', '/callbacks/resume')).toEqual({ resumed: false, pending: 0 })
  const { worlds } = await (await fetch(`${bench.simulator.baseUrl}/_mfano/worlds`)).json()
  expect(worlds.find(({ id }: { id: string }) => id === 'copied')).toMatchObject({ callbacksPaused: false })
})

test('resumed callbacks are sent although nobody moves the clock', async () => {
  const { world, told } = await halfTold()
  const copy = await upload(await file(world))
  await copy.advance('3d')
  await copy.control('POST', '/callbacks/resume')
  await expect.poll(told).toBe(2)
})

test('time goes on and comes to rest while callbacks are paused', async () => {
  const { world, told } = await halfTold()
  const copy = await upload(await file(world))
  expect(await copy.control('POST', '/clock/settle', { within: '3d' })).toMatchObject({ ended: 'nothing is due' })
  expect(told()).toBe(0)
})

test('a fork, a snapshot and a file of a paused world are paused too', async () => {
  const { world, told } = await halfTold()
  const copy = await upload(await file(world))
  await copy.control('POST', '/snapshots', { name: 'paused' })
  const fork = await bench.world({ id: 'forked', from: 'copied' })
  const again = await upload(await file(copy), 'again')
  await copy.control('POST', '/callbacks/resume')
  await copy.control('POST', '/snapshots/paused/restore')
  for (const one of [copy, fork, again]) {
    await one.advance('1h')
    expect(await countsOf(one)).toMatchObject({ pending: 2, delivered: 0 })
  }
  expect(told()).toBe(0)
})

test('its inboxes and callbacks sent by hand wait too', async () => {
  const world = await bench.world({ id: 'shop' })
  await bench.pay(world, { callbackUrl: 'http://far.example:8080/w/shop/_mfano/inbox/payroll' })
  const copy = await upload(await file(world))
  await copy.advance('1h')
  const messages = async () => (await copy.control('GET', '/inbox/payroll')).messages
  await copy.control('POST', '/callbacks/1/redeliver')
  await copy.advance('1h')
  expect(await messages()).toEqual([])
  await copy.control('POST', '/callbacks/resume')
  await copy.advance('0s')
  expect(await messages()).toHaveLength(2)
})

test('a world that was made here is not paused', async () => {
  const { world, told } = await halfTold()
  expect(await world.control('POST', '/callbacks/resume')).toMatchObject({ resumed: false })
  await world.advance('1h')
  expect(told()).toBe(2)
})
