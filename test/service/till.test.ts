import { expect, it } from 'vitest'
import { asContracted, keysOf } from '../support/contract.ts'
import { useBench } from '../support/harness.ts'

const bench = useBench()
const base = '/api/sandbox/v1/till'
const request = () => ({
  businessNumber: '12345',
  amount: 100,
  remarks: 'Here are the remarks',
  occasion: 'Here is the occasion',
  callbackUrl: bench.receiver.url(),
  referenceId: '1234',
})

it('pays a till, tells the end and shows it', async () => {
  const world = await bench.world()
  const made = await world.post(base, request())
  const { data } = asContracted('createTillPayment', made)
  expect(made.text).toBe(
    `{"status":201,"message":"Success","data":{"requestId":"${data.requestId}","accountNumber":"","businessNumber":"12345","amount":100.0,"status":"PENDING"}}`,
  )

  await world.advance('10s')
  expect(bench.receiver.received.map(({ text }) => text)).toEqual([
    `{"accountNumber":"","businessNumber":"12345","requestId":"${data.requestId}","amount":100.0,"status":"SUCCESS"}`,
  ])
  const read = await world.get(`${base}/single?requestId=${data.requestId}&companyId=${world.companyId}`)
  const record = asContracted('getTillPayment', read).data
  expect(keysOf(record)).toBe(
    'id amount uuid organisation accountNumber businessNumber remarks occasion originatorConversationId conversationId callbackUrl createdAt updatedAt status responseCode receiverName transactionReceipt responseDescription',
  )
  expect(record).toMatchObject({
    id: 1,
    uuid: data.requestId,
    status: 'SUCCESS',
    responseDescription: 'Accept the service request successfully.',
  })
  expect(read.text).toContain('"amount":100.0,')
  expect(await world.available()).toBe(999_900)
})

it('lists with or without companyId, which is checked when sent', async () => {
  const world = await bench.world()
  await world.post(base, request())
  expect(asContracted('listTillPayments', await world.get(`${base}/all`)).data).toHaveLength(1)
  expect(
    asContracted('listTillPayments', await world.get(`${base}/all?companyId=${world.companyId}`)).data,
  ).toHaveLength(1)
  const nobody = '00000000-0000-4000-8000-00000000dead'
  expect((await world.get(`${base}/all?companyId=${nobody}`)).status).toBe(404)
  expect((await world.get(`${base}/all?companyId=nobody`)).status).toBe(400)
})

it('needs requestId and companyId where the specification says so', async () => {
  const world = await bench.world()
  const answer = await world.get(`${base}/status`)
  expect(answer.status).toBe(400)
  expect(answer.body.error).toMatchObject({
    code: 'REQ_MISSING_FIELD',
    details:
      'requestId: is required, expected a string, got nothing; companyId: is required, expected a string, got nothing',
  })
})

it('refuses texts above their published lengths', async () => {
  const long = { ...request(), accountNumber: '12345678901234', remarks: 'x'.repeat(101) }
  const strict = await (await bench.world()).post(base, long)
  expect(strict.body.error.details).toBe(
    'accountNumber: must be at most 13 characters, got 14 characters; remarks: must be at most 100 characters, got 101 characters',
  )
})
