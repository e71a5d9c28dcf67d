import { request } from 'node:http'
import { expect, it } from 'vitest'
import { paymentsService } from '../../src/service/service.ts'
import { ordinary } from '../core/scenarios/support.ts'
import { quarter, quarters } from '../support/fast-check.ts'
import { type TestWorld, useBench } from '../support/harness.ts'

const bench = useBench()
const path = '/api/sandbox/v1/send-money'
const good = {
  phoneNumber: '254712345678',
  amount: 1000,
  remarks: 'r',
  occasion: 'o',
  callbackUrl: 'https://merchant.example/callback',
}

async function untouched(world: TestWorld) {
  expect((await world.control('GET', '/payments')).total).toBe(0)
  expect(await world.available()).toBe(1_000_000)
}

it.each([
  ['0', 0, 'amount: must be greater than 0, got 0'],
  ['less than 0', -5, 'amount: must be greater than 0, got -5'],
  ['three decimals', 1.005, 'amount: must have at most two decimals, got 1.005'],
  ['a huge number', 1e308, 'amount: must be at most 999999999999.99'],
  ['a numeric string', '1000', 'amount: must be a number, got "1000"'],
  ['a boolean', true, 'amount: must be a number, got true'],
  ['an object', { value: 10 }, 'amount: must be a number, got an object'],
])('refuses an amount of %s', async (_name, amount, details) => {
  const world = await bench.world()
  const answer = await world.post(path, { ...good, amount })
  expect(answer.status).toBe(400)
  expect(answer.body.error).toEqual({
    code: 'REQ_INVALID_FIELD',
    message: 'Invalid field value',
    details: expect.stringContaining(details),
  })
  await untouched(world)
})

it.each([
  '{"toString":1}',
  '{"toString":1,"valueOf":1,"toJSON":1}',
  '[{"toString":1}]',
  // Measured as if it were a text.
  '{"length":{"toString":1}}',
])(
  'survives %s, of which no text can be made, in any field of any operation, known or not',
  async (odd) => {
    const world = await bench.world()
    for (const { id, method, path: at, opens } of paymentsService.operations) {
      const example = (opens && ordinary[opens]) || {}
      if (/^get$/i.test(method)) continue
      for (const field of [...Object.keys(example), 'apiKey', 'name', 'references', 'unknownToAll']) {
        const body = { ...example, [field]: JSON.parse(odd) }
        const headers = { authorization: `Bearer ${await world.token()}` }
        const path = at.replaceAll(/\{\w+\}/g, '00000000-0000-4000-8000-000000000001')
        const { status, text } = await world.raw(method, path, { body, headers })
        expect([id, field, status < 500, text]).toEqual([id, field, true, text])
      }
    }
    // What was journalled is looked at, too.
    for (const question of ['requests?where=body.amount%20%3E%201', 'scenario/hits', 'payments', 'requests/unread'])
      await world.control('GET', `/${question}`)
  },
  60_000,
)

it.each([
  ['is empty', '', 'callbackUrl: must be an http or https URL, got ""'],
  [
    'has no scheme',
    'merchant.example/callback',
    'callbackUrl: must be an http or https URL, got "merchant.example/callback"',
  ],
  [
    'is not http',
    'ftp://merchant.example/',
    'callbackUrl: must be an http or https URL, got "ftp://merchant.example/"',
  ],
  [
    'has a user name',
    'https://user:pass@merchant.example/',
    'callbackUrl: must be an http or https URL without a user name and password, got "https://user:***@merchant.example/"',
  ],
  [
    'has an umlaut in its host',
    'https://müller.example/',
    'callbackUrl: must be an http or https URL with an ASCII host, here xn--mller-kva.example, got "https://müller.example/"',
  ],
  [
    'has a blank',
    'https://merchant.example/a b',
    'callbackUrl: must be an http or https URL without blanks, got "https://merchant.example/a b"',
  ],
  ['has no host', 'http://', 'callbackUrl: must be an http or https URL, got "http://"'],
  ['is a number', 7, 'callbackUrl: must be a string, got 7'],
])('refuses a callbackUrl that %s', async (_name, callbackUrl, details) => {
  const world = await bench.world()
  const answer = await world.post(path, { ...good, callbackUrl })
  expect(answer.status).toBe(400)
  expect(answer.body.error.details).toBe(details)
  await untouched(world)
})

it.each([
  ['nothing', '', 400, 'body: expected JSON, got nothing'],
  ['half an object', '{"amount":', 400, 'body: expected JSON, got something else'],
  ['text', 'amount=1000', 400, 'body: expected JSON, got something else'],
  ['an array', '[]', 400, 'body: must be an object, got an array'],
  ['null', 'null', 400, 'body'],
  ['a string', '"x"', 400, 'body: must be an object, got "x"'],
  [
    'two thousand levels',
    `{"a":${'['.repeat(2000)}${']'.repeat(2000)}}`,
    400,
    'body: expected at most 1000 levels of nesting, got more',
  ],
  [
    'more than a megabyte',
    JSON.stringify({ ...good, remarks: 'x'.repeat(1_000_001) }),
    413,
    'body: must be at most 1000000 bytes',
  ],
])('refuses a body that is %s', async (_name, body, status, details) => {
  const world = await bench.world()
  const answer = await world.post(path, body)
  expect(answer.status).toBe(status)
  expect(answer.body.error.details).toContain(details)
  await untouched(world)
})

