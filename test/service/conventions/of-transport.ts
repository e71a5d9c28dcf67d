/** Conventions about tokens, paths, methods, headers and the bytes of bodies. */

import { bodies } from '../../support/bodies.ts'
import type { TestWorld } from '../../support/harness.ts'
import { subAccountOf, verdict } from '../assumptions/sending.ts'
import { type Sent, sent } from '../assumptions/sent.ts'
import type { Shown } from './of-requests.ts'

const api = '/api/sandbox/v1'
const LIST = `${api}/paybill/all`
const TILL = bodies.till('https://merchant.example/callback')
const utf8 = (text: string) => new TextEncoder().encode(text)
const latin1 = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0))
const typed = (type: string, body: Uint8Array = utf8(JSON.stringify(TILL))): Sent => ({
  headers: { 'content-type': type },
  body,
})

async function statusesOf(world: TestWorld, requests: readonly (readonly [string, string, Sent?])[]) {
  const statuses: number[] = []
  for (const [method, path, how] of requests) statuses.push((await sent(world, method, path, how)).status)
  return statuses
}

export const ofTransport: Readonly<Record<string, Shown>> = {
  'what a token holds': [
    async (world) =>
      (await world.token())
        .split('.')
        .slice(0, 2)
        .map((part) => Object.entries(JSON.parse(Buffer.from(part, 'base64url').toString())))
        .map((entries, i) => (i === 0 ? Object.fromEntries(entries) : entries.map(([name]) => name))),
    [{ alg: 'HS256', typ: 'JWT' }, ['sub', 'typ', 'number', 'iat', 'exp', 'us']],
  ],
  'the refresh token as a bearer token': [
    async (world) => {
      const { apiKey, apiSecret } = world.credentials
      const { body } = await world.raw('POST', '/api/v1/get-token', { body: { apiKey, apiSecret } })
      return verdict(await world.get(LIST, { token: body.data.refresh_token }))
    },
    '401 AUTH_INVALID_TOKEN',
  ],
  'the name and password of a user': [
    async (world) => {
      await subAccountOf(world)
      const { username, password } = bodies.subAccount().user
      return verdict(await world.raw('POST', '/api/v1/get-token', { body: { apiKey: username, apiSecret: password } }))
    },
    '401 AUTH_INVALID_TOKEN',
  ],
  'the word Bearer': [
    async (world) => {
      const authorization = `bearer ${await world.token()}`
      return (await sent(world, 'GET', LIST, { headers: { authorization }, anonymous: true })).status
    },
    200,
  ],
  'the spelling of a path': [
    (world) =>
      statusesOf(world, [
        ['GET', LIST.toUpperCase()],
        ['GET', `/${LIST}`],
        ['GET', `${api}/pay%62ill/%61ll`],
      ]),
    [404, 404, 200],
  ],
  HEAD: [(world) => statusesOf(world, [['HEAD', LIST]]), [200]],
  OPTIONS: [
    async (world) => Object.values(await sent(world, 'OPTIONS', `${api}/till`)),
    [405, 'REQ_BAD_REQUEST', 'POST'],
  ],
  'pages in browsers': [
    async (world) => {
      const { headers, status } = await fetch(world.baseUrl + LIST, {
        headers: { origin: 'https://shop.example', authorization: `Bearer ${await world.token()}` },
      })
      return [status, [...headers.keys()].filter((name) => name.startsWith('access-control'))]
    },
    [200, []],
  ],
  'the order of checks': [
    // The other pairs are in validation.test.ts.
    async (world) => [
      verdict(await world.raw('POST', `${api}/nothing`)),
      verdict(await world.raw('POST', `${api}/till`, { body: 'no JSON' })),
      verdict(await world.post(`${api}/till`, 'no JSON')),
    ],
    ['404 RESOURCE_NOT_FOUND', '401 AUTH_MISSING_TOKEN', '400 REQ_BAD_REQUEST'],
  ],
  'a body without a Content-Type': [
    (world) => statusesOf(world, [['POST', `${api}/till`, { body: utf8(JSON.stringify(TILL)) }]]),
    [415],
  ],
  'types that end in +json': [
    (world) => statusesOf(world, [['POST', `${api}/till`, typed('application/vnd.shop+json')]]),
    [201],
  ],
  'the bytes of a body': [
    (world) =>
      statusesOf(world, [
        ['POST', `${api}/till`, typed('application/json; charset=latin1')],
        ['POST', `${api}/till`, typed('application/json', latin1(JSON.stringify({ ...TILL, remarks: 'Café' })))],
        ['POST', `${api}/till`, typed('application/json', utf8(`\uFEFF${JSON.stringify(TILL)}`))],
        ['POST', `${api}/till`, typed('application/json', utf8(`\uFEFF\uFEFF${JSON.stringify(TILL)}`))],
      ]),
    [201, 201, 201, 400],
  ],
  'a body that is too large': [
    async (world) => {
      const body = utf8(JSON.stringify(TILL).padEnd(1_000_001, ' '))
      return Object.values(await sent(world, 'POST', `${api}/till`, typed('application/json', body)))
    },
    [413, 'REQ_BAD_REQUEST'],
  ],
  'the Accept header': [
    (world) => statusesOf(world, [['GET', LIST, { headers: { accept: 'application/xml' } }]]),
    [200],
  ],
  'a parameter that a query has twice': [
    (world) =>
      statusesOf(world, [
        ['GET', `${api}/send-money/all?companyId=${world.companyId}&companyId=none`],
        ['GET', `${api}/send-money/all?companyId=none&companyId=${world.companyId}`],
      ]),
    [200, 400],
  ],
  'parameters that no source names': [
    async (world) => {
      const { status } = await world.get(`${LIST}?memo=x`)
      const { requests } = await world.control('GET', '/requests?limit=1')
      return [status, requests[0].unreadFields]
    },
    [200, ['?memo']],
  ],
}
