// A small test suite of somebody's: five requests. FRAGILE names what it takes for granted.
import assert from 'node:assert/strict'

const { PAYMENTS_BASE_URL, PAYMENTS_KEY, PAYMENTS_SECRET, PAYMENTS_COMPANY, FRAGILE = '' } = process.env

async function ask(method, path, { token, body } = {}) {
  const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) }
  const answer = await fetch(PAYMENTS_BASE_URL + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  return { status: answer.status, text: await answer.text() }
}

const login = await ask('POST', '/api/v1/get-token', { body: { apiKey: PAYMENTS_KEY, apiSecret: PAYMENTS_SECRET } })
assert.equal(login.status, 200)
const token = JSON.parse(login.text).data.access_token

const path = '/api/sandbox/v1/send-money'
const callbackUrl = `${PAYMENTS_BASE_URL}/_mfano/inbox/suite`
const salary = {
  phoneNumber: '254745362174',
  amount: 1000,
  currencyCode: 'KSH',
  remarks: 'Pay',
  occasion: 'Pay',
  callbackUrl,
}
for (const amount of [1000, 2000])
  assert.equal((await ask('POST', path, { token, body: { ...salary, amount } })).status, 201)
const refused = await ask('POST', path, { token, body: { ...salary, amount: -1 } })
assert.equal(refused.status, 400)
const list = await ask('GET', `${path}/all?companyId=${PAYMENTS_COMPANY}`, { token })
assert.equal(list.status, 200)

const nested = JSON.parse(refused.text).error?.code !== undefined
const inOrder = list.text.indexOf('1000.0') < list.text.indexOf('2000.0')
if (FRAGILE === 'errors') assert.ok(nested, 'expected a nested error')
if (FRAGILE === 'both') assert.ok(nested || inOrder, 'expected a nested error, or the oldest first')
if (FRAGILE === 'always') assert.fail('red whatever comes')
