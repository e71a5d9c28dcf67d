/** A payment that ends when it is asked for often enough. */
import { describe, expect, it } from 'vitest'
import { bodies } from '../../support/bodies.ts'
import { type TestWorld, useBench } from '../../support/harness.ts'
import { faultyWorld, order, SEND_MONEY } from './support.ts'

const bench = useBench()
const untilThird = { until: { poll: 3 }, end: 'SUCCESS', with: { receiverName: 'JANE' } }

it('stays pending until the third read, and ends with it', async () => {
  const world = await faultyWorld(bench, { rules: [{ name: 'polled', on: 'send-money', then: untilThird }] })
  const { body } = await world.post(SEND_MONEY, order(bench))
  const { requestId } = body.data
  await world.advance('30d')
  world.logout()
  // Lists and the operator's view are no polls.
  await world.get(`${SEND_MONEY}/all?companyId=${world.companyId}`)
  expect((await world.control('GET', `/payments/${requestId}`)).status).toBe('PENDING')
  const read = async (way: string) =>
    (await world.get(`${SEND_MONEY}/${way}?requestId=${requestId}&companyId=${world.companyId}`)).body.data
  expect((await read('single')).status).toBe('PENDING')
  expect((await read('status')).status).toBe('PENDING')
  expect(await read('single')).toMatchObject({ status: 'SUCCESS', receiverName: 'JANE' })
  expect((await read('single')).status).toBe('SUCCESS')
  await world.advance('1s')
  expect(bench.receiver.at('/callback')).toMatchObject([{ requestId, status: 'SUCCESS' }])
  expect(await world.available()).toBe(999_000)
  expect((await world.control('GET', `/payments/${requestId}`)).plan.until).toEqual({ poll: 3 })
})

it('fails with the first read, and gives the money back', async () => {
  const then = { until: { poll: 1 }, end: 'FAILED' }
  const world = await faultyWorld(bench, { rules: [{ name: 'polled', on: ['till', 'stk'], then }] })
  const { body } = await world.post('/api/sandbox/v1/till', bodies.till(bench.receiver.url()))
  expect(await world.available()).toBe(999_900)
  const { requestId } = body.data
  const found = await world.get(`/api/sandbox/v1/till/single?requestId=${requestId}&companyId=${world.companyId}`)
  expect(found.body.data.status).toBe('FAILED')
  expect(await world.available()).toBe(1_000_000)
})

it('counts the reads of each payment by themselves', async () => {
  const world = await faultyWorld(bench, { rules: [{ name: 'polled', on: 'send-money', then: untilThird }] })
  const first = (await world.post(SEND_MONEY, order(bench))).body.data.requestId
  const second = (await world.post(SEND_MONEY, order(bench))).body.data.requestId
  const status = async (id: string) => (await world.get(`${SEND_MONEY}/status?requestId=${id}`)).body.data.status
  expect([await status(first), await status(second), await status(first), await status(first)]).toEqual([
    'PENDING',
    'PENDING',
    'PENDING',
    'SUCCESS',
  ])
  expect(await status(second)).toBe('PENDING')
})

describe('a checkout session', () => {
  const SESSIONS = '/api/sandbox/v1/checkout-sessions'
  const polled = (then: object) => faultyWorld(bench, { rules: [{ name: 'polled', on: 'checkout', then }] })
  const open = async (world: TestWorld) =>
    (await world.post(SESSIONS, bodies.checkout(bench.receiver.url()))).body.id as string
  const status = async (world: TestWorld, id: string) => (await world.get(`${SESSIONS}/${id}`)).body.status

  it('ends with the read that the rule says, and does not expire before', async () => {
    const world = await polled({ until: { poll: 3 }, end: 'SUCCEEDED' })
    const id = await open(world)
    await world.advance('2d')
    world.logout()
    expect(await status(world, id)).toBe('PENDING')
    expect(await status(world, id)).toBe('PENDING')
    const { stopped } = await world.control('GET', `/payments/${id}/explain`)
    expect(stopped).toMatchObject({ waitsFor: 'reads', why: expect.stringContaining('and 2 came so far') })
    expect(await status(world, id)).toBe('SUCCEEDED')
    expect(await status(world, id)).toBe('SUCCEEDED')
    await world.advance('1s')
    expect(bench.receiver.at('/callback')).toMatchObject([{ id, status: 'SUCCEEDED' }])
    expect(await world.available()).toBe(1_001_500)
  })

  it('counts the reads while it is processed, once it is paid by itself', async () => {
    const world = await polled({ until: { poll: 2 }, end: 'FAILED', pay: { after: '5s' } })
    const id = await open(world)
    expect(await status(world, id)).toBe('PENDING')
    await world.advance('1h')
    expect((await world.control('GET', `/payments/${id}`)).status).toBe('PROCESSING')
    world.logout()
    expect(await status(world, id)).toBe('FAILED')
    const { story } = await world.control('GET', `/payments/${id}/explain`)
    expect(story.find(({ station }: { station: string }) => station === 'plan').text).toBe(
      'Planned: paid by itself after 5s, then FAILED with read number 2',
    )
  })

  it('expires with a read, unless somebody has paid', async () => {
    const world = await polled({ until: { poll: 1 }, end: 'EXPIRED' })
    expect(await status(world, await open(world))).toBe('EXPIRED')
    const paid = await open(world)
    await world.control('POST', `/payments/${paid}/resolve`, { status: 'PROCESSING' })
    expect(await status(world, paid)).toBe('PROCESSING')
    await world.advance('1m')
    expect(await status(world, paid)).toBe('SUCCEEDED')
  })
})
