import { decodeJwt, SignJWT } from 'jose'
import { expect, it } from 'vitest'
import { parseInstant } from '../../src/core/model/time.ts'
import { assuming } from '../support/contract.ts'
import { useBench } from '../support/harness.ts'
import { dataDirectory, startOn } from '../support/restart.ts'

const bench = useBench()
const credentials = { apiKey: 'mfano-key', apiSecret: 'mfano-secret' }
const anyRead = '/api/sandbox/v1/paybill/all'
const error = (code: string, message: string) => ({ error: { code, message, details: expect.any(String) } })

it('exchanges a key and a secret for a token pair, with the status as text', async () => {
  const world = await bench.world()
  const answer = await world.raw('POST', '/api/v1/get-token', { body: credentials })
  expect(answer.status).toBe(200)
  expect(Object.keys(answer.body)).toEqual(['status', 'data'])
  expect(answer.body).toEqual({
    status: '200 OK',
    data: {
      access_token: expect.stringMatching(/^eyJ/),
      refresh_token: expect.stringMatching(/^eyJ/),
      expires_in: 300,
      refresh_expires_in: 1800,
    },
  })
})

it.each([
  [
    'a wrong secret',
    { ...credentials, apiSecret: 'guess' },
    401,
    error('AUTH_INVALID_TOKEN', 'Invalid authentication token'),
  ],
  [
    'an unknown key',
    { ...credentials, apiKey: 'nobody' },
    401,
    error('AUTH_INVALID_TOKEN', 'Invalid authentication token'),
  ],
  ['a missing secret', { apiKey: 'mfano-key' }, 400, error('REQ_MISSING_FIELD', 'Missing required field')],
  ['an empty key', { ...credentials, apiKey: '' }, 400, error('REQ_INVALID_FIELD', 'Invalid field value')],
])('refuses %s', async (_name, body, status, expected) => {
  const world = await bench.world()
  const answer = await world.raw('POST', '/api/v1/get-token', { body })
  expect(answer.status).toBe(status)
  expect(answer.body).toEqual(expected)
})

it.each([
  ['60', 60],
  ['3600', 3600],
])('issues tokens that live %s seconds where a scenario assumes so', async (life, seconds) => {
  const world = await bench.world(assuming({ 'token-life': life }))
  const { data } = (await world.raw('POST', '/api/v1/get-token', { body: credentials })).body
  const { iat = 0, exp } = decodeJwt(data.access_token)
  expect([data.expires_in, data.refresh_expires_in, exp]).toEqual([seconds, 6 * seconds, iat + seconds])
  await world.control('PUT', '/scenario', assuming({}).scenario)
  await world.advance(`${seconds - 1}s`)
  expect((await world.get(anyRead, { token: data.access_token })).status).toBe(200)
  await world.advance('1s')
  expect((await world.get(anyRead, { token: data.access_token })).status).toBe(401)
})

it.each([
  ['no header', undefined, 'AUTH_MISSING_TOKEN', 'Authentication token missing'],
  ['an empty header', '', 'AUTH_MISSING_TOKEN', 'Authentication token missing'],
  ['another scheme', 'Basic bWZhbm8=', 'AUTH_INVALID_TOKEN', 'Invalid authentication token'],
  ['no token after the scheme', 'Bearer', 'AUTH_INVALID_TOKEN', 'Invalid authentication token'],
  ['something that is no token', 'Bearer abc', 'AUTH_INVALID_TOKEN', 'Invalid authentication token'],
])('answers 401 to %s', async (_name, authorization, code, message) => {
  const world = await bench.world()
  const answer = await world.raw('GET', anyRead, authorization === undefined ? {} : { headers: { authorization } })
  expect(answer.status).toBe(401)
  expect(answer.body).toEqual(error(code, message))
})

it('refuses tokens that it did not sign: altered, unsigned, of another world, or a refresh token', async () => {
  const [world, other] = [await bench.world(), await bench.world()]
  const token = await world.token()
  const [header, payload, signature] = token.split('.') as [string, string, string]
  const forged = await new SignJWT({ typ: 'access', number: 1 })
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(world.companyId)
    .setIssuedAt(0)
    .setExpirationTime(2e9)
    .sign(new TextEncoder().encode('a secret of somebody else, long enough'))
  const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.`
  const refresh = (await world.raw('POST', '/api/v1/get-token', { body: credentials })).body.data.refresh_token
  const altered = `${header}.${payload}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`
  for (const wrong of [altered, `${token}.x`, forged, unsigned, await other.token(), refresh]) {
    const answer = await world.get(anyRead, { token: wrong })
    expect(answer.status, wrong).toBe(401)
    expect(answer.body.error.code).toBe('AUTH_INVALID_TOKEN')
  }
})

it('has a refresh call only where a scenario assumes one', async () => {
  const plain = await bench.world()
  const refreshToken = (await plain.raw('POST', '/api/v1/get-token', { body: credentials })).body.data.refresh_token
  expect((await plain.raw('POST', '/api/v1/refresh-token', { body: { refreshToken } })).status).toBe(404)

  const world = await bench.world({
    scenario: { name: 'refreshing', description: 'Tokens can be refreshed.', assumptions: { 'refresh-token': 'on' } },
  })
  const pair = (await world.raw('POST', '/api/v1/get-token', { body: credentials })).body.data
  await world.advance('20m')
  const fresh = await world.raw('POST', '/api/v1/refresh-token', { body: { refreshToken: pair.refresh_token } })
  expect(fresh.status).toBe(200)
  expect((await world.get(anyRead, { token: fresh.body.data.access_token })).status).toBe(200)
  await world.advance('11m')
  expect(
    (await world.raw('POST', '/api/v1/refresh-token', { body: { refreshToken: pair.refresh_token } })).status,
  ).toBe(401)
})

it('gives the same tokens to worlds of the same id and seed: after a reset, after a removal, in another process', async () => {
  const clock = { mode: 'frozen', start: '2025-01-24T16:28:00' }
  const made = { id: 'payroll', seed: 5, clock }
  const world = await bench.world(made)
  const token = await world.token()
  await world.control('POST', '/reset')
  expect((await world.get(anyRead, { token })).status).toBe(200)
  expect(await world.login(credentials)).toBe(token)

  bench.simulator.worlds.remove('payroll')
  expect((await (await bench.world(made)).get(anyRead, { token })).status).toBe(200)
  const elsewhere = await startOn(dataDirectory())
  elsewhere.worlds.create({ id: 'payroll', seed: 5, clock: { mode: 'frozen', startUs: parseInstant(clock.start) } })
  expect(await elsewhere.world('payroll').login(credentials)).toBe(token)

  // Another id or another seed has another key.
  const [sister, other] = [await bench.world({ ...made, id: 'sister' }), await bench.world({ id: 'other', seed: 6 })]
  for (const one of [sister, other]) expect((await one.get(anyRead, { token })).status).toBe(401)
  await world.advance('5m')
  expect((await world.get(anyRead, { token })).status).toBe(401)
})

it('takes a token for the whole of its 300 seconds, whenever in a second they begin', async () => {
  const world = await bench.world({ clock: { mode: 'frozen', start: '2025-01-24T16:28:00.750' } })
  const token = await world.token()
  await world.advance('299s999ms')
  expect((await world.get(anyRead, { token })).status).toBe(200)
  await world.advance('1ms')
  const { status, body } = await world.get(anyRead, { token })
  expect([status, body.error.details]).toEqual([
    401,
    'the token expired at 2025-01-24T16:33:00.75, 300 s after it was issued',
  ])
})