it('accepts a body below the limit of a megabyte, and long nesting inside of a string', async () => {
  const world = await bench.world()
  const answer = await world.post(path, { ...good, note: '['.repeat(5000) })
  expect(answer.status).toBe(201)
})

it('counts the bytes of a body that does not say how long it is', async () => {
  const world = await bench.world()
  const token = await world.token()
  const status = await new Promise((resolve, reject) => {
    const sent = request(
      world.baseUrl + path,
      { method: 'POST', headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' } },
      (response) => {
        response.resume()
        resolve(response.statusCode)
      },
    )
    sent.on('error', reject)
    sent.write(`{"remarks":"${'x'.repeat(600_000)}`)
    sent.write('x'.repeat(600_000))
    sent.end('"}')
  })
  expect(status).toBe(413)
})

it('reports every wrong field at once', async () => {
  const world = await bench.world()
  const { body } = await world.post(path, { amount: 0, currencyCode: 'USD' })
  expect(body.error.details).toBe(
    'phoneNumber: is required, expected a string, got nothing; amount: must be greater than 0, got 0; currencyCode: must be one of KSH, TZS, UGX, got "USD"',
  )
})

it.each([
  ['text/plain', 415],
  ['application/x-www-form-urlencoded', 415],
  ['application/json; charset=utf-8', 201],
])('judges the content type %s', async (type, status) => {
  const world = await bench.world()
  const answer = await world.post(path, JSON.stringify(good), { headers: { 'content-type': type } })
  expect(answer.status).toBe(status)
})

it('answers unknown paths and wrong methods', async () => {
  const world = await bench.world()
  const unknown = await world.get('/api/sandbox/v1/send-monney')
  expect([unknown.status, unknown.body.error.code]).toEqual([404, 'RESOURCE_NOT_FOUND'])
  const wrong = await world.raw('DELETE', path)
  expect([wrong.status, wrong.headers.get('allow'), wrong.body.error.code]).toEqual([405, 'POST', 'REQ_BAD_REQUEST'])
  const lenient = await bench.world({
    scenario: {
      name: 'spring',
      description: 'Wrong methods look unknown.',
      assumptions: { 'unsupported-method': '404' },
    },
  })
  expect((await lenient.raw('DELETE', path)).status).toBe(404)
})

it.each([
  [
    'nested',
    'a',
    { error: { code: 'AUTH_MISSING_TOKEN', message: 'Authentication token missing', details: expect.any(String) } },
  ],
  [
    'flat',
    'b',
    {
      errorCode: 'AUTH_MISSING_TOKEN',
      message: 'Authentication token missing',
      details: expect.any(String),
      statusCode: '401',
    },
  ],
  [
    'field-list',
    'c',
    { message: 'Authentication token missing', errors: { Authorization: ['Authorization is required'] } },
  ],
])('words errors in the %s form where a scenario assumes it', async (form, _name, expected) => {
  const world = await bench.world({
    scenario: { name: 'errors', description: 'Another error body.', assumptions: { 'error-body': form } },
  })
  expect((await world.raw('POST', path, { body: good })).body).toEqual(expected)
})

const hostile: unknown[] = [
  null,
  true,
  0,
  -1,
  1e308,
  '',
  ' ',
  '\u0000',
  '💸'.repeat(300),
  [],
  {},
  [[]],
  { length: 1 },
  '../../etc/passwd',
  "'; DROP TABLE payment; --",
  '#{7*7}',
]

it.each(quarters)(
  'never answers 500, whatever stands in whichever field, quarter %d',
  async (turn) => {
    const world = await bench.world()
    const token = await world.token()
    for (const operation of paymentsService.operations) {
      const names = fieldsOf(operation.body)
      const target = operation.path.replaceAll(/\{\w+\}/g, '%00')
      const headers = { authorization: `Bearer ${token}`, 'device-id': 'x' }
      if (operation.method === 'get') {
        for (const value of ['', '%', '%00', 'x'.repeat(3000), '00000000-0000-4000-8000-000000000000', "';--"]) {
          const answer = await world.raw(
            'GET',
            `${target}?requestId=${value}&companyId=${value}&allocationId=${value}&parentOrganisationId=${value}`,
            { headers },
          )
          expect(answer.status, `${operation.id} ${value.slice(0, 50)}: ${answer.text}`).toBeLessThan(500)
        }
        continue
      }
      for (const [at, value] of hostile.entries()) {
        const bodies = [
          value,
          Object.fromEntries(names.map((name) => [name, value])),
          ...names.map((name) => ({ ...good, [name]: value })),
        ]
        for (const body of quarter(bodies, at + turn)) {
          const answer = await world.raw(operation.method.toUpperCase(), target, {
            body: JSON.stringify(body) ?? 'null',
            headers,
          })
          expect(answer.status, `${operation.id} ${JSON.stringify(body)?.slice(0, 200)}: ${answer.text}`).toBeLessThan(
            500,
          )
        }
      }
    }
  },
  60_000,
)

function fieldsOf(schema: unknown): string[] {
  const shape = (schema as { shape?: object } | undefined)?.shape
  return shape ? Object.keys(shape) : []
}
