/** The merchant is told late, twice, in the wrong order, wrongly, or not at all. */
import { expect, it } from 'vitest'
import { bodies } from '../../support/bodies.ts'
import { type Received, useBench } from '../../support/harness.ts'
import { Webhook } from '../../support/standard-webhook.ts'
import { faultyWorld, order, rule, SEND_MONEY } from './support.ts'

const bench = useBench()
const signed = { 'callback-signature': 'standard-webhooks' }

/** What a careful receiver says, by real time. */
function judge(secret: string, received: Received | undefined): string {
  if (!received) return 'nothing came'
  const ageS = Date.now() / 1000 - Number(received.headers['webhook-timestamp'])
  if (ageS > 300) return 'too old'
  return new Webhook(secret).verify(received.text, received.headers) ? 'valid' : 'signature does not fit'
}

it('tells later than the end', async () => {
  const world = await faultyWorld(bench, { rules: [rule({ callback: { delay: '10m' } })] })
  const { body } = await world.post(SEND_MONEY, order(bench))
  await world.advance('9m')
  expect((await world.control('GET', `/payments/${body.data.requestId}`)).status).toBe('SUCCESS')
  expect(bench.receiver.received).toHaveLength(0)
  expect((await world.control('GET', '/callbacks')).callbacks[0]).toMatchObject({
    state: 'pending',
    fault: { rule: 'the fault', does: 'sent 10m later' },
  })
  await world.advance('2m')
  expect(bench.receiver.at('/callback')).toMatchObject([{ status: 'SUCCESS' }])
})

it('never tells, and the outbox says so', async () => {
  const world = await faultyWorld(bench, { rules: [rule({ callback: { drop: true } })] })
  await world.post(SEND_MONEY, order(bench))
  await world.advance('2d')
  expect(bench.receiver.received).toHaveLength(0)
  const { counts, callbacks } = await world.control('GET', '/callbacks?state=dropped')
  expect(counts).toEqual({ pending: 0, held: 0, delivered: 0, failed: 0, dropped: 1 })
  expect(callbacks[0]).toMatchObject({ attempts: 0, fault: { rule: 'the fault', does: 'never sent' } })
  // An operator can still have it told.
  await world.control('POST', `/callbacks/${callbacks[0].id}/redeliver`)
  await world.advance('1s')
  expect(bench.receiver.received).toHaveLength(1)
})

it('stays delivered when the receiver turns the repetition away', async () => {
  const world = await faultyWorld(bench, { rules: [rule({ callback: { duplicate: 2 } })] })
  bench.receiver.answer = () => (bench.receiver.received.length === 1 ? 200 : 409)
  await world.post(SEND_MONEY, order(bench))
  await world.advance('1d')
  expect(bench.receiver.received).toHaveLength(2)
  expect(await world.control('GET', '/callbacks/1')).toMatchObject({ state: 'delivered', attempts: 2 })
})

