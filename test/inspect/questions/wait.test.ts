import { expect, test } from 'vitest'
import { bodies } from '../../support/bodies.ts'
import { START, type TestWorld, useBench } from '../../support/harness.ts'
import { inBatches } from '../../support/in-batches.ts'

// POST /_mfano/wait: a test waits for facts, never for time.

const bench = useBench()

const { pay } = bench

const wait = (world: TestWorld, body: object) => world.control('POST', '/wait', body)

/** What a wait that came to nothing answers. */
async function inVain(world: TestWorld, body: object) {
  const answer = await world.raw('POST', '/_mfano/wait', { body: { timeout: '20ms', ...body } })
  expect(answer.status, answer.text).toBe(408)
  return answer.body.error
}

test('what is so already is answered at once, the newest of it', async () => {
  const world = await bench.world()
  await pay(world, { referenceId: 'a' })
  const second = await pay(world, { referenceId: 'b' })
  expect(await wait(world, { for: 'payment', where: 'payment.status == "PENDING"' })).toMatchObject({
    matched: true,
    now: `${START}.000000Z`,
    matches: [{ uuid: second, referenceId: 'b' }],
  })
  expect((await wait(world, { for: 'payment', count: 2 })).matches).toHaveLength(2)
})

test('what comes is answered when it comes: a payment, its callback, a request, a message', async () => {
  const world = await bench.world()
  await world.token()
  const waits = [
    { for: 'payment', where: 'payment.status == "SUCCESS" && payment.request.remarks == "Salary"' },
    { for: 'callback', where: 'callback.state == "delivered" && body.status == "SUCCESS" && payment.amount == 70' },
    { for: 'request', where: 'request.operation == "createSendMoney" && body.amount == 70 && request.status == 201' },
    { for: 'inbox', where: 'message.name == "shop" && has(body.requestId)' },
  ].map((body) => wait(world, { timeout: '1m', ...body }))
  const uuid = await pay(world, { amount: 70, callbackUrl: `${world.baseUrl}/_mfano/inbox/shop` })
  await world.advance('1m')
  const [payment, callback, request, inbox] = await Promise.all(waits)
  expect(payment.matches).toMatchObject([{ uuid, status: 'SUCCESS' }])
  expect(callback.matches).toMatchObject([{ payment: uuid, state: 'delivered', attempts: 1 }])
  expect(request.matches).toMatchObject([{ operation: 'createSendMoney', status: 201, payment: uuid }])
  expect(inbox.matches).toMatchObject([{ inbox: 'shop', body: { requestId: uuid } }])
})

test('a state that is passed through at once is seen', async () => {
  const world = await bench.world()
  const seen = wait(world, { for: 'payment', where: 'payment.status == "PROCESSING"', timeout: '1m' })
  const session = { ...bodies.checkout(bench.receiver.url()), amount: 201.01 }
  await world.post('/api/sandbox/v1/checkout-sessions', session)
  await world.advance('1h')
  expect((await seen).matches).toMatchObject([{ kind: 'checkout', status: 'PROCESSING' }])
})

test('so many different ones are waited for', async () => {
  const world = await bench.world()
  const three = wait(world, { for: 'callback', where: 'callback.state == "delivered"', count: 3, timeout: '1m' })
  for (const amount of [1, 2, 3]) await pay(world, { amount })
  await world.advance('1m')
  expect((await three).matches).toHaveLength(3)
  const error = await inVain(world, { for: 'callback', where: 'callback.state == "delivered"', count: 4 })
  expect(error).toMatchObject({ matches: [{}, {}, {}], nearest: null })
  expect(error.details).toBe(
    '3 of 4 found; there is no other callback. Nothing is due: only a request can make something happen.',
  )
})

test('a wait in vain names the nearest, what was different, and that the clock stands', async () => {
  const world = await bench.world()
  await pay(world, { referenceId: 'salary-1', amount: 5 })
  const nearest = await pay(world, { referenceId: 'salary-12', amount: 7 })
  await pay(world, { referenceId: 'rent', amount: 8 })
  const error = await inVain(world, {
    for: 'payment',
    where: 'payment.referenceId == "salary-123" && payment.amount == 7 && payment.status == "SUCCESS"',
  })
  expect(error).toMatchObject({
    code: 'WAIT_TIMED_OUT',
    message: 'Not so within 20ms',
    matches: [],
    nearest: {
      uuid: nearest,
      held: ['payment.amount == 7'],
      missed: [
        { part: 'payment.referenceId == "salary-123"', found: { 'payment.referenceId': 'salary-12' } },
        { part: 'payment.status == "SUCCESS"', found: { 'payment.status': 'PENDING' } },
      ],
    },
    clock: { mode: 'frozen', now: `${START}.000000Z`, nextDue: '2025-01-24T16:28:02.000000Z' },
  })
  expect(error.details).toBe(
    'nothing found; the nearest: payment.referenceId is "salary-12", and payment.status is "PENDING". The clock is frozen, and the next thing is due at 2025-01-24T16:28:02Z: POST /_mfano/clock/settle or POST /_mfano/clock/advance.',
  )
  expect((await inVain(world, { for: 'inbox', where: 'body.status == "SUCCESS"' })).details).toMatch(
    /^nothing found; there is no message\. /,
  )
})

