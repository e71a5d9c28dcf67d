import { expect, test, vi } from 'vitest'
import type { JournalEntry } from '../../../src/core/model/journal.ts'
import { bodies, payoutTo } from '../../support/bodies.ts'
import { type TestWorld, useBench } from '../../support/harness.ts'

// The journal and the outbox answer questions: what came, how often, in which order, and what came nearest.

const bench = useBench()
const base = '/api/sandbox/v1'

const order = (change: object = {}) => payoutTo(bench.receiver.url(), change)
const pay = (world: TestWorld, change: object = {}) => world.post(`${base}/send-money`, order(change))
const till = (world: TestWorld) => world.post(`${base}/till`, { ...bodies.till(bench.receiver.url()), amount: 5 })
const verify = (world: TestWorld, body: object) => world.control('POST', '/verify', body)
const SENT = 'request.operation == "createSendMoney"'
// biome-ignore lint/suspicious/noExplicitAny: what a server answers is for the test to judge
const idsOf = (answers: any[]) => answers.map(({ headers }) => headers.get('mfano-request-id'))

async function listed(world: TestWorld, query: Record<string, string>): Promise<string[]> {
  const { requests } = await world.control('GET', `/requests?${new URLSearchParams(query)}`)
  return requests.map(({ requestId }: { requestId: string }) => requestId)
}

test('requests by operation, field, time, rule and condition', async () => {
  const world = await bench.world()
  await world.token()
  const [first] = idsOf([await pay(world, { amount: 10, referenceId: 'a' })])
  await world.advance('1m')
  const [second] = idsOf([await pay(world, { amount: 20, referenceId: 'b', remark: 'a slip' })])
  const [limited] = idsOf([await pay(world, { phoneNumber: '254711000429' })])
  await world.advance('1m')
  const [third] = idsOf([await till(world)])

  expect(await listed(world, { operation: 'createSendMoney' })).toEqual([limited, second, first])
  expect(await listed(world, { operation: 'createSendMoney', status: '201' })).toEqual([second, first])
  expect(await listed(world, { since: '2025-01-24T16:29:00', until: '2025-01-24T16:29:59' })).toEqual([limited, second])
  expect(await listed(world, { path: `${base}/till`, method: 'post' })).toEqual([third])
  expect(await listed(world, { where: 'body.amount == 10 || payment.referenceId == "b"' })).toEqual([second, first])
  expect(await listed(world, { where: 'request.status >= 400' })).toEqual([limited])
  expect(await listed(world, { unread: 'true' })).toEqual([second])
  expect(await listed(world, { requestId: second })).toEqual([second])
  expect(await listed(world, { requestId: second, operation: 'getToken' })).toEqual([])
  expect(await listed(world, { where: 'payment.status == "SUCCESS"' })).toEqual([second, first])
})

test('a pattern is matched in time that grows with the text, not with the ways to match it', async () => {
  const world = await bench.world()
  const [id] = idsOf([await pay(world, { remarks: `${'a'.repeat(39)}!` })])
  expect(await listed(world, { where: `body.remarks.matches("^${'(a|a)'.repeat(30)}b")` })).toEqual([])
  expect(await listed(world, { where: `body.remarks.matches("^${'(a|a)'.repeat(30)}a+!$")` })).toEqual([id])
})

test('a page goes on where the one before stopped, whatever the condition', async () => {
  const world = await bench.world()
  const ids = []
  for (let amount = 1; amount <= 7; amount++) ids.push(...idsOf([await pay(world, { amount })]))
  const where = encodeURIComponent('request.operation == "createSendMoney" && body.amount != 4')
  const pages = []
  let next: number | null = null
  do {
    const page = await world.control('GET', `/requests?limit=4&where=${where}${next === null ? '' : `&before=${next}`}`)
    pages.push(page.requests.map(({ requestId }: { requestId: string }) => requestId))
    next = page.next
  } while (next !== null)
  const others = ids.filter((_, i) => i !== 3).reverse()
  expect(pages).toEqual([others.slice(0, 4), others.slice(4)])
})

test('where nothing matches, the nearest miss and what differed', async () => {
  const world = await bench.world()
  await pay(world, { referenceId: 'salary-1' })
  const [id] = idsOf([await pay(world, { referenceId: 'salary-2', amount: 7 })])
  const where = (condition: string) => verify(world, { where: condition })
  const answer = await where(
    'request.operation == "createSendMoney" && body.referenceId == "salary-3" && body.amount == 7',
  )
  expect(answer).toMatchObject({
    ok: false,
    matches: [],
    why: 'found 0, expected at least 1; the nearest: body.referenceId is "salary-2"',
    nearest: {
      requestId: id,
      held: ['request.operation == "createSendMoney"', 'body.amount == 7'],
      missed: [{ part: 'body.referenceId == "salary-3"', found: { 'body.referenceId': 'salary-2' } }],
    },
  })
  expect((await where('request.operation == "createCheckoutSession"')).why).toContain(
    'the nearest: request.operation is "createSendMoney"',
  )
})

