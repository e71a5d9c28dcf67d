/** Everything that is wrong with a body is told in one answer, in one manner, whatever the operation. */
import { expect, it } from 'vitest'
import { assuming } from '../support/contract.ts'
import { useBench } from '../support/harness.ts'

const bench = useBench()
const api = '/api/sandbox/v1'

it.each([
  ['send-money', ['phoneNumber', 'amount', 'remarks', 'occasion', 'callbackUrl']],
  ['till', ['businessNumber', 'amount', 'remarks', 'occasion', 'callbackUrl']],
  ['stk/new', ['phoneNumber', 'amount', 'description', 'callbackUrl', 'accountReference']],
  ['allocations/new', ['fromOrganisationId', 'toOrganisationId', 'amount']],
])('names every field that an empty request to %s misses', async (path, fields) => {
  const world = await bench.world(assuming({ 'error-body': 'field-list' }))
  const { body } = await world.post(`${api}/${path}`, {})
  expect(body.errors).toEqual(Object.fromEntries(fields.map((field) => [field, [`${field} is required`]])))
})

it('says what a field needs for its currency beside what is wrong with the others', async () => {
  const world = await bench.world()
  const { body } = await world.post(`${api}/send-money`, {
    phoneNumber: '254712345678',
    currencyCode: 'TZS',
    amount: 999,
    serviceCode: 'X',
    narration: ' ',
  })
  expect(body.error.code).toBe('REQ_INVALID_FIELD')
  expect(body.error.details.split('; ')).toEqual([
    'narration: must not be blank, got " "',
    'firstName: is required, expected a text (needed for TZS), got nothing',
    'lastName: is required, expected a text (needed for TZS), got nothing',
    'callbackUrl: is required, expected a text (needed for TZS), got nothing',
    'phoneNumber: must be 255 and nine digits that start with 6 or 7 for TZS, got "254712345678"',
    'serviceCode: must be one of TZ-TIGO-B2C, TZ-AIRTEL-B2C, TZ-HALOTEL-B2C, got "X"',
  ])
})

it.each(['', '   ', '\n'])('says once that the text %j is blank, needed or not', async (blank) => {
  const world = await bench.world(assuming({ 'error-body': 'field-list' }))
  const callbackUrl = bench.receiver.url()
  const sent = { amount: 100, remarks: blank, occasion: blank, referenceId: blank, callbackUrl }
  const expected = Object.fromEntries(
    ['remarks', 'occasion', 'referenceId'].map((field) => [field, [`${field} must not be blank`]]),
  )
  const payout = await world.post(`${api}/send-money`, { ...sent, phoneNumber: '254712345678' })
  const till = await world.post(`${api}/till`, { ...sent, businessNumber: '12345' })
  expect(payout.body.errors).toEqual(expected)
  expect(till.body.errors).toEqual(expected)
})

it('checks published forms together with types', async () => {
  const world = await bench.world(assuming({ 'error-body': 'field-list', 'documented-limits': 'refuse' }))
  const till = await world.post(`${api}/till`, {
    businessNumber: '1',
    amount: 0,
    remarks: 'x'.repeat(101),
    occasion: 'o',
  })
  expect(Object.values(till.body.errors).flat()).toEqual([
    'amount must be greater than 0',
    'callbackUrl is required',
    'businessNumber must be five to ten digits',
    'remarks must be at most 100 characters',
  ])
  const stk = await world.post(`${api}/stk/new`, {
    phoneNumber: '0700000001',
    amount: 1.5,
    description: 'Here is the description',
    accountReference: 'Here is the reference',
    callbackUrl: bench.receiver.url(),
  })
  expect(Object.keys(stk.body.errors)).toEqual(['amount', 'phoneNumber', 'description', 'accountReference'])
})

it('answers a wrong method and what is wrong with an id in the form of the operations there', async () => {
  const world = await bench.world()
  const wrong = await world.raw('DELETE', `${api}/checkout-sessions`)
  expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'POST'])
  expect(wrong.body).toEqual({ message: 'Bad request', errors: {} })
  expect((await world.raw('PUT', `${api}/checkout-sessions/x`)).body).toEqual({ message: 'Bad request', errors: {} })
  expect((await world.raw('DELETE', `${api}/send-money`)).body).toHaveProperty('error.code', 'REQ_BAD_REQUEST')
})

it('answers every malformed id alike', async () => {
  const world = await bench.world(assuming({ 'checkout-error-body': 'nested', 'reference-lookup': 'off' }))
  const id = 'not-an-id'
  const uuid = await bench.pay(world)
  const answers = await Promise.all([
    ...['send-money/status', 'paybill/single', 'stk/status', 'bank/collection/single'].map((path) =>
      world.get(`${api}/${path}?requestId=${id}`),
    ),
    world.get(`${api}/send-money/single?requestId=${uuid}&companyId=${id}`),
    world.get(`${api}/send-money/all?companyId=${id}`),
    world.get(`${api}/till/all?companyId=${id}`),
    world.get(`${api}/allocations/single/cancel?allocationId=${id}`),
    world.get(`${api}/allocations/org/all/admins?parentOrganisationId=${id}`),
    world.get(`${api}/checkout-sessions/${id}`),
    world.post(`${api}/allocations/new`, { fromOrganisationId: id, toOrganisationId: uuid, amount: 1 }),
  ])
  expect(answers.map((answer) => [answer.status, answer.body.error.code])).toEqual(
    answers.map(() => [400, 'REQ_INVALID_FIELD']),
  )
})
