/** How requests are taken by their paths, methods, headers and bytes: by default, and under what else is assumed. */
import { expect, it } from 'vitest'
import { assuming } from '../support/contract.ts'
import { useBench } from '../support/harness.ts'
import { type Sent, sent } from './assumptions/sent.ts'

const bench = useBench()
const API = '/api/sandbox/v1'
const LIST = `${API}/paybill/all`
const SHOP = { origin: 'https://shop.example' }
const PREFLIGHT = { ...SHOP, 'access-control-request-method': 'POST' }

type Request = readonly [method: string, path: string, how?: Sent]

function till(remarks = 'Stock', padding = 0): string {
  const callbackUrl = 'https://merchant.example/callback'
  const fields = { businessNumber: '123456', amount: 100, remarks, occasion: 'Monday', callbackUrl }
  return JSON.stringify(fields) + ' '.repeat(padding)
}
const utf8 = (text: string) => new TextEncoder().encode(text)
const latin1 = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0))

const pays = (type?: string, body: Uint8Array = utf8(till())): Request => [
  'POST',
  `${API}/till`,
  { ...(type !== undefined && { headers: { 'content-type': type } }), body },
]
const paysJson = (body: Uint8Array) => pays('application/json', body)
const reads = (path: string, headers?: Record<string, string>): Request => ['GET', path, headers && { headers }]
const anonymous = ([method, path, how]: Request): Request => [method, path, { ...how, anonymous: true }]
const asks = (headers: Record<string, string> = {}): Request => ['OPTIONS', `${API}/till`, { headers }]

const [TYPE, NO_TYPE, LIKE_JSON] = ['unsupported-media-type', 'missing-media-type', 'json-suffix-types'] as const
const [ORDER, METHOD, OPTIONS] = ['unknown-path-order', 'unsupported-method', 'options-requests'] as const
const [SLASH, SLASHES] = ['trailing-slash', 'double-slash'] as const

