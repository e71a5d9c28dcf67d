/** Our own answers go wrong over HTTP, whatever the operation. */
import { expect, it } from 'vitest'
import { alarms } from '../../support/alarms.ts'
import { assuming } from '../../support/contract.ts'
import { type Answer, useBench } from '../../support/harness.ts'
import { failureOf, faultyWorld, lastRequest, order, rule, SEND_MONEY } from './support.ts'

const time = alarms()
const bench = useBench({ time })
const on = `POST ${SEND_MONEY}`

it('answers 503 twice before it works, and executes nothing until then', async () => {
  const fault = { name: 'flaky gateway', on, nth: { first: 2 }, then: { status: 503, message: 'Try later' } }
  const world = await faultyWorld(bench, { faults: [fault] })
  for (const _ of [1, 2]) {
    const answer = await world.post(SEND_MONEY, order(bench))
    expect(answer.status).toBe(503)
    expect(answer.body.error).toEqual({
      code: 'SERVICE_UNAVAILABLE',
      message: 'Try later',
      details: 'sent by the scenario: flaky gateway',
    })
    expect(answer.headers.get('mfano-rule')).toBe('flaky%20gateway')
  }
  expect(await lastRequest(world)).toMatchObject({
    status: 503,
    rule: 'flaky gateway',
    fault: 'flaky gateway: not executed, answered 503 SERVICE_UNAVAILABLE',
    organisationId: world.companyId,
  })
  expect(await world.available()).toBe(1_000_000)
  expect((await world.post(SEND_MONEY, order(bench))).status).toBe(201)
  expect(world.inside.core.store.counters.current('rule:flaky gateway')).toBe(2)
  expect((await world.control('GET', '/scenario')).name).toBe('faulty')
})

it('counts for each fault all requests that it selects, also those that another fault answers', async () => {
  const statuses = [500, 503, 429]
  const faults = statuses.map((status, i) => ({ name: `error ${status}`, on, nth: i + 1, then: { status } }))
  const world = await faultyWorld(bench, { faults })
  const answers: number[] = []
  for (let i = 0; i < 5; i++) answers.push((await world.post(SEND_MONEY, order(bench))).status)
  expect(answers).toEqual([500, 503, 429, 201, 201])
})

it('lets requests that another fault answers leave the rate as it is', async () => {
  const world = await faultyWorld(bench, {
    faults: [
      { name: 'outage', on, nth: { first: 2 }, then: { status: 503 } },
      { name: 'busy', on, nth: { first: 1 }, then: { rateLimit: { max: 1, per: '1h' } } },
    ],
  })
  const answers: number[] = []
  for (let i = 0; i < 5; i++) answers.push((await world.post(SEND_MONEY, order(bench))).status)
  expect(answers).toEqual([503, 503, 201, 429, 201])
})

