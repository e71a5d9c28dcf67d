/** A rail that changes its mind: what it called failed was done after all, and the books follow where they can. */

import { expect, it } from 'vitest'
import { bodies } from '../../support/bodies.ts'
import { type TestWorld, useBench } from '../../support/harness.ts'

const bench = useBench()

/** A world in which payments fail with a reason, and turn out to be done an hour later. */
function doneAfterAll(wallets: object = {}): Promise<TestWorld> {
  const then = (reason: object) => ({
    after: '5s',
    end: 'FAILED',
    with: reason,
    revise: { after: '1h', end: 'SUCCESS' },
  })
  return bench.world({
    scenario: {
      name: 'done-after-all',
      description: 'What is called failed turns out to be done.',
      wallets,
      rules: [
        { name: 'paid after all', on: 'stk', then: then({ responseCode: 1037, responseDescription: 'No response' }) },
        { name: 'sent after all', on: 'bank-payout', then: then({ errorCode: 'TIMEOUT', errorDesc: 'No answer' }) },
      ],
    },
  })
}

const stk = (callbackUrl: string) => ({ ...bodies.stk(callbackUrl), amount: 400 })
const payout = (callbackUrl: string) => ({ ...bodies.bankPayout(callbackUrl), amount: 400 })

it('brings in the money of a collection that failed, and forgets why it failed', async () => {
  const world = await doneAfterAll()
  const { requestId } = (await world.post('/api/sandbox/v1/stk/new', stk(bench.receiver.url()))).body.data
  const read = async () => (await world.get(`/api/sandbox/v1/stk/single?requestId=${requestId}`)).body.data
  await world.advance('1m')
  expect(await read()).toMatchObject({ status: 'FAILED', responseCode: 1037, responseDescription: 'No response' })
  expect(await world.available()).toBe(1_000_000)

  await world.advance('1h')
  world.logout()
  expect(await read()).toMatchObject({
    status: 'SUCCESS',
    responseCode: 0,
    responseDescription: 'Success. Request accepted for processing',
  })
  expect(await world.available()).toBe(1_000_400)
  expect(bench.receiver.at('/callback').map(({ status }) => status)).toEqual(['FAILED', 'SUCCESS'])
  await world.advance('30d')
  expect((await world.control('GET', `/payments/${requestId}`)).status).toBe('SUCCESS')
})

it('takes the money of a payout that failed a second time', async () => {
  const world = await doneAfterAll()
  const { requestId } = (await world.post('/api/sandbox/v1/bank/payout/new', payout(bench.receiver.url()))).body.data
  await world.advance('1m')
  expect(await world.available()).toBe(1_000_000)
  await world.advance('1h')
  expect(await world.available()).toBe(999_600)
  const { record, transfers } = await world.control('GET', `/payments/${requestId}`)
  expect(record).toMatchObject({ status: 'SUCCESS', errorCode: null, errorDesc: null })
  expect(transfers.map(({ state }: { state: string }) => state)).toEqual(['voided', 'posted'])
})

it('leaves a payout failed when its money was spent meanwhile, and says so in its history', async () => {
  const world = await doneAfterAll({ KES: 500 })
  const { requestId } = (await world.post('/api/sandbox/v1/bank/payout/new', payout(bench.receiver.url()))).body.data
  await world.advance('1m')
  const till = { businessNumber: '400200', amount: 200, remarks: 'Tea', occasion: 'Meeting' }
  await world.post('/api/sandbox/v1/till', { ...till, accountNumber: '1', callbackUrl: bench.receiver.url('/till') })
  await world.advance('2h')
  const { status, timeline } = await world.control('GET', `/payments/${requestId}`)
  expect(status).toBe('FAILED')
  expect(timeline.happened.at(-1)).toMatchObject({ event: 'revise', by: 'plan, but the wallet no longer holds it' })
  expect(await world.available()).toBe(300)
  expect(bench.receiver.at('/callback')).toMatchObject([{ status: 'FAILED' }])
})

it('gives money back once, however often an operator reverses what the plan does after all', async () => {
  const then = { after: '1s', end: 'FAILED', revise: { after: '1s', end: 'SUCCESS' } }
  const rules = [{ name: 'done after all', on: 'till', then }]
  const world = await bench.world({ scenario: { name: 'x', description: 'Failed, then done.', rules } })
  const opening = await world.available()
  const till = { businessNumber: '12345', amount: 200, remarks: 'r', occasion: 'o', callbackUrl: bench.receiver.url() }
  const { body } = await world.post('/api/sandbox/v1/till', till)
  const path = `/payments/${body.data.requestId ?? body.data.uuid}`
  for (let times = 1; times <= 2; times++) {
    await world.advance('10s')
    expect((await world.control('GET', path)).status).toBe('SUCCESS')
    expect(await world.available()).toBe(opening - 200)
    await world.control('POST', `${path}/resolve`, { status: 'FAILED' })
    expect(await world.available()).toBe(opening)
  }
})
