// A small test suite over HTTPS: an app that pays, and takes its callback at an HTTPS receiver of its own.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'

const { PAYMENTS_BASE_URL, PAYMENTS_KEY, PAYMENTS_SECRET, CALLBACK_CERT, CALLBACK_KEY, SCHEME = 'https' } = process.env
const received = Promise.withResolvers()
const receiver = createServer(
  { cert: readFileSync(CALLBACK_CERT), key: readFileSync(CALLBACK_KEY) },
  (request, answer) => {
    let text = ''
    request.on('data', (chunk) => (text += chunk)).on('end', () => received.resolve(text))
    answer.end()
  },
)
await once(receiver.listen(0, '127.0.0.1'), 'listening')

async function post(path, body, token) {
  const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) }
  const answer = await fetch(PAYMENTS_BASE_URL + path, { method: 'POST', headers, body: JSON.stringify(body) })
  return { status: answer.status, body: await answer.json() }
}

assert.match(PAYMENTS_BASE_URL, /^https:/)
const login = await post('/api/v1/get-token', { apiKey: PAYMENTS_KEY, apiSecret: PAYMENTS_SECRET })
const salary = { phoneNumber: '254745362174', amount: 1000, currencyCode: 'KSH', remarks: 'Pay', occasion: 'Pay' }
const callbackUrl = `${SCHEME}://localhost:${receiver.address().port}/paid`
const paid = await post('/api/sandbox/v1/send-money', { ...salary, callbackUrl }, login.body.data.access_token)
assert.equal(paid.status, 201)
if (SCHEME === 'https') assert.match(await received.promise, /"SUCCESS"/)
receiver.close()
receiver.closeAllConnections()
