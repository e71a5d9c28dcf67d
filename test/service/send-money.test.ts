import { expect, it } from 'vitest'
import { assuming } from '../support/contract.ts'
import { type TestWorld, useBench } from '../support/harness.ts'
import { everyOne } from './assumptions/sending.ts'

const bench = useBench()
const path = '/api/sandbox/v1/send-money'
const ksh = {
  phoneNumber: '254712345678',
  amount: 1000,
  remarks: 'Here are the remarks',
  occasion: 'Here is the occasion',
}
const tzs = {
  phoneNumber: '255712345678',
  amount: 2500,
  currencyCode: 'TZS',
  narration: 'Payout',
  firstName: 'Asha',
  lastName: 'Example',
  serviceCode: 'TZ-TIGO-B2C',
}
const ugx = {
  phoneNumber: '256771234567',
  amount: 5000,
  currencyCode: 'UGX',
  narration: 'Payout',
  customerName: 'Asha Example',
}

const tzsMinimum = (way: string) => ({ scenario: 'tzs-minimum', parameters: { way } })

/** A body whose amount keeps its digits. */
function exactly(amount: string) {
  return JSON.stringify({ callbackUrl: bench.receiver.url(), ...tzs, amount: 0 }).replace(
    '"amount":0',
    `"amount":${amount}`,
  )
}

async function send(world: TestWorld, body: object = ksh) {
  return world.post(path, { callbackUrl: bench.receiver.url(), ...body })
}

it('shows the conversationId that a rule gives it', async () => {
  const conversationId = 'AG_20250124_0000'
  const rule = everyOne('send-money', { after: '1s', end: 'SUCCESS', with: { conversationId } })
  const world = await bench.world({ scenario: { ...assuming({}).scenario, ...rule } })
  const { requestId } = (await send(world)).body.data
  await world.advance('2s')
  const { data } = (await world.get(`${path}/single?requestId=${requestId}&companyId=${world.companyId}`)).body
  expect(data).toMatchObject({ status: 'SUCCESS', conversationId })
})

it('fills the record of a success', async () => {
  const world = await bench.world()
  const { requestId } = (await send(world, { ...ksh, phoneNumber: '254711000100' })).body.data
  await world.advance('2s')
  const { data } = (await world.get(`${path}/single?requestId=${requestId}&companyId=${world.companyId}`)).body
  expect(data).toMatchObject({
    status: 'SUCCESS',
    receiverName: 'JANE WANJIKU MWANGI',
    transactionReceipt: expect.stringMatching(/^S[0-9A-Z]{9}$/),
  })
  expect(data.updatedAt > data.createdAt).toBe(true)
})

it.each([
  ['the default scenario', {}, 400, 'REQ_INVALID_FIELD', 'amount: must be at least 1000 when TZS'],
  ['own-words', tzsMinimum('own-words'), 400, 'REQ_INVALID_FIELD', 'amount: must be at least 1000 for TZS'],
  ['other-code', tzsMinimum('other-code'), 403, 'PAYMENT_LIMIT_EXCEEDED', expect.any(String)],
])('refuses less than 1,000 TZS by a rule: %s', async (_way, scenario, status, code, details) => {
  const world = await bench.world(scenario)
  const refused = await send(world, { ...tzs, amount: 999.99 })
  expect([refused.status, refused.body.error.code, refused.body.error.details]).toEqual([status, code, details])
  expect((await send(world, { ...tzs, amount: 1000 })).status).toBe(201)
  expect((await world.post(path, exactly('1000.00'))).status).toBe(201)
})

it('lets a scenario accept less than 1,000 TZS, and fail it later', async () => {
  const world = await bench.world(tzsMinimum('later'))
  for (const amount of ['999.99', '1000', '1000.00']) expect((await world.post(path, exactly(amount))).status).toBe(201)
  await world.advance('2s')
  expect(bench.receiver.at('/callback').map(({ status }) => status)).toEqual(['FAILED', 'SUCCESS', 'SUCCESS'])
})

it('names the amount below 1,000 TZS in errors by field', async () => {
  const world = await bench.world(assuming({ 'error-body': 'field-list' }))
  const { body } = await send(world, { ...tzs, amount: 999 })
  expect(body.errors).toEqual({ amount: ['amount must be at least 1000 when TZS'] })
})

it('takes only fields of the request in what a rule says about one', async () => {
  const world = await bench.world()
  const refuse = { code: 'REQ_INVALID_FIELD', field: 'amonut', details: 'must be odd' }
  const rules = [{ name: 'odd', on: 'send-money', then: { refuse } }]
  const scenario = { name: 'odd', description: 'Odd.', extends: 'default', rules }
  const { problems } = await world.control('POST', '/scenario/lint', scenario)
  expect(problems).toMatchObject([
    { path: 'rules[0].then.refuse.field', message: expect.stringMatching(/^"amonut" is not a field .+ "amount"\?$/) },
  ])
})

it.each([
  ['KSH', ksh],
  ['TZS', tzs],
  ['UGX', ugx],
])('pays out in %s', async (_currency, body) => {
  const world = await bench.world()
  expect((await send(world, body)).status).toBe(201)
  await world.advance('1m')
  expect(bench.receiver.at('/callback')).toMatchObject([{ status: 'SUCCESS', phoneNumber: body.phoneNumber }])
})

it('says which currencies there are, and which numbers are of them', async () => {
  const world = await bench.world()
  const detailsOf = async (change: object) => (await send(world, { ...ksh, ...change })).body.error.details
  expect(await detailsOf({ currencyCode: 'USD' })).toBe('currencyCode: must be one of KSH, TZS, UGX, got "USD"')
  expect(await detailsOf({ phoneNumber: '+254712345678' })).toBe(
    'phoneNumber: must be 254 and nine digits that start with 7 or 1 for KSH, got "+254712345678"',
  )
})

it('refuses more than the wallet holds, and keeps nothing of it', async () => {
  const world = await bench.world()
  const answer = await send(world, { ...ksh, amount: 1_000_000.01 })
  expect(answer.status).toBe(402)
  expect(answer.body.error).toEqual({
    code: 'INSUFFICIENT_FUNDS',
    message: 'Insufficient funds',
    details: "amount: 1000000.01 KES is more than the wallet's 1000000.0 KES",
  })
  expect((await world.control('GET', '/payments')).total).toBe(0)
  expect((await send(world, { ...ksh, amount: 1_000_000 })).status).toBe(201)
})
