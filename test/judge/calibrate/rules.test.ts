/** What a calibration never does, whatever its probes ask and whatever the service answers. */

import { describe, expect, it } from 'vitest'
import { whyNotAsked, whyNotSent } from '../../../src/judge/calibrate/calibrator.ts'
import { type CalibrateOptions, calibrationDocument, startReceiver } from '../../../src/judge/calibrate.ts'
import { useBench } from '../../support/harness.ts'
import { accountIn, accountWithPast } from './account.ts'
import { calibrated, holdings } from './trials.ts'

const bench = useBench()
/** As the probes name it. */
const NOBODY = '00000000-0000-4000-8000-0000000bad1d'
const FAR_ABOVE = 900_000_000_000
const API = '/api/sandbox/v1'

/** The front of the hidden mfano, with some answers changed on their way. */
function answering(change: (request: Request) => Response | undefined): CalibrateOptions['fetch'] {
  return async (address, init) => {
    const request = new Request(address, init)
    return change(request.clone()) ?? bench.simulator.fetch(address, init)
  }
}

const json = (status: number, body: object) => new Response(JSON.stringify(body), { status })

it('goes on whatever is sent to its receiver, and reads no more than a callback can hold', async () => {
  const receiver = await startReceiver(0, '127.0.0.1')
  const send = (path: string, body = '{}') =>
    fetch(`http://127.0.0.1:${receiver.port}${path}`, { method: 'POST', body }).then(
      ({ status }) => status,
      () => 'closed',
    )
  expect(await send('/answer/000/x')).toBe(200)
  expect(await send('/answer/101/x')).toBe(200)
  expect(await send('/large', 'x'.repeat(2 * 1024 ** 2))).toBe('closed')
  expect(await send('/answer/503/x')).toBe(503)
  const taken = await receiver.awaited({ callbacksAt: '/large', atLeast: 0, withinMs: 1 })
  expect(taken).toEqual([])
  for (let n = 0; n < 600; n += 50) await Promise.all(Array.from({ length: 50 }, () => send('/many')))
  expect(await send('/many')).toBe(503)
  expect(await receiver.awaited({ callbacksAt: '/many', atLeast: 0, withinMs: 1 })).toHaveLength(497)
  await receiver.close()
})

it.each([
  ['that never ends', () => new Response(endless()), 'expected at most 67108864 bytes, got more'],
  [
    'that is nested deeply',
    () => new Response('['.repeat(200_000)),
    'get-token answered 200 to the key of the merchant',
  ],
])('reads no more of an answer %s than it can hold', async (_, said, why) => {
  const hidden = accountIn(await bench.world())
  const { stopped } = await calibrated(async () => said(), hidden)
  expect(stopped).toMatchObject({ code: 'unreachable', why: expect.stringContaining(why) })
})

/** Megabytes, as long as somebody reads. */
function endless(): ReadableStream {
  const part = new Uint8Array(1024 ** 2)
  return new ReadableStream({ pull: (to) => to.enqueue(part) })
}

describe('addresses and paths', () => {
  it.each([
    ['https://api.provider.example', undefined],
    ['http://localhost:8080/w/mine', undefined],
    ['http://127.0.0.1:8080', undefined],
    ['https://api.provider.example/live', /something else than the sandbox/],
    ['http://api.provider.example', /could read the key/],
    ['ftp://api.provider.example', /expected an address/],
  ])('%s', (address, why) => {
    if (why) expect(whyNotAsked(address, false)).toMatch(why)
    else expect(whyNotAsked(address, false)).toBeUndefined()
    if (!address.startsWith('ftp')) expect(whyNotAsked(address, true)).toBeUndefined()
  })

  it('sends nothing but to the sandbox, and nothing free that could make something', () => {
    const may = (method: string, path: string, more: object = {}) => whyNotSent({ method, path, ...more }, 'free')
    expect(may('GET', '/api/v1/send-money/all')).toMatch(/no path of the sandbox/)
    expect(may('GET', `/${API}/paybill/all`)).toBeUndefined()
    expect(may('GET', '/API/sandbox/v1/PayBill/all')).toBeUndefined()
    expect(may('GET', '/api/sandbox/../v1/till')).toMatch(/no path of the sandbox/)
    expect(may('POST', '/api/v1/tz/spending/single')).toMatch(/no path of the sandbox/)
    expect(may('POST', `${API}/till`)).toMatch(/could make something/)
    expect(may('POST', `${API}/till`, { doom: 'impossible-amount' })).toBeUndefined()
    expect(whyNotSent({ method: 'POST', path: `${API}/till` }, 'payment')).toBeUndefined()
  })
})

