/** The ready-made inbox, with the bad days that a merchant's own endpoint has. */
import { expect, it } from 'vitest'
import { failureOf, faultyWorld, order, rule, SEND_MONEY } from '../../http/faults/support.ts'
import { alarms } from '../../support/alarms.ts'
import { type TestWorld, useBench } from '../../support/harness.ts'
import { dataDirectory, startOn } from '../../support/restart.ts'

const time = alarms()
const bench = useBench({ time })
const inbox = (world: TestWorld, name = 'shop') => `${world.baseUrl}/_mfano/inbox/${name}`
const post = (url: string, body: object = { status: 'SUCCESS' }) =>
  fetch(url, { method: 'POST', body: JSON.stringify(body), redirect: 'manual' })
const statuses = async (url: string, times: number) => {
  const found: number[] = []
  for (let i = 0; i < times; i++) found.push((await post(url)).status)
  return found
}

it('answers in turn, and stays with the last', async () => {
  const world = await bench.world()
  const shown = await world.control('PUT', '/inbox/shop', { answers: '500,503, 200' })
  expect(shown.behaviour).toEqual({
    answers: ['500', '503', '200'],
    delay: '0s',
    taken: 0,
    next: '500',
  })
  expect(await statuses(inbox(world), 5)).toEqual([500, 503, 200, 200, 200])
  const { behaviour, messages } = await world.control('GET', '/inbox/shop')
  expect(behaviour).toMatchObject({ taken: 5, next: '200' })
  expect(messages.map(({ answered }: { answered: string }) => answered)).toEqual(['500', '503', '200', '200', '200'])
  expect(await statuses(inbox(world, 'other'), 1)).toEqual([200])
})

it('answers as the address asks, so that a callbackUrl alone says it', async () => {
  const world = await bench.world()
  await world.post(SEND_MONEY, order(bench, { callbackUrl: `${inbox(world)}?answer=500,500,200` }))
  await world.advance('1h')
  const [callback] = (await world.control('GET', '/callbacks')).callbacks
  expect(callback).toMatchObject({ state: 'delivered', attempts: 3 })
  const { messages, asked } = await world.control('GET', '/inbox/shop')
  expect(messages).toMatchObject([
    { answered: '500' },
    { answered: '500' },
    { answered: '200', body: { status: 'SUCCESS' } },
  ])
  expect(asked).toMatchObject([{ query: 'answer=500,500,200', answers: ['500', '500', '200'], taken: 3, next: '200' }])
})

it('sends no body with a status that has none', async () => {
  const world = await bench.world()
  await world.control('PUT', '/inbox/shop', { answers: [422, 204], delay: '1ms' })
  await world.control('PATCH', '/inbox/shop', { delay: '0s' })
  const refused = await post(inbox(world))
  expect([refused.status, await refused.json()]).toEqual([422, { received: 1 }])
  expect(await (await post(inbox(world))).text()).toBe('')
})

it('closes or resets the connection', async () => {
  const world = await bench.world()
  expect(await failureOf(post(`${inbox(world)}?answer=close`))).toBe('UND_ERR_SOCKET')
  expect(await failureOf(post(`${inbox(world)}?answer=reset`))).toBe('ECONNRESET')
  const { messages } = await world.control('GET', '/inbox/shop')
  expect(messages).toMatchObject([{ answered: 'close' }, { answered: 'reset' }])
})

it('hangs until the sender gives up, which the doctor then explains', async () => {
  const world = await faultyWorld(bench, {
    rules: [rule({})],
    callbacks: { timeout: '100ms', retry: { attempts: 2, backoff: ['1s'] } },
  })
  await world.control('PUT', '/inbox/shop', { answers: 'hang,200@20ms' })
  await world.post(SEND_MONEY, order(bench, { callbackUrl: inbox(world) }))
  const advancing = world.advance('1m')
  await world.control('POST', '/wait', { for: 'inbox' })
  time.pass(100)
  await time.set(20)
  time.pass(20)
  await advancing
  const { state, tries } = await world.control('GET', '/callbacks/1')
  expect(state).toBe('delivered')
  expect(tries).toMatchObject([{ status: null, diagnosis: { code: 'too-slow' } }, { status: 200 }])
})

