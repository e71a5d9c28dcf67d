/** How requests are taken by their paths, methods, headers and bytes: by default, and under what else is assumed. */
import { type IncomingMessage, request } from 'node:http'
import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { paymentsService } from '../../src/service/service.ts'
import { payoutTo } from '../support/bodies.ts'
import { assuming } from '../support/contract.ts'
import { type TestWorld, useBench } from '../support/harness.ts'
import { needsProcess } from '../support/needs.ts'
import { type Sent, sent } from './assumptions/sent.ts'

const bench = useBench()
const API = '/api/sandbox/v1'
const LIST = `${API}/paybill/all`
type Request = readonly [method: string, path: string, how?: Sent]

function till(remarks = 'Stock', padding = 0): string {
  const callbackUrl = 'https://merchant.example/callback'
  const fields = { businessNumber: '123456', amount: 100, remarks, occasion: 'Monday', callbackUrl }
  return JSON.stringify(fields) + ' '.repeat(padding)
}
const utf8 = (text: string) => new TextEncoder().encode(text)

const pays = (type?: string, body: Uint8Array = utf8(till())): Request => [
  'POST',
  `${API}/till`,
  { ...(type !== undefined && { headers: { 'content-type': type } }), body },
]
const paysJson = (body: Uint8Array) => pays('application/json', body)
const zipped = (): Request => [
  'POST',
  `${API}/till`,
  {
    headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
    body: new Uint8Array(gzipSync(till())),
  },
]
const reads = (path: string, headers?: Record<string, string>): Request => ['GET', path, headers && { headers }]
const anonymous = ([method, path, how]: Request): Request => [method, path, { ...how, anonymous: true }]
const [TYPE, METHOD, SLASH] = ['unsupported-media-type', 'unsupported-method', 'trailing-slash'] as const

/** What is chosen, what is sent, what comes back, and the assumptions that the journal names. */
const cases: [name: string, chosen: Record<string, string>, request: Request, told: string, assumed: string[]][] = [
  ['JSON', {}, pays('application/json'), '201', []],
  ['UTF-8 in capitals', {}, pays('Application/JSON; charset=UTF-8'), '201', []],
  ['a form', {}, pays('application/x-www-form-urlencoded'), '415', [TYPE]],
  ['text', { [TYPE]: '400' }, pays('text/plain;charset=UTF-8'), '400', [TYPE]],
  ['text for JSON', { [TYPE]: 'accept' }, pays('text/plain'), '201', [TYPE]],
  ['no type', {}, pays(), '415', [TYPE]],
  ['no type for JSON', { [TYPE]: 'accept' }, pays(), '201', [TYPE]],
  ['a type like JSON', {}, pays('application/vnd.shop+json; v=1'), '201', []],
  ['a type that only begins like JSON', {}, pays('application/jsonp'), '415', [TYPE]],
  ['a compressed body', {}, zipped(), '415', [TYPE]],
  ['a compressed body, refused otherwise', { [TYPE]: 'accept' }, zipped(), '400', [TYPE]],
  ['a charset', {}, pays('application/json; charset=latin1'), '201', []],
  ['much', {}, paysJson(utf8(till('', 100_000))), '400', ['body-limit']],
  ['too much', { 'body-limit': '100kb' }, paysJson(utf8(till('Stock', 100_000))), '413', ['body-limit']],
  ['far too much', {}, paysJson(utf8(till('Stock', 1_000_000))), '413', ['body-limit']],

  ['an unknown path', {}, anonymous(reads(`${API}/tills`)), '404', []],
  ['an unknown path with a bad token', {}, anonymous(reads(`${API}/tills`, { authorization: 'Bearer x' })), '404', []],
  ['a wrong method', {}, anonymous(['DELETE', `${API}/till`]), '405 POST', [METHOD]],
  ['a wrong method as an unknown path', { [METHOD]: '404' }, ['DELETE', `${API}/till`], '404', [METHOD]],

  ['a slash behind', {}, reads(`${LIST}/`), '404', [SLASH]],
  ['a slash ignored', { [SLASH]: 'same' }, reads(`${LIST}/`), '200', [SLASH]],
  ['a slash redirected', { [SLASH]: '301' }, anonymous(reads(`${LIST}/?a=b`)), `301 ${LIST}?a=b`, [SLASH]],
  ['a slash redirected with its body', { [SLASH]: '308' }, reads(`${LIST}/`), `308 ${LIST}`, [SLASH]],
  ['a slash behind nothing', { [SLASH]: '308' }, reads(`${API}/tills/`), '404', []],
  ['slashes before and behind', { [SLASH]: 'same' }, reads(`/${LIST}//`), '404', []],
  ['an encoded slash', {}, reads(`${API}/paybill%2Fall`), '404', []],
]

