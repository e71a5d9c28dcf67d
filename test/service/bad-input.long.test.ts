import { expect, it } from 'vitest'
import type { z } from 'zod'
import { vocabularyOf } from '../../src/core/vocabulary.ts'
import { paymentsService } from '../../src/service/service.ts'
import { ordinary } from '../core/scenarios/support.ts'
import { payoutTo } from '../support/bodies.ts'
import { type TestWorld, useBench } from '../support/harness.ts'

const bench = useBench()
const path = '/api/sandbox/v1/send-money'
const good = payoutTo('https://merchant.example/callback', { amount: 1000 })

async function untouched(world: TestWorld) {
  expect((await world.control('GET', '/payments')).total).toBe(0)
  expect(await world.available()).toBe(1_000_000)
}

it.each([
  ['0', 0, 'amount: must be greater than 0, got 0'],
  ['three decimals', 1.005, 'amount: must have at most two decimals, got 1.005'],
  ['a huge number', 1e308, 'amount: must be at most 999999999999.99'],
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

const fieldsOf = (kind: string) => vocabularyOf(paymentsService.kinds.of(kind)).get('request')?.fields ?? {}

/** A rule for each kind that reads every field of a request, and never decides. */
const readsAll = Object.keys(ordinary).map((kind) => {
  const compared = Object.entries(fieldsOf(kind)).map(([field, type]) => {
    if (type === 'string') return `request.${field}.startsWith("no such text")`
    return type === 'double' ? `request.${field} == 7` : `has(request.${field}) && 1 > 2`
  })
  const then = { refuse: { code: 'SERVICE_UNAVAILABLE' } }
  return { name: `odd ${kind}`, on: kind, when: compared.join(' || ') || 'false', then }
})

/** In queries. */
const IDS = ['requestId', 'companyId', 'allocationId', 'parentOrganisationId']

it.each([
  '{"toString":1}',
  '{"toString":1,"valueOf":1,"toJSON":1}',
  '[{"toString":1}]',
  // Measured as if it were a text.
  '{"length":{"toString":1}}',
  ...['null', 'true', '1e308', '-1', '"\\u0000"', '[[]]', `"${'💸'.repeat(300)}"`],
])(
  'survives %s in any field of any operation or question, known or not',
  async (odd) => {
    const world = await bench.world({
      scenario: { name: 'odd', description: 'Reads all of a request.', rules: readsAll },
    })
    for (const { id, method, path: at, opens, body } of paymentsService.operations) {
      const example = (opens && ordinary[opens]) || {}
      const fields = method === 'get' ? IDS : Object.keys({ ...example, ...(body as z.ZodObject | undefined)?.shape })
      for (const field of [...fields, 'unknownToAll']) {
        const headers = { authorization: `Bearer ${await world.token()}`, 'device-id': 'x' }
        const path = at.replaceAll(/\{\w+\}/g, '00000000-0000-4000-8000-000000000001')
        const isGet = method === 'get'
        const query = isGet ? `?${new URLSearchParams({ [field]: odd })}` : ''
        const sent = { headers, ...(!isGet && { body: { ...example, [field]: JSON.parse(odd) } }) }
        const { status, text } = await world.raw(method.toUpperCase(), path + query, sent)
        expect([id, field, status < 500, text]).toEqual([id, field, true, text])
      }
    }
    for (const [kind, request] of Object.entries(ordinary))
      for (const field of Object.keys({ ...request, ...fieldsOf(kind) })) {
        const asked = { kind, request: { ...request, [field]: JSON.parse(odd) } }
        const { status, text } = await world.raw('POST', '/_mfano/scenario/explain', { body: asked })
        expect([kind, field, status < 500, text]).toEqual([kind, field, true, text])
      }
    // What was journalled is looked at, too.
    for (const question of [
      'requests?where=body.amount%20%3E%201',
      'scenario/hits',
      'payments',
      'requests?unread=true',
    ])
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