it('lets go of whoever hangs when its world goes', async () => {
  const world = await bench.world({ id: 'going' })
  await world.control('PUT', '/inbox/shop', { answers: 'hang' })
  const hanging = failureOf(post(inbox(world)))
  await world.control('POST', '/wait', { for: 'inbox' })
  bench.simulator.worlds.remove('going')
  expect(await hanging).toBe('UND_ERR_SOCKET')
})

it('does not keep mfano from stopping', async () => {
  const simulator = await startOn(dataDirectory())
  const world = simulator.world('default')
  const hanging = failureOf(post(`${inbox(world)}?answer=hang`))
  await world.control('POST', '/wait', { for: 'inbox' })
  await simulator.close()
  expect(await hanging).toBe('UND_ERR_SOCKET')
})

it('remembers its behaviour and how far it went, over a restart', async () => {
  const directory = dataDirectory()
  const before = await startOn(directory)
  const shop = before.world('default')
  await shop.control('PUT', '/inbox/shop', { answers: [500, 200], delay: '5ms' })
  expect(await statuses(inbox(shop), 1)).toEqual([500])
  await before.close()
  const after = (await startOn(directory)).world('default')
  expect((await after.control('GET', '/inbox/shop')).behaviour).toMatchObject({ delay: '5ms', taken: 1, next: '200' })
  expect(await statuses(inbox(after), 1)).toEqual([200])
})

it('is plain again when it is emptied, and begins anew when it is told', async () => {
  const world = await bench.world()
  await world.control('PUT', '/inbox/shop', { answers: [500, 200] })
  await statuses(inbox(world), 2)
  await world.control('PATCH', '/inbox/shop', { delay: '1ms' })
  const late = statuses(inbox(world), 1)
  await time.set(1)
  time.pass(1)
  expect(await late).toEqual([200])
  await world.control('PUT', '/inbox/shop', { answers: [500, 200] })
  expect(await statuses(inbox(world), 1)).toEqual([500])
  expect((await world.control('GET', '/inbox')).inboxes).toEqual([{ name: 'shop', messages: 4 }])
  await world.control('DELETE', '/inbox/shop')
  expect((await world.control('GET', '/inbox')).inboxes).toEqual([])
  expect(await statuses(inbox(world), 1)).toEqual([200])
})

it.each([
  ['none', 'valid'],
  ['old-secret', 'old-secret'],
  ['altered-body', 'wrong'],
  ['stale-timestamp', 'stale'],
  ['missing-header', 'incomplete'],
])('tells what a signature is worth: a fault of %s is %s', async (fault, signature) => {
  const then = fault === 'none' ? {} : { callback: { signature: fault } }
  const world = await faultyWorld(bench, {
    rules: [rule(then)],
    assumptions: { 'callback-signature': 'standard-webhooks' },
  })
  await world.post(SEND_MONEY, order(bench, { callbackUrl: inbox(world) }))
  await world.advance('2s')
  expect((await world.control('GET', '/inbox/shop')).messages).toMatchObject([{ signature }])
})

it('waits for its own messages, and says what came nearest', async () => {
  const world = await bench.world()
  await post(inbox(world, 'other'), { status: 'FAILED' })
  const mine = (where: string) => ({ for: 'inbox', where: `message.name == "shop" && (${where})` })
  const waiting = world.control('POST', '/wait', {
    ...mine('body.status == "FAILED" || message.answered == "500"'),
    timeout: '10s',
  })
  await post(inbox(world), { status: 'SUCCESS' })
  await post(`${inbox(world)}?answer=500`, { status: 'PENDING' })
  expect((await waiting).matches).toMatchObject([{ inbox: 'shop', body: { status: 'PENDING' } }])
  const inVain = world.raw('POST', '/_mfano/wait', {
    body: { ...mine('message.signature == "valid"'), timeout: '10ms' },
  })
  await time.set(10)
  time.pass(10)
  const late = await inVain
  expect([late.status, late.body.error.code]).toEqual([408, 'WAIT_TIMED_OUT'])
  const body = { for: 'inbox', where: 'message.signature == "fine"' }
  const wrong = await world.raw('POST', '/_mfano/wait', { body })
  expect(wrong.body.error.details).toMatch(
    /^where: column 22: message\.signature is never "fine"\. Known: valid, none,/,
  )
})