test('a field that a body has not is neither an error nor a match', async () => {
  const world = await bench.world()
  await pay(world)
  const error = await inVain(world, {
    for: 'request',
    where: 'body.nowhere.to == "be found" && request.method == "POST"',
  })
  expect(error.nearest).toMatchObject({ held: ['request.method == "POST"'], missed: [{ found: {} }] })
  expect(error.details).toContain('body.nowhere.to == "be found" cannot be worked out')
})

test('conditions see bodies, lists, moments and numbers of any form', async () => {
  const world = await bench.world()
  await pay(world, { amount: 70.5, remarks: 'hello you' })
  await world.advance('1m')
  const asked = async (subject: string, where: string) =>
    (await world.raw('POST', '/_mfano/wait', { body: { for: subject, where, timeout: '10ms' } })).status
  for (const [subject, where] of [
    ['request', 'body.amount > 70 && body.amount < 71u && body.remarks.startsWith("hello")'],
    ['request', 'request.headers["content-type"].contains("json") && request.response.data.amount == 70.5'],
    ['request', 'request.at >= timestamp("2025-01-24T16:28:00Z") && request.at < timestamp("2025-01-24T16:28:01Z")'],
    ['request', 'request.path == "/api/sandbox/v1/send-money" && request.unread.size() == 0'],
    ['request', 'payment.status == "SUCCESS"'],
    ['callback', 'callback.lastStatus == 200 && callback.attempts == 1 && callback.lastError == ""'],
    ['callback', 'callback.settledAt - callback.createdAt < duration("1s") && now > callback.createdAt'],
    ['callback', 'body.requestId == payment.uuid'],
    ['payment', 'payment.details.transactionReceipt.matches("^S[A-Z0-9]{9}$")'],
    ['payment', 'payment.status in ["SUCCESS", "FAILED"] && payment.kind != "till"'],
    ['payment', 'has(payment.request.remarks) && !has(payment.request.narration)'],
  ] as const)
    expect(await asked(subject, where), where).toBe(200)
})

test.each([
  [
    'payment',
    'paymnt.status == "X"',
    'where: column 1: "paymnt" is not known here. Known: payment, now. Did you mean "payment"?',
  ],
  [
    'payment',
    'true &&\n  payment.kind in ["till", "send_money"]',
    /^where: line 2, column 28: payment.kind is never "send_money"\..* Did you mean "send-money"\?$/,
  ],
  ['payment', 'payment.currency == "KSH"', /payment.currency is never "KSH"\. Known: KES, /],
  ['callback', 'callback.state = "failed"', /^where: column 16: Did not expect "="/],
  ['callback', 'callback.attempts == "2"', /puts a text and a number together|cannot be worked out/],
  ['callback', 'callback.attempts', /^where: column 1: The condition gives a double\. Expected true or false/],
  ['inbox', 'message.headers.exists(h, h == "a")', /^where: column \d+: Conditions have no loops such as exists\(\)/],
  ['inbox', `["a"]${'.map(x, x + x)'.repeat(26)} == [""]`, /Conditions have no loops such as map\(\)/],
  ['inbox', 'body.name.matches("(a)\\\\1$")', /matches\(\): the pattern refers back/],
  ['payment', 'has(payment.status.x)', /has\(\) asks for one field, and payment.status has no fields/],
  ['payment', `payment.amount == ${'1 + '.repeat(600)}1`, 'where: must have at most 2000 characters, has 2419'],
])('says what is wrong with a condition about a %s: %s', async (subject, where, expected) => {
  const world = await bench.world()
  const { status, body } = await world.raw('POST', '/_mfano/wait', { body: { for: subject, where } })
  expect(status).toBe(400)
  expect(body.error.code).toBe('INVALID_EXPRESSION')
  if (typeof expected === 'string') expect(body.error.details).toBe(expected)
  else expect(body.error.details).toMatch(expected)
})

test('says what is wrong with the rest of a wait', async () => {
  const world = await bench.world()
  const refusal = async (body: object) => {
    const answer = await world.raw('POST', '/_mfano/wait', { body })
    expect(answer.status).toBe(400)
    return answer.body.error.details
  }
  expect(await refusal({})).toContain('for: is required')
  expect(await refusal({ for: 'wallet' })).toContain('for: must be one of payment, callback, request, inbox')
  expect(await refusal({ for: 'payment', timeout: '2m' })).toContain('timeout: must be at most 1m')
  expect(await refusal({ for: 'payment', count: 0 })).toContain('count: must be at least 1')
})

test('a million waits at once are not kept: so many, and then a clear answer', async () => {
  const world = await bench.world()
  const waits: ReturnType<typeof world.raw>[] = []
  await inBatches(1_000, async (i) => {
    waits.push(world.raw('POST', '/_mfano/wait', { body: { for: 'payment', timeout: '1m' } }))
    while (world.inside.feed.count('wait') <= i) await new Promise(setImmediate)
  })
  const { status, body } = await world.raw('POST', '/_mfano/wait', { body: { for: 'inbox', timeout: '1ms' } })
  expect(status).toBe(429)
  expect(body.error.details).toContain('1000 wait in this world already')
  await pay(world)
  for (const answer of await Promise.all(waits)) expect(answer.status).toBe(200)
})

test('ends with its world', async () => {
  const world = await bench.world()
  const waiting = world.raw('POST', '/_mfano/wait', { body: { for: 'payment', timeout: '30s' } })
  while (world.inside.feed.count('wait') === 0) await new Promise(setImmediate)
  await world.control('POST', '/reset')
  expect(await waiting).toMatchObject({ status: 503, body: { error: { code: 'SERVICE_UNAVAILABLE' } } })
})