/** What is chosen, what is sent, what comes back, and the assumptions that the journal names. */
const cases: [name: string, chosen: Record<string, string>, request: Request, told: string, assumed: string[]][] = [
  ['JSON', {}, pays('application/json'), '201', []],
  ['UTF-8 in capitals', {}, pays('Application/JSON; charset=UTF-8'), '201', []],
  ['a form', {}, pays('application/x-www-form-urlencoded'), '415', [TYPE]],
  ['text', { [TYPE]: '400' }, pays('text/plain;charset=UTF-8'), '400', [TYPE]],
  ['text for JSON', { [TYPE]: 'accept' }, pays('text/plain'), '201', [TYPE]],
  ['no type', {}, pays(), '415', [NO_TYPE, TYPE]],
  ['no type for JSON', { [NO_TYPE]: 'accept' }, pays(), '201', [NO_TYPE]],
  ['a type like JSON', {}, pays('application/vnd.shop+json'), '201', [LIKE_JSON]],
  [
    'a type like JSON, as others',
    { [LIKE_JSON]: 'as-other-types' },
    pays('application/vnd.shop+json'),
    '415',
    [LIKE_JSON, TYPE],
  ],
  ['a charset', {}, pays('application/json; charset=latin1'), '201', ['other-charsets']],
  [
    'a charset, refused',
    { 'other-charsets': '415' },
    pays('application/json; charset="latin1"'),
    '415',
    ['other-charsets'],
  ],
  [
    'a charset of nobody',
    { 'other-charsets': 'honoured' },
    pays('application/json; charset=utf-9'),
    '415',
    ['other-charsets'],
  ],
  ['Latin-1', {}, paysJson(latin1(till('Café'))), '201', ['broken-utf-8']],
  ['Latin-1, refused', { 'broken-utf-8': 'refuse' }, paysJson(latin1(till('Café'))), '400', ['broken-utf-8']],
  ['U+FFFD itself', { 'broken-utf-8': 'refuse' }, paysJson(utf8(till('\uFFFD'))), '201', []],
  ['a byte order mark', {}, paysJson(utf8(`\uFEFF${till()}`)), '201', ['byte-order-mark']],
  ['a mark, refused', { 'byte-order-mark': 'refuse' }, paysJson(utf8(`\uFEFF${till()}`)), '400', ['byte-order-mark']],
  [
    'an Accept with JSON',
    { 'accept-header': '406' },
    reads(LIST, { accept: 'text/html, application/json' }),
    '200',
    [],
  ],
  ['an Accept without', { 'accept-header': '406' }, reads(LIST, { accept: 'text/html' }), '406', ['accept-header']],
  ['much', {}, paysJson(utf8(till('', 100_000))), '400', ['body-limit']],
  ['too much', { 'body-limit': '100kb' }, paysJson(utf8(till('Stock', 100_000))), '413', ['body-limit', 'too-large']],
  [
    'far too much',
    { 'too-large': '400' },
    paysJson(utf8(till('Stock', 1_000_000))),
    '400',
    ['body-limit', 'too-large'],
  ],

  ['an unknown path', {}, anonymous(reads(`${API}/tills`)), '404', [ORDER]],
  ['token first', { [ORDER]: 'token-first' }, anonymous(reads(`${API}/tills`)), '401', [ORDER]],
  ['path second', { [ORDER]: 'token-first' }, reads(`${API}/tills`), '404', [ORDER]],
  [
    'a bad token first',
    { [ORDER]: 'token-first' },
    anonymous(reads(`${API}/tills`, { authorization: 'Bearer x' })),
    '401',
    [ORDER],
  ],
  ['method second', { [ORDER]: 'token-first' }, anonymous(['DELETE', `${API}/till`]), '401', [ORDER]],
  ['no token for tokens', { [ORDER]: 'token-first' }, anonymous(reads('/api/v1/get-token')), '405 POST', [METHOD]],
  ['a wrong method', { [METHOD]: '404' }, ['DELETE', `${API}/till`], '404', [ORDER, METHOD]],

  ['a slash behind', {}, reads(`${LIST}/`), '404', [SLASH, ORDER]],
  ['a slash ignored', { [SLASH]: 'same' }, reads(`${LIST}/`), '200', [SLASH]],
  ['a slash redirected', { [SLASH]: '301' }, reads(`${LIST}/?a=b`), `301 ${LIST}?a=b`, [SLASH, ORDER]],
  [
    'no redirect without a token',
    { [SLASH]: '308', [ORDER]: 'token-first' },
    anonymous(reads(`${LIST}/`)),
    '401',
    [SLASH, ORDER],
  ],
  ['a slash behind nothing', { [SLASH]: '308' }, reads(`${API}/tills/`), '404', [ORDER]],
  ['two slashes', {}, reads(`/${LIST}`), '404', [SLASHES, ORDER]],
  ['two slashes as one', { [SLASHES]: 'same' }, reads(`/${LIST}`), '200', [SLASHES]],
  ['two slashes redirected', { [SLASHES]: '308' }, reads(`/${LIST}`), `308 ${LIST}`, [SLASHES, ORDER]],
  ['two slashes refused', { [SLASHES]: '400' }, anonymous(reads(`/${LIST}`)), '400', [SLASHES]],
  ['slashes before and behind', { [SLASHES]: 'same' }, reads(`/${LIST}//`), '404', [SLASHES, SLASH, ORDER]],
  ['capitals', {}, reads(LIST.toUpperCase()), '404', ['path-case', ORDER]],
  ['capitals ignored', { 'path-case': 'same' }, reads(LIST.toUpperCase()), '200', ['path-case']],
  ['percent-encoding', {}, reads(`${API}/pay%62ill/%61ll`), '200', ['path-encoding']],
  [
    'percent-encoding apart',
    { 'path-encoding': '404' },
    reads(`${API}/paybil%6C/all`),
    '404',
    ['path-encoding', ORDER],
  ],
  ['an encoded slash', {}, reads(`${API}/paybill%2Fall`), '404', [ORDER]],

  ['HEAD', {}, ['HEAD', LIST], '200', ['head-requests']],
  [
    'HEAD as others',
    { 'head-requests': 'as-other-methods' },
    ['HEAD', LIST],
    '405 GET',
    ['head-requests', ORDER, METHOD],
  ],
  ['OPTIONS', {}, asks(), '405 POST', [ORDER, OPTIONS, METHOD]],
  ['OPTIONS answered', { [OPTIONS]: '204' }, anonymous(asks()), '204 POST, OPTIONS', [ORDER, OPTIONS]],
  ['OPTIONS with a token', { [OPTIONS]: '204-with-token' }, asks(), '204 POST, OPTIONS', [ORDER, OPTIONS]],
  ['OPTIONS without', { [OPTIONS]: '204-with-token' }, anonymous(asks()), '401', [ORDER, OPTIONS]],
  ['a page', {}, reads(LIST, SHOP), '200', ['cors']],
  ['a page that may read', { cors: 'any-origin' }, reads(LIST, SHOP), '200 *', ['cors']],
  ['a page that may read why', { cors: 'any-origin' }, anonymous(reads(LIST, SHOP)), '401 *', ['cors']],
  ['a page refused', { cors: 'refuse' }, reads(LIST, SHOP), '403', ['cors']],
  ['a page that asks', { cors: 'any-origin' }, anonymous(asks(PREFLIGHT)), '204 * POST', ['cors']],
  ['a page that asks in vain', {}, anonymous(asks(PREFLIGHT)), '405 POST', ['cors', ORDER, OPTIONS, METHOD]],
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
  if (status >= 400 && method !== 'HEAD') expect(code).toMatch(codes[status] ?? /^REQ_(?:BAD_REQUEST|INVALID_FIELD)$/)
  const { requests } = await world.control('GET', '/requests?limit=1')
  expect(requests[0]).toMatchObject({ method, status, assumed })
  const found = await world.control('GET', `/requests?where=${encodeURIComponent('request.assumed.size() > 0')}`)
  expect(found.requests).toHaveLength(assumed.length > 0 ? 1 : 0)
})