it('verifies its own messages, as the journal does, and what their signatures are', async () => {
  const world = await bench.world()
  const verify = (where: string, times?: object) =>
    world.control('POST', '/verify', { for: 'inbox', where: `message.name == "shop" && ${where}`, times })
  await post(inbox(world))
  await post(inbox(world, 'other'))
  expect(await verify('body.status == "SUCCESS"', { exactly: 1 })).toMatchObject({ ok: true })
  const signed = await verify('message.signature == "valid"')
  expect([signed.ok, signed.why]).toEqual([false, expect.stringContaining('message.signature')])
})

it.each([
  [{ answers: '500,5000' }, /^answers: must be statuses from 200 to 599, hang, close or reset, [^"]* got "5000"\.$/],
  [{ answers: ['hnag'] }, /got "hnag"\. Did you mean "hang"\?/],
  [{ answers: '200@2m' }, /with a delay of at most 60s such as 200@3s, got "200@2m"/],
  [{ answers: [] }, /^answers: must be/],
  [{ delay: '2m' }, /^delay: must be a duration of at most 60s, such as 300ms or 3s, got "2m"/],
  [{ anwsers: '500' }, /anwsers/],
])('says what is wrong with the behaviour %j', async (body, details) => {
  const world = await bench.world()
  const refused = await world.raw('PUT', '/_mfano/inbox/shop', { body })
  expect(refused.status).toBe(400)
  expect(refused.body.error.details).toMatch(details)
  expect((await world.control('GET', '/inbox')).inboxes).toEqual([])
})

it.each([
  ['answer=5000', '?answer: must be statuses from 200 to 599'],
  ['answers=500', '?answers: is nothing that an inbox can be asked for. Did you mean "answer"?'],
  ['delay=never', '?delay: must be a duration of at most 60s, such as 300ms or 3s, got "never"'],
])('says what is wrong with an address that asks for ?%s', async (query, details) => {
  const world = await bench.world()
  const refused = await world.raw('POST', `/_mfano/inbox/shop?${query}`, { body: {} })
  expect([refused.status, refused.body.error.details.startsWith(details)]).toEqual([400, true])
  expect((await world.raw('POST', '/_mfano/inbox/shop?order=5', { body: {} })).status).toBe(200)
})

it('keeps so many megabytes in all, of which the oldest messages give way, and says so at health', async () => {
  const directory = dataDirectory()
  const flags = ['--inbox-megabytes', '2'] as const
  const server = await startOn(directory, ...flags)
  const world = server.world('default')
  const size = async () => (await world.control('GET', '/health')).inbox
  for (let i = 0; i < 10; i++) await post(inbox(world, i < 5 ? 'early' : 'late'), { i, much: 'x'.repeat(500_000) })
  const kept = { inboxes: 1, messages: 3, bytesMax: 2_000_000, givenWay: 7 }
  expect(await size()).toMatchObject(kept)
  expect((await size()).bytes).toBeLessThanOrEqual(2_000_000)
  const left = (await world.control('GET', '/inbox/late')).messages
  expect(left.map(({ body }: { body: { i: number } }) => body.i)).toEqual([7, 8, 9])
  expect((await world.control('GET', '/inbox')).inboxes).toEqual([{ name: 'late', messages: 3 }])
  const before = await size()
  await server.close()

  const again = (await startOn(directory, ...flags)).world('default')
  expect((await again.control('GET', '/health')).inbox).toEqual(before)
  await again.control('DELETE', '/inbox/late')
  expect((await again.control('GET', '/health')).inbox).toMatchObject({ inboxes: 0, messages: 0, bytes: 0 })
})

it('keeps of refused requests no more than the beginning of their bodies', async () => {
  const world = await bench.world()
  const body = { apiKey: 'nobody', apiSecret: 'x', much: 'y'.repeat(900_000) }
  expect((await world.post('/api/v1/get-token', body)).status).toBeGreaterThanOrEqual(400)
  const [{ request }] = (await world.control('GET', '/requests')).requests
  expect(JSON.stringify(request.body).length).toBeLessThan(17_000)
  expect(request.body).toContain('cut here')
})