it('tells twice at the same time, and one of the two is the one that counts', async () => {
  const duplicate = { times: 3, together: true }
  const retry = { attempts: 2, backoff: ['1m'] }
  const world = await faultyWorld(bench, {
    rules: [rule({ callback: { duplicate } })],
    callbacks: { retry },
    assumptions: signed,
  })
  let waiting = 0
  let most = 0
  let answer = (_status: number) => {}
  const together = new Promise<number>((resolve) => {
    answer = resolve
  })
  bench.receiver.answer = async () => {
    most = Math.max(most, ++waiting)
    // Nobody is answered before all have come: they do not wait for each other.
    if (waiting === 3) answer(500)
    const status = await together
    waiting--
    return bench.receiver.received.length > 3 ? 200 : status
  }
  await world.post(SEND_MONEY, order(bench))
  await world.advance('2s')
  expect(most).toBe(3)
  expect(new Set(bench.receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  expect(await world.control('GET', '/callbacks/1')).toMatchObject({
    state: 'pending',
    attempts: 3,
    fault: { does: 'sent 3 times at the same time' },
  })
  // Copies are no tries: the second try is still to come, and it comes alone.
  await world.advance('1h')
  expect(bench.receiver.received).toHaveLength(4)
  expect(await world.control('GET', '/callbacks/1')).toMatchObject({ state: 'delivered', attempts: 4 })
})

it('holds the copies back together with the first', async () => {
  const faults = [{ on: 'any', nth: 1, then: { reorder: true, duplicate: { times: 2, together: true } } }]
  const world = await faultyWorld(bench, { callbacks: { faults } })
  for (const amount of [1, 2]) {
    await world.post(SEND_MONEY, order(bench, { amount }))
    await world.advance('2s')
  }
  expect(bench.receiver.at('/callback').map(({ amount }) => amount)).toEqual([2, 1, 1])
})

it('tells of a reversal before the success that it reverses', async () => {
  const then = { revise: { after: '2d', end: 'FAILED' }, callback: { reorder: true, delay: '5d' } }
  const world = await faultyWorld(bench, { rules: [rule(then)] })
  await world.post(SEND_MONEY, order(bench))
  await world.advance('1d')
  expect((await world.control('GET', '/callbacks')).counts).toMatchObject({ held: 1, delivered: 0 })
  await world.advance('2d')
  expect(bench.receiver.at('/callback').map(({ status }) => status)).toEqual(['FAILED', 'SUCCESS'])
  expect(await world.available()).toBe(1_000_000)
})

it('swaps the callbacks of two payments, and lets the last one go by itself', async () => {
  const world = await faultyWorld(bench, { callbacks: { faults: [{ on: 'any', then: { reorder: true } }] } })
  const ids: string[] = []
  for (const amount of [1, 2, 3]) {
    ids.push((await world.post(SEND_MONEY, order(bench, { amount }))).body.data.requestId)
    await world.advance('2s')
  }
  const told = () => bench.receiver.at('/callback').map(({ requestId }) => ids.indexOf(requestId) + 1)
  expect(told()).toEqual([2, 1])
  await world.advance('1h')
  expect(told()).toEqual([2, 1, 3])
})

it('tells early whatever rule decided, when a fault says so', async () => {
  const faults = [{ name: 'early bird', on: 'any', when: 'request.amount != 5', then: { early: true } }]
  const world = await faultyWorld(bench, { callbacks: { faults } })
  let answered = false
  bench.receiver.answer = () => {
    expect(answered).toBe(false)
    return 200
  }
  const { requestId } = (await world.post(SEND_MONEY, order(bench))).body.data
  expect(bench.receiver.at('/callback')).toMatchObject([{ requestId, status: 'SUCCESS' }])
  answered = true
  bench.receiver.answer = 200
  // One that the condition does not fit, one that never ends, and a session, which has no end of its own.
  await world.post(SEND_MONEY, order(bench, { amount: 5 }))
  await world.post(SEND_MONEY, order(bench, { phoneNumber: '254711000999' }))
  const session = { ...bodies.checkout(bench.receiver.url()), amount: 10 }
  expect((await world.post('/api/sandbox/v1/checkout-sessions', session)).body.status).toBe('PENDING')
  expect(bench.receiver.received).toHaveLength(1)
  expect(world.inside.core.store.counters.current('rule:early bird')).toBe(1)
})

it('tells later after all where the rail is shut', async () => {
  const rails = { cutOff: [{ on: 'send-money', at: '16:00' }] }
  const faults = [{ name: 'early bird', on: 'any', then: { early: true, extra: { a: 1 } } }]
  const world = await bench.world({ scenario: { name: 'x', description: 'Shut.', rails, callbacks: { faults } } })
  const { requestId } = (await world.post(SEND_MONEY, order(bench))).body.data
  expect(bench.receiver.received).toHaveLength(0)
  const { plan } = await world.control('GET', `/payments/${requestId}`)
  expect(plan.callback).toEqual({ rule: 'early bird', does: 'extra fields: a' })
  await world.advance('3d')
  expect(bench.receiver.at('/callback')).toMatchObject([{ requestId, a: 1 }])
})

it('counts a fault only for payments that somebody is told of', async () => {
  const faults = [{ name: 'the second is silent', on: 'any', nth: 2, then: { drop: true } }]
  const world = await faultyWorld(bench, { callbacks: { faults } })
  const untold = { amount: 100, phoneNumber: '254712345678' }
  for (const callbackUrl of [bench.receiver.url(), undefined, bench.receiver.url()]) {
    await world.control('POST', '/collections/stk', { ...untold, ...(callbackUrl && { callbackUrl }) })
    await world.advance('1m')
  }
  expect(bench.receiver.received).toHaveLength(1)
  expect((await world.control('GET', '/callbacks?state=dropped')).callbacks).toHaveLength(1)
})

it('changes fields of the body and leaves others out, before it signs', async () => {
  const callback = { set: { phoneNumber: '2547****5678' }, without: ['amount'] }
  const world = await faultyWorld(bench, { rules: [rule({ callback })], assumptions: signed })
  const { requestId } = (await world.post(SEND_MONEY, order(bench))).body.data
  await world.advance('2s')
  const [received] = bench.receiver.received
  expect(bench.receiver.at('/callback')).toEqual([{ requestId, phoneNumber: '2547****5678', status: 'SUCCESS' }])
  const { secret } = await world.control('GET', '/callbacks/secret')
  expect(judge(secret, received)).toBe('valid')
  const { plan } = await world.control('GET', `/payments/${requestId}`)
  expect(plan.callback.does).toBe('other values: phoneNumber; left out: amount')
})

it.each([
  [
    'blanks',
    '{\n  "requestId": "ID",\n  "phoneNumber": "254712345678",\n  "status": "SUCCESS",\n  "amount": 1000.0\n}',
  ],
  ['escapes', '{"requestId":"ID","phoneNumber":"254712345678","status":"SUCCESS","amount":1000.0}'],
  ['decimals', '{"requestId":"ID","phoneNumber":"254712345678","status":"SUCCESS","amount":1000.00}'],
])('spells the same body with %s, and the signature fits these bytes alone', async (spelling, expected) => {
  const world = await faultyWorld(bench, { rules: [rule({ callback: { spelling } })], assumptions: signed })
  const { requestId } = (await world.post(SEND_MONEY, order(bench))).body.data
  await world.advance('2s')
  const [received] = bench.receiver.received
  const id = spelling === 'escapes' ? requestId.replaceAll('-', '\\u002d') : requestId
  expect(received?.text).toBe(expected.replace('ID', id))
  expect(bench.receiver.at('/callback')).toEqual([
    { requestId, phoneNumber: '254712345678', status: 'SUCCESS', amount: 1000 },
  ])
  const { secret } = await world.control('GET', '/callbacks/secret')
  expect(judge(secret, received)).toBe('valid')
  const spelledAgain = received && { ...received, text: JSON.stringify(JSON.parse(received.text)) }
  expect(judge(secret, spelledAgain)).toBe('signature does not fit')
})

it('counts for each fault all payments that it selects, also those that another fault or the rule spoils', async () => {
  const rules = [rule({ callback: { extra: { by: 'rule' } } }, { nth: 1 })]
  const faults = [2, 3, 4].map((nth) => ({ name: `${nth}`, on: 'any', nth, then: { extra: { by: `${nth}` } } }))
  const world = await faultyWorld(bench, { rules, callbacks: { faults } })
  for (let i = 0; i < 5; i++) {
    await world.post(SEND_MONEY, order(bench))
    await world.advance('1m')
  }
  expect(bench.receiver.at('/callback').map(({ by }) => by)).toEqual(['rule', '2', '3', '4', undefined])
})

it('adds fields that nobody announced, and says a status that nobody knows', async () => {
  const callback = { extra: { channel: 'USSD', amount: 1, attempt: 0 }, status: 'ON_HOLD' }
  const world = await faultyWorld(bench, { rules: [rule({ callback })], assumptions: signed })
  await world.post(SEND_MONEY, order(bench))
  await world.advance('2s')
  const [received] = bench.receiver.received
  expect(received?.text).toMatch(/"status":"ON_HOLD","amount":1000\.0,"channel":"USSD","attempt":0\}$/)
  // Signed after the last change.
  const { secret } = await world.control('GET', '/callbacks/secret')
  expect(judge(secret, received)).toBe('valid')
})