test('exactly once, at least, at most', async () => {
  const world = await bench.world()
  await pay(world, { referenceId: 'a' })
  await pay(world, { referenceId: 'b' })
  expect(await verify(world, { where: `${SENT} && body.referenceId == "a"`, times: { exactly: 1 } })).toMatchObject({
    ok: true,
    found: 1,
    why: null,
    matches: [{ operation: 'createSendMoney' }],
    nearest: null,
  })
  expect(await verify(world, { where: SENT, times: { exactly: 1 } })).toMatchObject({
    ok: false,
    found: 2,
    why: 'found 2, expected exactly 1',
    matches: [{ request: { body: { referenceId: 'a' } } }, { request: { body: { referenceId: 'b' } } }],
    nearest: null,
  })
  const answered = `${SENT} && request.status == 201`
  expect(await verify(world, { where: answered, times: { atLeast: 1, atMost: 2 } })).toMatchObject({ ok: true })
  const tills = { where: 'request.operation == "createTillPayment"', times: { exactly: 0 } }
  expect(await verify(world, tills)).toMatchObject({ ok: true, found: 0 })
})

test('callbacks, payments and messages are verified in the same way', async () => {
  const world = await bench.world()
  await pay(world, { referenceId: 'a', callbackUrl: `${world.baseUrl}/_mfano/inbox/shop` })
  await pay(world, { referenceId: 'b', phoneNumber: '254711000404' })
  await world.advance('1m')
  const ask = (subject: string, where: string, times?: object) => verify(world, { for: subject, where, times })
  const once = { exactly: 1 }
  const delivered = 'callback.state == "delivered" && body.status == "SUCCESS"'
  expect(await ask('callback', delivered, once)).toMatchObject({ ok: true })
  expect(await ask('payment', 'payment.status == "FAILED" && payment.kind == "send-money"', once)).toMatchObject({
    ok: true,
    matches: [{ referenceId: 'b' }],
  })
  const mine = 'message.name == "shop"'
  expect(await ask('inbox', `${mine} && has(body.requestId)`, { atMost: 1 })).toMatchObject({ ok: true, found: 1 })
  expect(await ask('inbox', `${mine} && body.status == "FAILED"`)).toMatchObject({
    ok: false,
    nearest: { inbox: 'shop', held: ['message.name == "shop"'], missed: [{ found: { 'body.status': 'SUCCESS' } }] },
  })
})

test('the outbox by condition and time', async () => {
  const world = await bench.world()
  await pay(world, { amount: 1 })
  await pay(world, { amount: 2, phoneNumber: '254711000202' })
  await world.advance('1h')
  const list = async (query: Record<string, string>) => {
    const { callbacks } = await world.control('GET', `/callbacks?${new URLSearchParams(query)}`)
    return callbacks.map(({ body }: { body: { amount: number } }) => body.amount)
  }
  expect(await list({ where: 'body.amount == 2 && callback.state == "delivered"' })).toEqual([2])
  expect(await list({ since: '2025-01-24T16:30:00' })).toEqual([2])
  expect(await list({ until: '2025-01-24T16:30:00', state: 'delivered' })).toEqual([1])
})

test('says what is wrong with what is asked', async () => {
  const world = await bench.world()
  const refusal = async (body: object) => {
    const answer = await world.raw('POST', '/_mfano/verify', { body })
    expect(answer.status).toBe(400)
    return answer.body.error.details
  }
  expect(await refusal({ where: 'request.operation == "createSendMony"' })).toMatch(
    /^where: column 22: request\.operation is never "createSendMony"\..* Did you mean "createSendMoney"\?$/,
  )
  expect(await refusal({ wher: 'request.status == 1' })).toMatch(
    /^wher: is not known here; known: for, where, .* Did you mean "where"\?$/,
  )
  expect(await refusal({ where: 'request.statu == 1' })).toMatch(/^where: column 9: "request" has no field "statu"/)
  expect(await refusal({ times: { exactly: -1 } })).toContain('times.exactly: must be at least 0')
  expect(await refusal({ since: 'yesterday' })).toContain('since: must be an ISO 8601 date and time')
  const list = await world.raw('GET', '/_mfano/requests?operation=createSendMony')
  expect(list.body.error.details).toContain('(did you mean "createSendMoney"?)')
  expect((await world.raw('GET', '/_mfano/requests?sinse=2025')).body.error.details).toContain('Did you mean "since"?')
})

/** Adds so many requests to the journal. */
async function fillJournal({ inside }: TestWorld, count: number): Promise<void> {
  const { journal } = inside.core.store
  const entry = journal.page({ limit: 1 })[0] as JournalEntry
  await inside.commit.submit(() => {
    for (let seq = 1; seq <= count; seq++) journal.insert({ ...entry, seq: seq + 1_000, operation: 'createSendMoney' })
  })
}

test('a journal that is longer than can be looked at is not judged by a part of it', async () => {
  const world = await bench.world()
  await world.token()
  await fillJournal(world, 100_000)
  expect(await verify(world, { where: 'request.operation == "getToken"', times: { exactly: 1 } })).toMatchObject({
    ok: true,
  })
  const { status, body } = await world.raw('POST', '/_mfano/verify', { body: { times: { exactly: 1 } } })
  expect({ status, code: body.error.code }).toEqual({ status: 400, code: 'TOO_MANY' })
  expect(body.error.details).toContain('since and until')
  expect((await world.control('GET', '/requests?where=request.status%20%3E%20499')).next).toEqual(expect.any(Number))
})

test('others have their turn after every 2,000 rows of a long list, though none matches', async () => {
  const world = await bench.world()
  await world.token()
  await fillJournal(world, 10_000)
  const turns = vi.spyOn(world.inside.host, 'defer')
  for (const [name, value] of Object.entries({ search: 'nobody', status: '409', where: 'request.method == "PUT"' })) {
    turns.mockClear()
    expect(await listed(world, { [name]: value })).toEqual([])
    expect(turns.mock.calls.length, name).toBeGreaterThanOrEqual(5)
  }
})
