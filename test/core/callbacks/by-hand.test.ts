import { expect, it } from 'vitest'
import { type TestWorld, useBench } from '../../support/harness.ts'

const bench = useBench()
const retry = { attempts: 3, backoff: ['10s', '1m'] }

async function worldWithRetries(): Promise<TestWorld> {
  return bench.world({ scenario: { name: 'retrying', description: 'Three attempts.', callbacks: { retry } } })
}

const again = (world: TestWorld) => world.control('POST', '/callbacks/1/redeliver')
const callback = (world: TestWorld) => world.control('GET', '/callbacks/1')

it('sends again without spending a retry: each automatic one comes when it would have come', async () => {
  const world = await worldWithRetries()
  bench.receiver.answer = 500
  await bench.pay(world)
  await world.advance('2s')
  const { nextAttemptAt } = await callback(world)
  await again(world)
  await world.advance('1s')
  expect(await callback(world)).toMatchObject({ state: 'pending', attempts: 2, nextAttemptAt })
  await world.advance('10s')
  await world.advance('1m')
  const { state, tries } = await callback(world)
  expect(state).toBe('failed')
  expect(tries.map(({ byHand }: { byHand: boolean }) => byHand)).toEqual([false, true, false, false])
})

it('needs no retry any more when it was received by hand', async () => {
  const world = await worldWithRetries()
  bench.receiver.answer = 500
  await bench.pay(world)
  await world.advance('2s')
  bench.receiver.answer = 200
  await again(world)
  await world.advance('1h')
  expect(await callback(world)).toMatchObject({ state: 'delivered', attempts: 2, nextAttemptAt: null })
  expect(bench.receiver.received).toHaveLength(2)
})

it('is no new beginning for one that was given up', async () => {
  const world = await worldWithRetries()
  bench.receiver.answer = 500
  await bench.pay(world)
  await world.advance('1h')
  expect(await callback(world)).toMatchObject({ state: 'failed', attempts: 3 })
  await again(world)
  await world.advance('1h')
  expect(await callback(world)).toMatchObject({ state: 'failed', attempts: 4, nextAttemptAt: null })
})

it('stays delivered when it is sent again and turned away', async () => {
  const world = await worldWithRetries()
  await bench.pay(world)
  await world.advance('2s')
  bench.receiver.answer = 409
  await again(world)
  await world.advance('1h')
  expect(await callback(world)).toMatchObject({
    state: 'delivered',
    attempts: 2,
    lastAttempt: { status: 409, error: expect.any(String) },
    tells: 'SUCCESS',
    about: { amount: 100, currency: 'KES' },
  })
})
