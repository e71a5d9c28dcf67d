import { expect, it } from 'vitest'
import { asContracted, keysOf } from '../support/contract.ts'
import { useBench } from '../support/harness.ts'

const bench = useBench()
const base = '/api/sandbox/v1/paybill'
const request = () => ({
  businessNumber: '2232334',
  accountNumber: '22442244',
  amount: 1000,
  remarks: 'Here are the remarks',
  occasion: 'Here is the occasion',
  callbackUrl: bench.receiver.url(),
  referenceId: '1234',
})

it('pays a paybill, tells the end and shows it', async () => {
  const world = await bench.world()
  const made = await world.post(base, request())
  const { requestId } = asContracted('createPaybillPayment', made).data
  expect(made.text).toBe(
    `{"status":201,"message":"Success","data":{"requestId":"${requestId}","accountNumber":"22442244","businessNumber":"2232334","amount":1000.0,"status":"PENDING"}}`,
  )
  await world.advance('10s')
  expect(bench.receiver.received[0]?.text).toBe(
    `{"accountNumber":"22442244","businessNumber":"2232334","requestId":"${requestId}","amount":1000.0,"status":"SUCCESS"}`,
  )
  const record = asContracted('getPaybillPayment', await world.get(`${base}/single?requestId=${requestId}`)).data
  expect(keysOf(record)).toBe(
    'id amount uuid organisation accountNumber businessNumber remarks occasion originatorConversationId conversationId callbackUrl createdAt updatedAt status responseCode receiverName responseDescription transactionReceipt',
  )
  expect(asContracted('listPaybillPayments', await world.get(`${base}/all`)).data).toEqual([record])
  const status = await world.get(`${base}/status?requestId=${requestId}`)
  asContracted('getPaybillPaymentStatus', status)
  expect(status.text).toContain(
    `{"accountNumber":"22442244","businessNumber":"2232334","requestId":"${requestId}","amount":1000.0,"status":"SUCCESS"}`,
  )
})

it('needs the account under the paybill', async () => {
  const world = await bench.world()
  const { accountNumber: _, ...without } = request()
  const answer = await world.post(base, without)
  expect(answer.status).toBe(400)
  expect(answer.body.error).toEqual({
    code: 'REQ_MISSING_FIELD',
    message: 'Missing required field',
    details: 'accountNumber: is required, expected a string, got nothing',
  })
})