it("answers with a gateway's page, with and without the work done", async () => {
  const faults = [
    { name: 'bad gateway', on, nth: 1, then: { status: 502, html: true } },
    { name: 'late gateway', on, nth: 2, after: true, then: { status: 504, html: true, message: 'a <b>' } },
  ]
  const answer = { status: 502, html: true }
  const world = await faultyWorld(bench, { faults, rules: [rule({ answer })] })
  const token = await world.token()
  const send = async () => {
    const response = await fetch(`${world.baseUrl}${SEND_MONEY}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(order(bench)),
    })
    const page = (await response.text()).replaceAll('\r\n', '')
    return { status: response.status, type: response.headers.get('content-type'), page }
  }
  const page = (title: string) =>
    `<html><head><title>${title}</title></head><body><center><h1>${title}</h1></center><hr><center>nginx</center></body></html>`
  expect(await send()).toEqual({ status: 502, type: 'text/html', page: page('502 Bad Gateway') })
  expect(await world.available()).toBe(1_000_000)
  expect(await lastRequest(world)).toMatchObject({
    fault: 'bad gateway: not executed, answered 502 with an HTML page',
  })
  expect(await send()).toEqual({ status: 504, type: 'text/html', page: page('504 a &lt;b&gt;') })
  expect(await world.available()).toBe(999_000)
  expect(await send()).toEqual({ status: 502, type: 'text/html', page: page('502 Bad Gateway') })
  expect(await world.available()).toBe(998_000)
})

it('selects by the request, the organisation and the time of day', async () => {
  const when = 'request.amount > 5000 && organisation.parent && now.getHours() == 16 && !has(request.referenceId)'
  const world = await faultyWorld(bench, {
    faults: [{ on: ['createSendMoney', 'createTillPayment'], when, then: { status: 500 } }],
  })
  expect((await world.post(SEND_MONEY, order(bench, { amount: 6000 }))).status).toBe(500)
  expect((await world.post(SEND_MONEY, order(bench, { amount: 6000, referenceId: 'r' }))).status).toBe(201)
  expect((await world.post(SEND_MONEY, order(bench))).status).toBe(201)
  await world.advance('1h')
  world.logout()
  expect((await world.post(SEND_MONEY, order(bench, { amount: 6000 }))).status).toBe(201)
})

it('selects by headers that are named, and by "" where one was not sent', async () => {
  const faults = [
    { name: 'theirs', on, when: 'headers["X-Tenant"] == "b"', then: { status: 503 } },
    { name: 'nobody', on, when: 'headers["x-tenant"] == ""', then: { status: 500 } },
  ]
  const kept = rule({}, { name: 'kept', when: 'headers["x-tenant"] == "a"' })
  const other = rule({ end: 'FAILED' }, { name: 'other' })
  const world = await faultyWorld(bench, { faults, rules: [kept, other] })
  const send = (headers: Record<string, string>) => world.post(SEND_MONEY, order(bench), { headers })
  expect((await send({ 'x-tenant': 'b' })).status).toBe(503)
  expect((await send({})).status).toBe(500)
  expect((await send({ 'x-tenant': 'a' })).headers.get('mfano-rule')).toBe('kept')
  expect((await send({ 'x-tenant': 'c' })).headers.get('mfano-rule')).toBe('other')
})

it('takes the outcome of one request from its header, by rule or by trigger', async () => {
  const world = await faultyWorld(bench, { rules: [rule({}, { name: 'never – by itself', when: 'false' })] })
  const send = (outcome?: string, change = {}) =>
    world.post(SEND_MONEY, order(bench, change), outcome === undefined ? {} : { headers: { 'mfano-outcome': outcome } })
  expect((await send('000500')).status).toBe(500)
  expect((await send('403.01')).status).toBe(403)
  const { headers, body } = await send(encodeURI('never – by itself'), { phoneNumber: '254712000404' })
  expect(decodeURI(headers.get('mfano-rule') ?? '')).toBe('never – by itself')
  const explained = await world.control('GET', `/payments/${body.data.requestId}/explain`)
  expect(JSON.stringify(explained)).toContain("the request's mfano-outcome chose it")
  const wrong = await send('never by itself')
  expect(wrong.status).toBe(400)
  expect(wrong.body.error.details).toContain(
    'mfano-outcome: must be the name of a rule for a send-money payout, or a trigger of one, got "never by itself"; the nearest are "never – by itself", ',
  )
  await world.control('PUT', '/scenario', assuming({ 'error-body': 'field-list' }).scenario)
  expect((await send('000505')).body.errors['mfano-outcome'][0]).toMatch(/the nearest are "000500", /)
  expect((await send()).status).toBe(201)
  await world.get(`${SEND_MONEY}/all?companyId=${world.companyId}`, { headers: { 'mfano-outcome': '000404' } })
  expect((await lastRequest(world)).warnings).toEqual([
    'mfano-outcome has no effect here: it chooses for requests that make a payment.',
  ])
})

it('meets the odds that the seed draws, the same in every world of the seed', async () => {
  const faults = [{ on, chance: 0.5, then: { status: 503 } }]
  const run = async () => {
    const world = await faultyWorld(bench, { faults })
    const statuses: number[] = []
    for (let i = 0; i < 12; i++) statuses.push((await world.post(SEND_MONEY, order(bench))).status)
    return statuses
  }
  const first = await run()
  expect(new Set(first)).toEqual(new Set([201, 503]))
  expect(await run()).toEqual(first)
})

it('resets the connection, or closes it without an answer', async () => {
  const faults = [
    { name: 'resets', on, nth: 1, then: { reset: true } },
    { name: 'closes', on, then: { empty: true } },
  ]
  const world = await faultyWorld(bench, { faults })
  await world.token()
  expect(await failureOf(world.post(SEND_MONEY, order(bench)))).toBe('read ECONNRESET')
  expect(await lastRequest(world)).toMatchObject({ status: 0, rule: 'resets' })
  expect(await failureOf(world.post(SEND_MONEY, order(bench)))).toBe('socket hang up')
  expect(await lastRequest(world)).toMatchObject({
    status: 0,
    response: null,
    fault: 'closes: not executed, connection closed without an answer',
  })
  expect(await world.available()).toBe(1_000_000)
})

it('breaks an answer off, after bytes or after a part of it', async () => {
  const faults = [
    { name: 'short', on, nth: 1, then: { truncate: 20 } },
    { name: 'half', on: 'listSendMoney', then: { truncate: 0.5 } },
  ]
  const world = await faultyWorld(bench, { faults })
  const token = await world.token()
  expect(await failureOf(world.post(SEND_MONEY, order(bench)))).toBe('aborted')
  expect(await lastRequest(world)).toMatchObject({ status: 201, response: '{"status":201,"messa' })
  expect(await world.available()).toBe(999_000)
  const response = await fetch(`${world.baseUrl}${SEND_MONEY}/all?companyId=${world.companyId}`, {
    headers: { authorization: `Bearer ${token}` },
  })
  expect(response.status).toBe(200)
  const promised = Number(response.headers.get('content-length'))
  const got: number[] = []
  const reading = (async () => {
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) got.push(chunk.length)
  })()
  await failureOf(reading)
  expect(got.reduce((sum, length) => sum + length, 0)).toBe(Math.floor(promised / 2))
})

it('breaks off the answer that holds the token', async () => {
  const world = await faultyWorld(bench, { faults: [{ on: 'getToken', nth: 1, then: { truncate: 60 } }] })
  expect(await failureOf(world.token())).toBe('aborted')
  expect((await world.post(SEND_MONEY, order(bench))).status).toBe(201)
})

it('answers late, in real time, before or after it works', async () => {
  const faults = [
    { name: 'slow', on, nth: 1, then: { latency: '80ms' } },
    { name: 'slow and broken', on, after: true, then: { latency: '60ms..60ms', status: 500 } },
  ]
  const world = await faultyWorld(bench, { faults })
  await world.token()
  let answered = 0
  const send = () =>
    world.post(SEND_MONEY, order(bench)).then(({ status }) => {
      answered++
      return status
    })
  const slow = send()
  await time.set(80)
  expect([answered, await world.available()]).toEqual([0, 1_000_000])
  time.pass(80)
  expect(await slow).toBe(201)
  expect(await lastRequest(world)).toMatchObject({ status: 201, rule: 'slow', fault: 'slow: 80ms late' })
  const broken = send()
  await time.set(60)
  expect([answered, await world.available()]).toEqual([1, 998_000])
  time.pass(60)
  expect(await broken).toBe(500)
})

it('gives up waiting when the caller does, and executes the request all the same', async () => {
  const world = await faultyWorld(bench, { faults: [{ on, then: { latency: '1m' } }] })
  const token = await world.token()
  const impatience = new AbortController()
  const request = fetch(world.baseUrl + SEND_MONEY, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(order(bench)),
    signal: impatience.signal,
  })
  const refused = expect(request).rejects.toThrow('lost patience')
  const executed = world.control('POST', '/wait', { for: 'payment' })
  await time.set(60_000)
  impatience.abort(new Error('lost patience'))
  await refused
  await executed
  expect(await world.available()).toBe(999_000)
})

it('sends a body byte by byte', async () => {
  const world = await faultyWorld(bench, { faults: [{ on, then: { slowBody: { bytesPerSecond: 1000 } } }] })
  await world.token()
  const answering = world.raw('POST', SEND_MONEY, {
    headers: { authorization: `Bearer ${await world.token()}` },
    body: order(bench),
  })
  let answer: Answer | undefined
  void answering.then((whole) => {
    answer = whole
  })
  let tookMs = 0
  while (!answer) {
    const ms = await Promise.race([time.next(), answering.then(() => 0)])
    time.pass(ms)
    tookMs += ms
  }
  expect(answer.status).toBe(201)
  expect(answer.body.data.status).toBe('PENDING')
  // A byte takes a millisecond, and a hundred are sent at once.
  expect(tookMs).toBe(Math.ceil(answer.text.length / 100) * 100)
})

it('limits the rate of each organisation on the world clock, and says when to come back', async () => {
  const faults = [{ name: 'two a minute', on, then: { rateLimit: { max: 2, per: '1m' } } }]
  const world = await faultyWorld(bench, { faults })
  const send = async () => (await world.post(SEND_MONEY, order(bench))).status
  expect([await send(), await send()]).toEqual([201, 201])
  await world.advance('15s')
  const limited = await world.post(SEND_MONEY, order(bench))
  expect(limited.status).toBe(429)
  expect(limited.body.error).toEqual({
    code: 'RATE_LIMITED',
    message: 'Too many requests',
    details: 'more than 2 requests; try again in 45 s',
  })
  expect(limited.headers.get('retry-after')).toBe('45')
  await world.advance('45s')
  expect([await send(), await send(), await send()]).toEqual([201, 201, 429])
  expect(await world.available()).toBe(996_000)
})

it('revokes the tokens in the middle of a batch; a new one is good', async () => {
  const world = await faultyWorld(bench, { faults: [{ on, nth: 2, then: { revokeTokens: true } }] })
  const send = () => world.post(SEND_MONEY, order(bench))
  expect((await send()).status).toBe(201)
  const refused = await send()
  expect(refused.status).toBe(401)
  expect(refused.body.error.code).toBe('AUTH_INVALID_TOKEN')
  // For every operation.
  expect((await world.get(`${SEND_MONEY}/all?companyId=${world.companyId}`)).status).toBe(401)
  world.logout()
  expect((await send()).status).toBe(201)
})

it('meets no request where the operation does not exist', async () => {
  const world = await faultyWorld(bench, { faults: [{ on: '*', then: { status: 503 } }] })
  const asked = await world.raw('POST', '/api/sandbox/v1/org/wallet-details', { body: {} })
  expect(asked.status).toBe(404)
  expect((await world.raw('POST', '/api/v1/get-token', { body: {} })).status).toBe(503)
})

it('lets tokens live for a minute instead of five', async () => {
  const world = await faultyWorld(bench, { faults: [{ on: '*', then: { revokeTokens: { after: '1m' } } }] })
  const send = async () => (await world.post(SEND_MONEY, order(bench))).status
  expect(await send()).toBe(201)
  await world.advance('59s')
  expect(await send()).toBe(201)
  await world.advance('1s')
  expect(await send()).toBe(401)
  world.logout()
  expect(await send()).toBe(201)
})
