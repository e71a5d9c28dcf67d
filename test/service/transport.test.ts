/** How requests are taken by their paths, methods, headers and bytes: by default, and under what else is assumed. */
import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { assuming } from '../support/contract.ts'
import { useBench } from '../support/harness.ts'
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
  ['slashes before and behind', { [SLASH]: 'same' }, reads(`/${LIST}//`), '404', [SLASH]],
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

it('names what came and no operation reads, and what is wrong with a compressed body', async () => {
  const world = await bench.world()
  const last = async () => (await world.control('GET', '/requests?limit=1')).requests[0]
  await world.post(`${API}/till`, { ...JSON.parse(till()), colour: 1 }, { headers: { 'idempotency-key': 'k-1' } })
  expect(await last()).toMatchObject({ status: 201, unreadFields: ['Idempotency-Key', 'colour'] })
  await world.post(`${API}/multiaccount/subscribe`, { plan: 'gold' })
  expect(await last()).toMatchObject({ status: 201, unreadFields: ['body'] })
  await sent(world, ...zipped())
  expect(JSON.stringify((await last()).response)).toContain('Content-Encoding: must be left out')
})