/** The one code that comes with a status here. */
const codes: Record<number, RegExp> = {
  401: /^AUTH_(?:MISSING|INVALID)_TOKEN$/,
  403: /^AUTH_FORBIDDEN$/,
  404: /NOT_FOUND/,
}

it.each(cases)('%s', async (_name, chosen, [method, path, how], told, assumed) => {
  const world = await bench.world(assuming(chosen))
  await world.token()
  const { status, code, ...headers } = await sent(world, method, path, how)
  expect([status, ...Object.values(headers)].join(' ')).toBe(told)
  if (status >= 400) expect(code).toMatch(codes[status] ?? /^REQ_(?:BAD_REQUEST|INVALID_FIELD)$/)
  const { requests } = await world.control('GET', '/requests?limit=1')
  expect(requests[0]).toMatchObject({ method, status, assumed })
  const found = await world.control('GET', `/requests?where=${encodeURIComponent('request.assumed.size() > 0')}`)
  expect(found.requests).toHaveLength(assumed.length > 0 ? 1 : 0)
})

const fields = JSON.parse(till())
const json = (body: string, headers?: Record<string, string>): Request => [
  'POST',
  `${API}/till`,
  { headers: { 'content-type': 'application/json', ...headers }, body: utf8(body) },
]
const withHeaders = (headers: Record<string, string>) => json(till(), headers)

it.each<[string, Request, string[]]>([
  ['nothing', withHeaders({ accept: 'application/json, */*;q=0.5', 'accept-language': '*', 'x-trace': '1' }), []],
  ['a field', json(JSON.stringify({ ...fields, colour: 1, shape: { size: null } })), ['colour', 'shape']],
  ['a field that is null', json(JSON.stringify({ ...fields, colour: null, referenceId: null })), ['colour']],
  ['parameters', ['POST', `${API}/till?a=1&b=2`, { ...json(till())[2] }], ['?a', '?b']],
  ['one that comes twice', reads(`${LIST}?a=1&a=2`), ['?a (repeated)', '?a']],
  [
    'preconditions and preferences',
    withHeaders({ 'if-match': '"1"', 'if-none-match': '*', prefer: 'return=minimal', range: 'bytes=0-1' }),
    ['If-Match', 'If-None-Match', 'Prefer', 'Range'],
  ],
  ['a type that no answer has, and cookies', reads(LIST, { accept: 'text/csv', cookie: 'a=b' }), ['Accept', 'Cookie']],
  ['another charset', pays('application/json; charset=latin1'), ['Content-Type: charset']],
  ['UTF-8', pays('application/json; Charset="utf-8"'), []],
  ['keys', withHeaders({ 'idempotency-key': 'k', 'x-idempotency-key': 'k' }), ['Idempotency-Key', 'X-Idempotency-Key']],
  ['another method', withHeaders({ 'x-http-method-override': 'PUT' }), ['X-HTTP-Method-Override']],
  ['a digest', withHeaders({ 'content-digest': 'x', 'content-md5': 'x' }), ['Content-Digest', 'Content-MD5']],
  ['a body', ['POST', `${API}/multiaccount/subscribe`, { body: utf8('{"plan":"gold"}') }], ['body']],
  ['an encoding of nothing', reads(LIST, { 'content-encoding': 'gzip' }), ['Content-Encoding']],
])('names what came and was not read: %s', async (_name, [method, path, how], unreadFields) => {
  const world = await bench.world()
  await world.token()
  expect((await sent(world, method, path, how)).status).toBeLessThan(300)
  expect((await world.control('GET', '/requests?limit=1')).requests[0]).toMatchObject({ unreadFields })
})

