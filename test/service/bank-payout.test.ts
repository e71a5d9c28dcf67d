import { expect, it } from 'vitest'
import { bodies } from '../support/bodies.ts'
import { asContracted, assuming, keysOf } from '../support/contract.ts'
import { useBench } from '../support/harness.ts'
import { everyOne } from './assumptions/sending.ts'

const bench = useBench()
const base = '/api/sandbox/v1/bank/payout'
const request = () => bodies.bankPayout(bench.receiver.url())

it('shows the ids of a bank that a rule gives it', async () => {
  const ids = { requestId: 'REQ-1', originalRequestID: 'ORG-1' }
  const rule = everyOne('bank-payout', { after: '1s', end: 'SUCCESS', with: ids })
  const world = await bench.world({ scenario: { ...assuming({}).scenario, ...rule } })
  const { requestId } = (await world.post(`${base}/new`, request())).body.data
  await world.advance('1m')
  const { data } = asContracted('getBankPayout', await world.get(`${base}/single?requestId=${requestId}`))
  expect(data[0]).toMatchObject({ ...ids, uuid: requestId, status: 'SUCCESS' })
  expect(bench.receiver.received[0]?.body.requestId).toBe(requestId)
})

it('verifies an account only where the unlisted operations are on', async () => {
  const asked = { bankCode: '0025', accountNumber: '00200000000000', callbackUrl: bench.receiver.url() }
  expect((await (await bench.world()).post(`${base}/verify-account`, asked)).status).toBe(404)

  const world = await bench.world(assuming({ 'unlisted-operations': 'on' }))
  const made = await world.post(`${base}/verify-account`, asked)
  const { requestId } = asContracted('verifyBankAccount', made).data
  expect(made.text).toBe(
    `{"status":201,"message":"SUCCESS","data":{"requestId":"${requestId}","creditAccountNumber":"00200000000000","status":"PENDING","amount":0.0}}`,
  )
  const before = await world.available()
  await world.advance('1m')
  expect(keysOf(bench.receiver.received[0]?.body)).toBe(
    'accountNumber requestId statusCode receiverName receiverAccount bankCode status',
  )
  expect(bench.receiver.received[0]?.body).toMatchObject({ requestId, statusCode: '00', status: 'Success' })
  expect(await world.available()).toBe(before)
})

it('tells an account verification once, also where a payout is told while it is PENDING', async () => {
  const world = await bench.world(assuming({ 'unlisted-operations': 'on', 'final-callback': 'pending-too' }))
  const asked = { bankCode: '0025', accountNumber: '00200000000000', callbackUrl: bench.receiver.url() }
  const { requestId } = asContracted('verifyBankAccount', await world.post(`${base}/verify-account`, asked)).data
  await world.advance('1m')
  expect(bench.receiver.received.map(({ body }) => [body.requestId, body.status])).toEqual([[requestId, 'Success']])
  await world.post(`${base}/new`, request())
  await world.advance('1m')
  expect(bench.receiver.received.slice(1).map(({ body }) => body.status)).toEqual(['PENDING', 'SUCCESS'])
})

it('names the holder of a verified account whatever records of payments show, as the sample does', async () => {
  const names: unknown[] = []
  for (const choice of ['filled', 'bare']) {
    const world = await bench.world(assuming({ 'unlisted-operations': 'on', 'success-record': choice }))
    const callbackUrl = bench.receiver.url()
    await world.post(`${base}/verify-account`, { bankCode: '0068', accountNumber: '0123456789', callbackUrl })
    await world.advance('1m')
    names.push(bench.receiver.received.at(-1)?.body.receiverName)
  }
  expect(names[0]).toMatch(/\w/)
  expect(names[1]).toBe(names[0])
})