/** Whether no service can do it, whichever fields it requires. */
function isImpossible(sent: Record<string, unknown>): boolean {
  const isNobodys = [sent['fromOrganisationId'], sent['toOrganisationId']].includes(NOBODY)
  return (
    isNobodys || Number(sent['amount']) >= FAR_ABOVE || (sent['email'] !== undefined && !/@/.test(`${sent['email']}`))
  )
}

it('sends nothing free that a service could do, whichever fields are added to it', async () => {
  const hidden = await accountWithPast(bench, { withSubAccount: true })
  const contract = await (await bench.simulator.fetch(`${hidden.baseUrl}/openapi.json`)).json()
  const sent: { path: string; headers: Headers; body: Record<string, unknown> }[] = []
  await calibrated(bench.simulator.fetch, hidden, {
    fetch: async (address, init) => {
      const request = new Request(address, init)
      const path = new URL(request.url).pathname.replace(`/w/${hidden.id}`, '')
      if (request.method === 'POST' && path.startsWith(API)) {
        const { headers } = request
        sent.push({ path, headers, body: await request.clone().json() })
      } else
        expect([`GET ${path}`, `POST /api/v1/get-token`, `POST /api/v1/refresh-token`, `DELETE ${API}/till`]).toContain(
          `${request.method} ${path}`,
        )
      return bench.simulator.fetch(address, init)
    },
  })
  expect(sent.length).toBeGreaterThan(20)
  expect(sent.filter(({ body }) => !isImpossible(body))).toEqual([])
  const before = holdings(bench.simulator, hidden)
  for (const { path, headers, body } of sent) {
    const { example } = contract.paths[path].post.requestBody.content['application/json']
    const user = example.user && { user: { ...example.user, ...(body['user'] as object) } }
    const whole = JSON.stringify({ ...example, ...body, ...user })
    const { status } = await bench.simulator.fetch(`${hidden.baseUrl}${path}`, { method: 'POST', headers, body: whole })
    expect([path, whole, status >= 400]).toEqual([path, whole, true])
  }
  expect(holdings(bench.simulator, hidden)).toBe(before)
})

it('stops at the first request that was certain to be refused and is not', async () => {
  const hidden = await accountWithPast(bench, { withSubAccount: true })
  let posts = 0
  let after = 0
  const report = await calibrated(bench.simulator.fetch, hidden, {
    fetch: answering(({ url, method }) => {
      if (posts > 0) after++
      if (method !== 'POST' || url.endsWith('get-token')) return undefined
      posts++
      return json(201, { status: 201, message: 'Success', data: { status: 'PENDING' } })
    }),
  })
  expect([posts, after]).toEqual([1, 0])
  expect(report).toMatchObject({ accepted: 1, payments: 0, stopped: { code: 'accepted', evidence: [{ status: 201 }] } })
  const { lead, verdict } = calibrationDocument(report)
  expect(verdict.mood).toBe('bad')
  expect(lead.join('\n')).toContain('\n1 request that was to be refused was accepted. Look in your account')
  expect(report.stopped?.why).toMatch(
    /allocations\/new was certain to be refused \(impossible-amount\), and was answered 201/,
  )
  expect(report.answers.every(({ verdict }) => verdict !== 'holds')).toBe(true)
})

it('stops where a list shows what nobody was to make', async () => {
  const hidden = await accountWithPast(bench, { withSubAccount: true })
  let refused = false
  const report = await calibrated(bench.simulator.fetch, hidden, {
    fetch: answering(({ url, method }) => {
      if (method === 'POST' && url.endsWith('/allocations/new')) refused = true
      const isList = url.endsWith('/allocations/allocations/org/all')
      const made = { status: 'SUCCESS', requestId: '00000000-0000-4000-8000-00000000feed', amount: 1 }
      return refused && isList ? json(200, { status: 200, message: 'SUCCESS', data: [made] }) : undefined
    }),
  })
  expect(report.stopped?.code).toBe('moved')
  expect(report.stopped?.why).toContain('00000000-0000-4000-8000-00000000feed')
  expect(report.stopped?.evidence).toHaveLength(3)
})

it('keeps no key and no token', async () => {
  const hidden = await accountWithPast(bench, { withSubAccount: true })
  const report = await calibrated(bench.simulator.fetch, hidden)
  const text = JSON.stringify(report)
  expect(text).not.toContain(hidden.world.credentials.apiSecret)
  expect(text).not.toContain(hidden.world.credentials.apiKey)
  expect(text).not.toMatch(/eyJ/)
})