it('names a body and trailers that came in chunks', async () => {
  const world = await bench.world()
  const { hostname, port, pathname } = new URL(`${world.baseUrl}${LIST}`)
  const headers = { authorization: `Bearer ${await world.token()}`, trailer: 'x-sum', 'transfer-encoding': 'chunked' }
  const answered = Promise.withResolvers<IncomingMessage>()
  const asked = request({ hostname, port, path: pathname, method: 'GET', headers }, answered.resolve)
  asked.write('{}')
  asked.addTrailers({ 'x-sum': '1' })
  asked.end()
  expect((await answered.promise).resume().statusCode).toBe(200)
  expect((await world.control('GET', '/requests?limit=1')).requests[0].unreadFields).toEqual(['Trailer', 'body'])
})

it('takes a blank text as absent rather than as unknown', async () => {
  const world = await bench.world(assuming({ 'blank-text': 'absent', 'unknown-fields': 'refuse' }))
  const post = (changed: object) => world.post(`${API}/till`, { ...fields, ...changed })
  expect((await post({ referenceId: '' })).status).toBe(201)
  expect((await post({ colour: null })).status).toBe(400)
  expect((await post({ remarks: ' ' })).body.error).toMatchObject({
    code: 'REQ_MISSING_FIELD',
    details: 'remarks: is required, expected a string, got nothing',
  })
  const both = await world.post(`${API}/send-money`, { ...payoutTo(bench.receiver.url()), amount: 0, remarks: '' })
  expect(both.body.error.details).toBe(
    'amount: must be greater than 0, got 0; remarks: is required, expected a text (needed for KSH), got nothing',
  )
})

it('says what is wrong with a compressed body', async () => {
  const world = await bench.world()
  await world.token()
  await sent(world, ...zipped())
  const { requests } = await world.control('GET', '/requests?limit=1')
  expect(JSON.stringify(requests[0].response)).toContain('Content-Encoding: must be left out')
})

it('works on a request once for each Idempotency-Key, or refuses the second', async () => {
  const pay = (world: TestWorld, key: string, changed = {}, token?: string) =>
    world.post(
      `${API}/till`,
      { ...fields, ...changed },
      { headers: { 'idempotency-key': key }, ...(token && { token }) },
    )
  const made = async (world: TestWorld) => (await world.control('GET', '/payments')).total

  const replaying = await bench.world(assuming({ 'idempotency-key': 'replay', 'extra-fields': 'some' }))
  expect((await pay(replaying, 'k-1', { amount: -1 })).status).toBe(400)
  const first = await pay(replaying, 'k-1')
  const again = await pay(replaying, 'k-1')
  expect([again.status, again.text]).toEqual([201, first.text])
  const { requests } = await replaying.control('GET', '/requests?limit=1')
  expect(requests[0]).toMatchObject({
    ...{ payment: first.body.data.requestId, replayed: true, unreadFields: [], assumed: ['idempotency-key'] },
    request: { headers: { 'idempotency-key': 'k-1' } },
  })
  const other = await pay(replaying, 'k-1', { amount: 101 })
  expect([other.status, other.body.error.details]).toEqual([
    409,
    'Idempotency-Key: must be new, got one that was used before, for another request',
  ])
  expect((await pay(replaying, 'k-2')).body.data.requestId).not.toBe(first.body.data.requestId)
  expect(await made(replaying)).toBe(2)

  const refusing = await bench.world(assuming({ 'idempotency-key': 'refuse' }))
  expect((await pay(refusing, 'k-1')).status).toBe(201)
  const second = await pay(refusing, 'k-1')
  expect([second.status, second.body.error]).toMatchObject([409, { code: 'REQ_BAD_REQUEST' }])
  expect(await made(refusing)).toBe(1)

  const ignoring = await bench.world()
  for (const _ of [1, 2]) expect((await pay(ignoring, 'k-1')).status).toBe(201)
  expect(await made(ignoring)).toBe(2)
})

