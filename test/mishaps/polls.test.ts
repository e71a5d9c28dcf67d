/** A payment that ends when it is asked for often enough. */
import { expect, it } from 'vitest'
import { useBench } from '../support/harness.ts'
import { order, SEND_MONEY, spoiltWorld } from './support.ts'

const bench = useBench()
const untilThird = { until: { poll: 3 }, end: 'SUCCESS', with: { receiverName: 'JANE' } }

it('stays pending until the third read, and ends with it', async () => {
  const world = await spoiltWorld(bench, { rules: [{ name: 'polled', on: 'send-money', then: untilThird }] })
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
  const world = await spoiltWorld(bench, { rules: [{ name: 'polled', on: ['till', 'stk'], then }] })
  const till = {
    businessNumber: '400200',
    accountNumber: '1',
    amount: 100,
    remarks: 'Tea',
    occasion: 'Meeting',
    callbackUrl: bench.receiver.url(),
  }
  const { body } = await world.post('/api/sandbox/v1/till', till)
  expect(await world.available()).toBe(999_900)
  const { requestId } = body.data
  const found = await world.get(`/api/sandbox/v1/till/single?requestId=${requestId}&companyId=${world.companyId}`)
  expect(found.body.data.status).toBe('FAILED')
  expect(await world.available()).toBe(1_000_000)
})

it('counts the reads of each payment by themselves', async () => {
  const world = await spoiltWorld(bench, { rules: [{ name: 'polled', on: 'send-money', then: untilThird }] })
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
