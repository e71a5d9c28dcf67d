/** A payment of each kind as its merchant sees it, to the byte where that was published: accepted, told, read and listed. */
import { expect, it } from 'vitest'
import { bodies } from '../support/bodies.ts'
import { asContracted, keysOf } from '../support/contract.ts'
import { START, useBench } from '../support/harness.ts'

const bench = useBench()
const api = '/api/sandbox/v1'

interface Kind {
  /** Where it is read; it is made at `create`, if that is another address. */
  path: string
  create?: string
  request: object
  /** Answer and callback, with ID for its id. */
  accepted: string
  told: string
  /** What its record holds before its end, and after. */
  pending: string
  keys: string
  record: object
  /** What its status is answered with. */
  status?: string
  /** In the wallet, of a million. */
  available: number
}

const texts = { remarks: 'Here are the remarks', occasion: 'Here is the occasion' }
const kinds: Record<string, Kind> = {
  'send-money': {
    path: 'send-money',
    request: { phoneNumber: '254712345678', amount: 1000, ...texts },
    accepted:
      '{"status":201,"message":"Success","data":{"requestId":"ID","amount":1000.0,"phoneNumber":"254712345678","status":"PENDING"}}',
    told: '{"requestId":"ID","phoneNumber":"254712345678","status":"SUCCESS","amount":1000.0}',
    pending: '"status":"PENDING","responseCode":0,"receiverName":null,"transactionReceipt":null',
    keys: 'id amount uuid organisation phoneNumber remarks occasion originatorConversationId conversationId callbackUrl createdAt updatedAt status responseCode receiverName transactionReceipt',
    record: {
      ...{ id: 1, phoneNumber: '254712345678', conversationId: '', responseCode: 0 },
      organisation: { id: 1, uniqueReference: '1000001' },
    },
    available: 999_000,
  },
  till: {
    path: 'till',
    request: { businessNumber: '12345', amount: 100, ...texts },
    accepted:
      '{"status":201,"message":"Success","data":{"requestId":"ID","accountNumber":"","businessNumber":"12345","amount":100.0,"status":"PENDING"}}',
    told: '{"accountNumber":"","businessNumber":"12345","requestId":"ID","amount":100.0,"status":"SUCCESS"}',
    pending: '"amount":100.0,',
    keys: 'id amount uuid organisation accountNumber businessNumber remarks occasion originatorConversationId conversationId callbackUrl createdAt updatedAt status responseCode receiverName transactionReceipt responseDescription',
    record: { id: 1, responseDescription: 'Accept the service request successfully.' },
    available: 999_900,
  },
  paybill: {
    path: 'paybill',
    request: { businessNumber: '2232334', accountNumber: '22442244', amount: 1000, ...texts },
    accepted:
      '{"status":201,"message":"Success","data":{"requestId":"ID","accountNumber":"22442244","businessNumber":"2232334","amount":1000.0,"status":"PENDING"}}',
    told: '{"accountNumber":"22442244","businessNumber":"2232334","requestId":"ID","amount":1000.0,"status":"SUCCESS"}',
    pending: '"amount":1000.0,',
    keys: 'id amount uuid organisation accountNumber businessNumber remarks occasion originatorConversationId conversationId callbackUrl createdAt updatedAt status responseCode receiverName responseDescription transactionReceipt',
    record: { id: 1 },
    status:
      '{"accountNumber":"22442244","businessNumber":"2232334","requestId":"ID","amount":1000.0,"status":"SUCCESS"}',
    available: 999_000,
  },
  'bank payout': {
    path: 'bank/payout',
    create: 'bank/payout/new',
    request: {
      ...{ bankCode: '0068', beneficiaryName: 'Recipient User', creditAccountNumber: '01000000000000' },
      ...{ amount: 1000, narration: 'sendToAccount' },
    },
    accepted:
      '{"status":201,"message":"Success","data":{"requestId":"ID","creditAccountNumber":"01000000000000","beneficiaryName":"Recipient User","amount":1000,"status":"PENDING"}}',
    told: '{"accountNumber":"01000000000000","businessNumber":"0068","requestId":"ID","amount":1000,"status":"SUCCESS"}',
    pending: '"amount":1000.0,"service_amount":0.0,"transaction_fee":0.0,"transaction_amount":0.0,',
    keys: 'uuid organisation channel amount service_amount transaction_fee transaction_amount bankCode beneficiaryName creditAccount currency direction narration transactionReference receiverPhoneNumber requestId status statusCode statusDesc originalRequestID endToEndID callbackUrl errorCode errorDesc createdAt updatedAt',
    record: { requestId: null, errorCode: null, transaction_amount: 1000 },
    available: 999_000,
  },
  stk: {
    path: 'stk',
    create: 'stk/new',
    // As published: it breaks the documented limits itself and carries fields of other currencies.
    request: {
      ...{ description: 'Here is the description', accountReference: 'Here is the reference' },
      ...{ phoneNumber: '254700000001', amount: 10, currencyCode: 'KSH', channel: 'TZ-AIRTEL-C2B' },
      ...{ narration: 'MOBILE PAYOUT', customerName: 'Asha' },
    },
    accepted:
      '{"status":201,"message":"Stk request has been accepted for request","data":{"requestId":"ID","phoneNumber":"0700000001","requestedAmount":10.0}}',
    told: '{"requestId":"ID","status":"SUCCESS","amount":10,"phoneNumber":"254700000001"}',
    pending: '"status":"PENDING"',
    keys: 'id uuid merchantRequestId checkoutRequestId phoneNumber description organisation amount status accountReference responseCode responseDescription customerMessage callbackUrl createdAt updatedAt',
    record: {
      ...{ phoneNumber: '0700000001', accountReference: 'Here is the reference' },
      description: 'Here is the description',
    },
    status:
      '{"status":200,"message":"Success","data":{"requestId":"ID","status":"SUCCESS","amount":10,"phoneNumber":"0700000001"}}',
    available: 1_000_010,
  },
}

