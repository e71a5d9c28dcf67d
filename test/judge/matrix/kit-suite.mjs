// A suite with a world for each test, by our own kit, on the mfano that it is told of. FRAGILE: it wants nested errors.
import assert from 'node:assert/strict'
import { mfanoTest } from '../../../src/apps/testing/node.ts'

const { PAYMENTS_BASE_URL: url, FRAGILE } = process.env
const test = mfanoTest({ url })

for (const scenario of [undefined, 'slow-rails'])
  test('it is refused', { world: { scenario } }, async ({ world }) => {
    const answer = await fetch(`${world.baseUrl}/api/sandbox/v1/send-money`, { method: 'POST', body: '{}' })
    const { error } = await answer.json()
    if (FRAGILE) assert.ok(error?.code, 'expected a nested error')
  })

test('it pays', async ({ world }) => {
  const { apiKey, apiSecret } = world.credentials
  const ask = async (path, body, headers) => {
    const request = {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    }
    return (await (await fetch(world.baseUrl + path, request)).json()).data
  }
  const { access_token: token } = await ask('/api/v1/get-token', { apiKey, apiSecret })
  const callbackUrl = world.inbox('paid').url
  const salary = {
    phoneNumber: '254745362174',
    amount: 1000,
    currencyCode: 'KSH',
    remarks: 'Pay',
    occasion: 'Pay',
    callbackUrl,
  }
  const paid = await ask('/api/sandbox/v1/send-money', salary, { authorization: `Bearer ${token}` })
  assert.equal(paid.status, 'PENDING')
  await world.clock.advance('1h')
})
