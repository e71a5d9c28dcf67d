import { expect, it } from 'vitest'
import { asContracted, assuming } from '../support/contract.ts'
import { type TestWorld, useBench } from '../support/harness.ts'

const bench = useBench()
const base = '/api/sandbox/v1/stk'
/** As published: it breaks the documented limits itself and carries fields of other currencies. */
const sample = () => ({
  description: 'Here is the description',
  phoneNumber: '254700000001',
  amount: 10,
  accountReference: 'Here is the reference',
  callbackUrl: bench.receiver.url(),
  currencyCode: 'KSH',
  channel: 'TZ-AIRTEL-C2B',
  referenceId: '1234',
  narration: 'MOBILE PAYOUT',
  customerName: 'Asha',
})

it('warns of documented limits that its own sample breaks, or refuses', async () => {
  const world = await bench.world()
  await world.post(`${base}/new`, sample())
  const { requests } = await world.control('GET', '/requests')
  expect(requests[0].warnings).toEqual([
    'description: must be at most 13 characters as documented, got 23 characters',
    'accountReference: must be at most 12 letters and digits as documented, got "Here is the reference"',
  ])
  expect(requests[0].unreadFields).toEqual(['channel', 'narration', 'customerName'])

  const strict = await (await bench.world(assuming({ 'documented-limits': 'refuse' }))).post(`${base}/new`, sample())
  expect(strict.status).toBe(400)
  expect(strict.body.error.code).toBe('REQ_INVALID_FIELD')
})

it('warns of letters that nobody sees, in what it takes and in what it refuses', async () => {
  const world = await bench.world()
  await world.post(`${base}/new`, { ...sample(), phoneNumber: '0700000001\u200b', description: 'Rent\ufeff May' })
  const { requests } = await world.control('GET', '/requests')
  const invisible = (field: string, letter: string, at: number) =>
    `${field} has an invisible letter: ${letter} at position ${at}. Remove it where the text comes from.`
  expect(requests[0].warnings).toEqual(
    expect.arrayContaining([invisible('phoneNumber', 'U+200B', 11), invisible('description', 'U+FEFF', 5)]),
  )
})

it('takes whole amounts only', async () => {
  const world = await bench.world()
  for (const amount of [10.5, 0, -1, '10']) {
    const answer = await world.post(`${base}/new`, { ...sample(), amount })
    expect(answer.body.error, String(amount)).toMatchObject({
      code: 'REQ_INVALID_FIELD',
      details: expect.stringMatching(/^amount: must be /),
    })
  }
})

it('takes null for what is optional', async () => {
  const world = await bench.world()
  const answer = await world.post(`${base}/new`, { ...sample(), currencyCode: null, channel: null, referenceId: null })
  asContracted('createStkCollection', answer)
})

const device = { headers: { 'Device-Id': 'example-my-device-id' } }

async function payout(world: TestWorld): Promise<string> {
  const { body } = await world.post('/api/sandbox/v1/send-money', {
    phoneNumber: '255700000001',
    amount: 2500,
    currencyCode: 'TZS',
    narration: 'MOBILE PAYOUT',
    firstName: 'Asha',
    lastName: 'Example',
    serviceCode: 'TZ-TIGO-B2C',
    callbackUrl: bench.receiver.url(),
  })
  return body.data.requestId
}

async function collection(world: TestWorld, currencyCode = 'TZS'): Promise<string> {
  const { body } = await world.post('/api/sandbox/v1/stk/new', {
    phoneNumber: currencyCode === 'TZS' ? '255700000001' : '254700000001',
    amount: 10,
    description: 'd',
    accountReference: 'a',
    callbackUrl: bench.receiver.url(),
    currencyCode,
    channel: 'TZ-TIGO-C2B',
  })
  return body.data.requestId
}

it('reads a payout and a collection with the word of the assumption', async () => {
  for (const word of ['PENDING', 'PAYMENT_ACCEPTED']) {
    const world = await bench.world(assuming({ 'tz-status-word': word }))
    const paid = await world.get(`/api/v1/tz/spending/single?requestId=${await payout(world)}`, device)
    expect(asContracted('getTanzaniaPayout', paid).data).toMatchObject({
      status: word,
      remarks: 'MOBILE PAYOUT',
      phoneNumber: '255700000001',
    })
    expect(paid.text).toContain('"message":"SUCCESS"')
    expect(paid.text).toContain('"amount":2500.0,')
    const collected = await world.get(`/api/v1/tz/collections/single?requestId=${await collection(world)}`, device)
    expect(asContracted('getTanzaniaCollection', collected).data).toMatchObject({
      status: word,
      amount: 10,
      phoneNumber: '255700000001',
    })
    await world.advance('1m')
    expect(
      (await world.get(`/api/v1/tz/spending/single?requestId=${await payout(world)}`, device)).body.data.status,
    ).toBe(word)
  }
})

it('needs the Device-Id header', async () => {
  const world = await bench.world()
  for (const path of ['spending', 'collections']) {
    const answer = await world.get(`/api/v1/tz/${path}/single?requestId=x`)
    expect(answer.status).toBe(400)
    expect(answer.body.error).toMatchObject({
      code: 'REQ_MISSING_FIELD',
      details: expect.stringMatching(/^Device-Id: is required/),
    })
  }
})

it('answers with the withdrawn codes where a scenario assumes so', async () => {
  const world = await bench.world(assuming({ 'tz-error-body': 'withdrawn' }))
  const at = '/api/v1/tz/spending/single'
  const unknown = '00000000-0000-4000-8000-00000000ffff'
  const errors = [
    await world.get(at, device),
    await world.get(`${at}?requestId=%20`, device),
    await world.get(`${at}?requestId=${unknown}`, device),
    await world.raw('GET', `${at}?requestId=${unknown}`, device),
  ]
  expect(errors.map(({ body }) => body)).toEqual([
    { status: 400, message: 'INVALID_REQUEST_ID', data: null },
    { status: 400, message: 'INVALID_REQUEST_ID', data: null },
    { status: 404, message: 'NOT_FOUND', data: null },
    { status: 401, message: 'UNAUTHORIZED', data: null },
  ])
})