it.each(Object.entries(kinds))('%s', async (_, kind) => {
  const { path, create = path, accepted, told, pending, keys, record, status, available } = kind
  const world = await bench.world()
  const callbackUrl = bench.receiver.url()
  const made = await world.post(`${api}/${create}`, { ...kind.request, callbackUrl, referenceId: '1234' })
  const { requestId } = made.body.data
  const plain = ({ text }: { text: string }) => text.replaceAll(requestId, 'ID')
  expect(plain(made)).toBe(accepted)
  const query = `requestId=${requestId}&companyId=${world.companyId}`
  const read = async () => {
    const { body, text } = await world.get(`${api}/${path}/single?${query}`)
    // A bank payout comes in an array of one.
    expect(Array.isArray(body.data)).toBe(path === 'bank/payout')
    return { text, records: [body.data].flat() }
  }
  const before = await read()
  expect(before.text).toContain(pending)
  const [{ createdAt, updatedAt }] = before.records
  expect([createdAt, updatedAt]).toEqual([expect.stringMatching(new RegExp(`^${START}\\.\\d{6}$`)), createdAt])
  expect(bench.receiver.received).toEqual([])

  await world.advance('1m')
  expect(bench.receiver.received.map(plain)).toEqual([told])
  expect(bench.receiver.received[0]?.headers['content-type']).toBe('application/json')
  const { records } = await read()
  expect(keysOf(records[0])).toBe(keys)
  expect(records).toMatchObject([{ ...record, uuid: requestId, status: 'SUCCESS', callbackUrl }])
  expect((await world.get(`${api}/${path}/all?companyId=${world.companyId}`)).body.data).toEqual(records)
  if (status) expect(plain(await world.get(`${api}/${path}/status?${query}`))).toContain(status)
  expect(await world.available()).toBe(available)
})

const base = '/api/sandbox/v1/till'
const request = () => bodies.till(bench.receiver.url())

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

it('refuses texts above their published lengths', async () => {
  const long = { ...request(), accountNumber: '12345678901234', remarks: 'x'.repeat(101) }
  const strict = await (await bench.world()).post(base, long)
  expect(strict.body.error.details).toBe(
    'accountNumber: must be at most 13 characters, got 14 characters; remarks: must be at most 100 characters, got 101 characters',
  )
})