it('repeats the answer that was lost, also when the payment has ended', async (context) => {
  needsProcess('sockets', context)
  const lost = { name: 'lost', on: 'till', nth: 1, then: { after: '1s', end: 'SUCCESS', answer: 'reset' } }
  const world = await bench.world({
    scenario: { ...assuming({ 'idempotency-key': 'replay' }).scenario, rules: [lost] },
  })
  const pay = () => world.post(`${API}/till`, fields, { headers: { 'idempotency-key': 'k-1' } })
  await expect(pay()).rejects.toThrow()
  await world.advance('1m')
  const { status, body } = await pay()
  const { payments, total } = await world.control('GET', '/payments')
  expect([status, total, JSON.stringify(body)]).toEqual([201, 1, expect.stringContaining(payments[0].uuid)])
})

// `Mfano-Rule`: names are whatever somebody writes, and headers are not.

it.each([
  ['half a character', 'net \ud83d'],
  ['the other half', '\udcb8 net'],
  ['a whole one', '💸'],
  ['other letters', 'réseau, 网络'],
  ['lines', 'a\r\nset-cookie: x=1'],
  ['nothing to see', '\u0000\u007f'],
  ['many', '💸'.repeat(59)],
])('names in the answer a rule and a fault of %s', async (_, name) => {
  const world = await bench.world({
    scenario: {
      name: 'named',
      description: 'Strange names.',
      rules: [{ name, on: 'send-money', then: { after: '2s', end: 'SUCCESS' } }],
      faults: [{ name: `!${name}`, on: 'listTillPayments', then: { status: 503 } }],
    },
  })
  const paid = await world.post('/api/sandbox/v1/send-money', payoutTo(bench.receiver.url()))
  const faulty = await world.get('/api/sandbox/v1/till/all')
  expect([paid.status, faulty.status]).toEqual([201, 503])
  expect(paid.headers.get('mfano-rule')).toBe(encodeURI(name.toWellFormed()))
  expect(faulty.headers.get('mfano-rule')).toBe(encodeURI(`!${name.toWellFormed()}`))
  await world.advance('2s')
  const { rule } = await world.control('GET', `/payments/${paid.body.data.requestId}`)
  expect(rule.toWellFormed()).toBe(name.toWellFormed())
})

// Parameters that exist under some choices: read, checked, and in the contract with them alone.

const lists = ['/till/all', '/paybill/all', '/bank/collection/all', '/de-allocations/org/all']

it.each(['constructor', '__proto__', 'toString'])(
  'refuses a field named %s as any other that nobody reads',
  async (name) => {
    const world = await bench.world(assuming({ 'unknown-fields': 'refuse', 'error-body': 'field-list' }))
    const { status, text } = await world.post(`${API}/till`, `{"${name}":1}`)
    expect([status, JSON.parse(text).errors[name]]).toEqual([400, expect.anything()])
  },
)

it('reads the page of a list where lists have pages, and nowhere else', async () => {
  const [without, world] = [await bench.world(), await bench.world(assuming({ 'list-pages': 'twenty' }))]
  for (const path of lists) {
    expect([path, (await without.get(`${API}${path}?page=first`)).status]).toEqual([path, 200])
    expect([path, (await world.get(`${API}${path}?page=0`)).status]).toEqual([path, 200])
    expect([path, (await world.get(`${API}${path}?page=first`)).status]).toEqual([path, 400])
  }
  const { requests } = await without.control('GET', '/requests?limit=1')
  expect(requests[0].unreadFields).toEqual(['?page'])
  const named = (inForce: (typeof world.inside.core.scenario)['assumptions']) => {
    const { paths } = paymentsService.contract({ baseUrl: 'http://localhost', version: '1', assumptions: inForce })
    return paths[`${API}/paybill/all`]?.['get']?.parameters?.map((one) => one.name) ?? []
  }
  expect(named(without.inside.core.scenario.assumptions)).not.toContain('page')
  expect(named(world.inside.core.scenario.assumptions)).toContain('page')
})
