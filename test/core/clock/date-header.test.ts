/** Answers and callbacks carry the world's time, so that whoever verifies a token or a signature can take it from there. */
import { createRequire } from 'node:module'
import { jwtVerify, SignJWT } from 'jose'
import { expect, it } from 'vitest'
import { useBench } from '../../support/harness.ts'

// It brings no types.
const jwt = createRequire(import.meta.url)('jsonwebtoken')
const bench = useBench()

it('is in each answer of the service, refusals included, and in each callback', async () => {
  const world = await bench.world()
  const paid = await world.raw('POST', '/api/v1/get-token', { body: world.credentials })
  expect(paid.headers.get('date')).toBe('Fri, 24 Jan 2025 16:28:00 GMT')
  await bench.pay(world)
  await world.advance('1h')
  const refused = await world.raw('POST', '/api/v1/get-token', { body: { apiKey: 'nobody', apiSecret: 'nothing' } })
  expect([refused.status >= 400, refused.headers.get('date')]).toEqual([true, 'Fri, 24 Jan 2025 17:28:00 GMT'])
  expect(bench.receiver.received[0]?.headers.date).toBe('Fri, 24 Jan 2025 16:28:02 GMT')
})

it('is what a token of a world that stands still is verified with', async () => {
  const world = await bench.world()
  await bench.pay(world)
  await world.advance('2s')
  const now = new Date(bench.receiver.received[0]?.headers.date ?? '')
  const secret = new TextEncoder().encode('a secret of thirty-two characters')
  const issuedS = Date.parse('2025-01-24T16:28:00Z') / 1000
  const token = await new SignJWT()
    .setProtectedHeader({ alg: 'HS256' })
    .setIssuedAt(issuedS)
    .setExpirationTime(issuedS + 300)
    .sign(secret)
  await expect(jwtVerify(token, secret)).rejects.toThrow('exp')
  await expect(jwtVerify(token, secret, { currentDate: now })).resolves.toMatchObject({ payload: { iat: issuedS } })
  expect(() => jwt.verify(token, Buffer.from(secret))).toThrow('jwt expired')
  expect(jwt.verify(token, Buffer.from(secret), { clockTimestamp: now.getTime() / 1000 })).toMatchObject({
    iat: issuedS,
  })
})
