import { expect, it } from 'vitest'
import { paymentsService } from '../../src/service/service.ts'
import { useBench } from '../support/harness.ts'

/** Every operation that the specification names. */
const SPECIFIED = `
POST /api/v1/get-token
POST /api/sandbox/v1/multiaccount/new/organisation
GET /api/sandbox/v1/multiaccount/organisation/all
POST /api/sandbox/v1/allocations/new
POST /api/sandbox/v1/de-allocations/new
POST /api/sandbox/v1/checkout-sessions
POST /api/sandbox/v1/send-money
GET /api/sandbox/v1/send-money/single
GET /api/sandbox/v1/send-money/all
GET /api/v1/tz/spending/single
POST /api/sandbox/v1/till
GET /api/sandbox/v1/till/single
GET /api/sandbox/v1/till/status
POST /api/sandbox/v1/paybill
GET /api/sandbox/v1/paybill/all
POST /api/sandbox/v1/bank/payout/new
GET /api/sandbox/v1/bank/payout/single
GET /api/sandbox/v1/bank/payout/all
GET /api/sandbox/v1/stk/single
GET /api/v1/tz/collections/single
GET /api/sandbox/v1/bank/collection/all`

/** Every operation that only the published reference names. */
const PUBLISHED = `
GET /api/sandbox/v1/checkout-sessions/{checkoutSessionId}
GET /api/sandbox/v1/send-money/status
POST /api/sandbox/v1/stk/new
GET /api/sandbox/v1/stk/status
GET /api/sandbox/v1/stk/all
GET /api/sandbox/v1/till/all
GET /api/sandbox/v1/paybill/status
GET /api/sandbox/v1/paybill/single
GET /api/sandbox/v1/bank/collection/single
POST /api/sandbox/v1/multiaccount/subscribe
PUT /api/sandbox/v1/multiaccount/activate
PUT /api/sandbox/v1/multiaccount/de-activate
GET /api/sandbox/v1/multiaccount/wallet/total/breakdown
GET /api/sandbox/v1/allocations/single/cancel
GET /api/sandbox/v1/allocations/allocations/org/all
GET /api/sandbox/v1/allocations/org/all/admins
GET /api/sandbox/v1/de-allocations/org/all
GET /api/sandbox/v1/de-allocations/org/all/admins
GET /api/sandbox/v1/allocations/sub/org/all
GET /api/sandbox/v1/de-allocations/sub/org/all
POST /api/sandbox/v1/bank/payout/verify-account
POST /api/sandbox/v1/org/wallet-details`

const lines = (text: string) => text.trim().split('\n').sort()
const pathsOf = (basis: string) =>
  paymentsService.operations
    .filter((operation) => operation.basis === basis)
    .map(({ method, path }) => `${method.toUpperCase()} ${path}`)
    .sort()

it('serves what the specification names, no more and no less', () => {
  expect(pathsOf('specified')).toEqual(lines(SPECIFIED))
})

it('serves what the published reference names besides', () => {
  expect(pathsOf('published')).toEqual(lines(PUBLISHED))
})

it('serves what nobody shows only when an assumption turns it on', () => {
  const assumed = paymentsService.operations.filter(({ basis }) => basis === 'assumed')
  expect(assumed.map(({ id, only }) => [id, only?.is])).toEqual([['refreshToken', 'on']])
})

// A path that another provider has, or that is slightly wrong, leads to the operation that is meant.

const bench = useBench()

it.each([
  ['/stk-push', 'POST /api/sandbox/v1/stk/new'],
  ['/mpesa/stkpush/v1/processrequest', 'POST /api/sandbox/v1/stk/new'],
  ['/api/sandbox/v1/send_money', 'POST /api/sandbox/v1/send-money'],
  ['/v1/checkout/sessions', 'POST /api/sandbox/v1/checkout-sessions'],
  ['/oauth/token', 'POST /api/v1/get-token'],
])('POST %s', async (path, meant) => {
  const world = await bench.world()
  const { status, body } = await world.post(path, {})
  expect(status).toBe(404)
  expect(body.error.details).toBe(`nothing is at POST ${path}; did you mean ${meant}?`)
})

it('suggests nothing for a path that shares no word, and nothing of its own pages', async () => {
  const world = await bench.world()
  expect((await world.post('/v1/charges', {})).body.error.details).toBe('nothing is at POST /v1/charges')
  const { status, body } = await world.get('/api/sandbox/v1/nothing')
  expect([status, body.error.details]).toEqual([404, 'nothing is at GET /api/sandbox/v1/nothing'])
})
