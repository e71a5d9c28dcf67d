import { expect, it } from 'vitest'
import { useBench } from '../support/harness.ts'

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