it('spends no more than its budget, and keeps what it knows when it is stopped or interrupted', async () => {
  const hidden = await accountWithPast(bench, { withSubAccount: true })
  const heldIn = ({ answers }: Awaited<ReturnType<typeof calibrated>>) =>
    answers.filter(({ verdict }) => verdict === 'holds').map(({ assumption }) => assumption)
  const short = await calibrated(bench.simulator.fetch, hidden, { requests: 30 })
  expect(short).toMatchObject({ requests: 30, stopped: { code: 'budget' } })
  expect(heldIn(short).length).toBeGreaterThan(5)
  const interruption = new AbortController()
  const more = await calibrated(bench.simulator.fetch, hidden, {
    signal: interruption.signal,
    answered: ({ assumption }) => {
      if (assumption === 'tz-error-body') interruption.abort()
    },
  })
  expect(more.stopped?.code).toBe('interrupted')
  expect(heldIn(more)).toContain('tz-error-body')
})

it('keeps to its pace from each request to the next', async () => {
  let [nowMs, tookMs] = [0, 0]
  const pausesMs: number[] = []
  await calibrated(bench.simulator.fetch, accountIn(await bench.world()), {
    ...{ paceMs: 100, requests: 5, nowMs: () => nowMs, pause: async (ms) => void pausesMs.push(ms) },
    fetch: (address, init) => {
      tookMs += 40
      nowMs += tookMs
      return bench.simulator.fetch(address, init)
    },
  })
  expect(pausesMs).toEqual([60, 20])
})

it('says that a service which answers as two is unstable', async () => {
  const hidden = await accountWithPast(bench, { withSubAccount: true })
  let asked = 0
  const report = await calibrated(bench.simulator.fetch, hidden, {
    fetch: answering(({ url, method }) =>
      method === 'DELETE' && url.endsWith('/till') && ++asked === 1 ? json(404, {}) : undefined,
    ),
  })
  expect(report.answers.find(({ assumption }) => assumption === 'unsupported-method')).toMatchObject({
    verdict: 'unstable',
    why: 'asked twice, the service answered as 404 and as 405',
  })
})

/** The request that decides a question, to be answered as no alternative has it. */
const planted: [assumption: string, method: string, path: string, sent?: RegExp][] = [
  ['unsupported-method', 'DELETE', '/till'],
  ['trailing-slash', 'GET', '/paybill/all/'],
  ['unknown-fields', 'POST', '/allocations/new', /memo/],
  ['number-forms', 'POST', '/allocations/new', /"9000/],
  ['null-fields', 'POST', '/till', /null/],
  ['phone-format', 'POST', '/send-money', /0712345678/],
  ['whole-shillings', 'POST', '/send-money', /900000000000\.5/],
  ['documented-limits', 'POST', '/stk/new'],
  ['bad-credentials', 'POST', '/get-token', /"none"/],
  ['refresh-token', 'POST', '/refresh-token'],
  ['tz-error-body', 'GET', '/tz/spending/single'],
  ['unlisted-operations', 'GET', '/allocations/sub/org/all'],
  ['status-read-code', 'GET', '/till/status'],
  ['published-company-id', 'GET', '/till/all'],
  ['unsupported-media-type', 'POST', '/allocations/new', /text\/plain/],
  ['body-limit', 'POST', '/allocations/new', / {1000}/],
  ['url-rules', 'POST', '/till', /http:\/\/merchant/],
  ['short-code-format', 'POST', '/till', /"1234567890"/],
  ['bank-code-format', 'POST', '/bank/payout/new', /"00683"/],
  ['ugx-callback', 'POST', '/send-money', /"UGX"/],
  ['required-fields', 'POST', '/multiaccount/new/organisation'],
]

it('says of an answer that no alternative describes that it is none of ours, at each of many questions', async () => {
  const hidden = await accountWithPast(bench, { withSubAccount: false })
  expect(planted.length).toBeGreaterThanOrEqual(20)
  for (const [id, method, path, sent = /^/] of planted) {
    const report = await calibrated(bench.simulator.fetch, hidden, {
      fetch: async (address, init) => {
        const request = new Request(address, init)
        const whole = [JSON.stringify([...request.headers]), await request.clone().text()].join(' ')
        const url = String(address)
        const isThere = path.includes('?') ? url.endsWith(path) : (url.split('?')[0] ?? '').endsWith(path)
        const isIt = isThere && request.method === method && sent.test(whole)
        return isIt ? json(418, { teapot: true }) : bench.simulator.fetch(address, init)
      },
      questions: { [id]: { question: id, alternatives: ['a'] } },
    })
    expect(report.answers[0]).toMatchObject({ assumption: id, verdict: 'none-of-ours' })
    expect(JSON.stringify(report.answers[0]?.evidence)).toContain('teapot')
  }
})
