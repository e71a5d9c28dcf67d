/** `GET /_mfano/payments/{id}/explain`: what became of a payment, why, and what would move it on. */
import { expect, it } from 'vitest'
import { alarms } from '../../support/alarms.ts'
import { bodies, payoutTo } from '../../support/bodies.ts'
import { START, type TestWorld, useBench } from '../../support/harness.ts'

const time = alarms()
const bench = useBench({ time })
const base = '/api/sandbox/v1'

function order(change: object = {}) {
  return payoutTo(bench.receiver.url(), { amount: 1000, currencyCode: 'KSH', ...change })
}

async function pay(world: TestWorld, change: object = {}): Promise<string> {
  const { body } = await world.post(`${base}/send-money`, order(change))
  return body.data.requestId
}

/** A world in which one rule decides every send-money, and what more a scenario says. */
function ruled(then: object, more: object = {}): Promise<TestWorld> {
  const rules = [{ name: 'the rule', on: 'send-money', then }]
  return bench.world({ scenario: { name: 'ruled', description: 'One rule decides.', rules, ...more } })
}

const explain = (world: TestWorld, id: string) => world.control('GET', `/payments/${id}/explain`)
const textsOf = (story: { station: string; text: string }[], station: string) =>
  story.filter((link) => link.station === station).map(({ text }) => text)

it('tells the chain from the request to the answer of the receiver', async () => {
  const world = await bench.world()
  const uuid = await pay(world, { referenceId: 'salary-1', colour: 'red' })
  await world.advance('1m')
  const { payment, story, stopped } = await explain(world, uuid)
  expect(payment).toMatchObject({ uuid, status: 'SUCCESS' })
  const [{ requestId }] = (await world.control('GET', '/requests?operation=createSendMoney')).requests
  expect(story).toMatchObject([
    {
      station: 'request',
      text: `Example Merchant Ltd asked for a send-money payout of KES 1,000.00 to 254712345678, reference salary-1: POST ${base}/send-money (${requestId})`,
      requestId,
    },
    { station: 'rule', text: expect.stringMatching(/^"the payout succeeds" decided/) },
    { station: 'plan', text: 'Planned: SUCCESS after 2s, at 2025-01-24T16:28:02Z' },
    { station: 'transition', from: null, to: 'PENDING' },
    { station: 'transfer', text: 'Reserved KES 1,000.00: wallet:1:KES to rail:KES' },
    { station: 'answer', text: 'Answered 201; nothing read colour', status: 201 },
    { at: '2025-01-24T16:28:02.000000Z', station: 'transition', text: 'PENDING to SUCCESS: settle, as planned' },
    { station: 'transfer', text: 'Moved KES 1,000.00: wallet:1:KES to rail:KES' },
    { station: 'callback', text: `Callback 1 says SUCCESS, for ${bench.receiver.url()}`, tells: 'SUCCESS' },
    { station: 'attempt', callback: 1, status: 200, error: null },
  ])
  expect(story[1].passed[0]).toEqual({
    about: 'rule',
    name: 'a payout in TZS is below 1000',
    outcome: 'condition false',
    why: 'request.currencyCode == "TZS" && request.amount < 1000 is false',
  })
  expect(stopped).toEqual({
    state: 'SUCCESS',
    waitsFor: 'nothing',
    hints: [],
    dueAt: null,
    why: 'SUCCESS is final. Its merchant was notified: callback 1 was received at 2025-01-24T16:28:02Z.',
    next: [],
  })
  expect((await world.control('GET', `/payments/${uuid}`)).explanation).toEqual({ story, stopped })
  expect((await world.control('GET', `/requests?requestId=${requestId}`)).requests[0].payment).toBe(uuid)
})

it('reads as text, for who asks for it', async () => {
  const world = await bench.world()
  const uuid = await pay(world, { phoneNumber: '254711000404', remarks: 'x', referenceId: 'esc \u001b[2J' })
  await world.advance('1m')
  const accepted = await world.raw('GET', `/_mfano/payments/${uuid}/explain`, { headers: { accept: 'text/plain' } })
  expect(accepted.headers.get('content-type')).toMatch(/^text\/plain/)
  const asked = await world.raw('GET', `/_mfano/payments/${uuid}/explain?format=text`)
  expect(asked.text).toBe(accepted.text)
  const lines = asked.text.split('\n')
  expect(lines[0]).toBe(`send-money ${uuid}, KES 1,000.00: FAILED`)
  expect(lines[2]).toMatch(
    /^24 Jan 2025, 16:28:00 UTC {2}request {5}Example Merchant Ltd asked for .* reference esc \\u001b\[2J:/,
  )
  expect(lines).toContainEqual(
    expect.stringMatching(/^ +- not "the amount is above the limit": request\.amount == 403/),
  )
  expect(lines).toContainEqual(expect.stringMatching(/^ +- nor 6 more, which the JSON form lists$/))
  expect(lines).toContainEqual(expect.stringMatching(/^24 Jan 2025, 16:28:02 UTC {2}transition {2}PENDING to FAILED/))
  expect(lines).toContainEqual(expect.stringMatching(/ transfer +Let go of KES 1,000\.00/))
  expect(lines.at(-2)).toMatch(
    /^Stopped: The rail failed it and gave no reason: the rule "the phone number is not registered" decided so\. FAILED is final\./,
  )
  expect((await world.raw('GET', `/_mfano/payments/${uuid}/explain?format=pdf`)).body.error.details).toContain(
    'format: must be json or text',
  )
})

it('says what to do when a callback was given up', async () => {
  const world = await ruled(
    { after: '2s', end: 'SUCCESS' },
    { callbacks: { retry: { attempts: 2, backoff: ['10s'] } } },
  )
  bench.receiver.answer = 500
  const uuid = await pay(world)
  await world.advance('5s')
  const waiting = await explain(world, uuid)
  expect(waiting.stopped).toMatchObject({ waitsFor: 'receiver', dueAt: '2025-01-24T16:28:12.000000Z' })
  expect(waiting.stopped.why).toContain('Attempt 1 of 2 failed: answered 500')
  await world.advance('1h')
  const { stopped, story } = await explain(world, uuid)
  expect(textsOf(story, 'attempt')).toEqual([
    'Attempt 1 of callback 1: answered 500; a 2xx counts as received, because the receiver failed while it worked on the callback: noted',
    'Attempt 2 of callback 1: answered 500; a 2xx counts as received, because the receiver failed while it worked on the callback: noted',
  ])
  expect(stopped).toMatchObject({ state: 'SUCCESS', waitsFor: 'receiver', dueAt: null })
  expect(stopped.why).toContain('was given up after 2 attempts. The last one: answered 500')
  const [mend, redeliver] = stopped.next
  expect(mend).toBe('Look at the log of the receiver at that moment.')
  const [, path] = /POST \S+\/_mfano(\/callbacks\/\S+)/.exec(redeliver) ?? []
  bench.receiver.answer = 200
  await world.control('POST', path ?? '')
  await world.advance('0s')
  expect((await explain(world, uuid)).stopped.waitsFor).toBe('nothing')
})

it.each([
  ['time', { after: '5m', end: 'SUCCESS' }, /it becomes SUCCESS at 2025-01-24T16:33:00Z, as planned/, /\{"by":"5m"\}$/],
  ['operator', { after: 'never' }, /stays PENDING for ever: the rule "the rule" says/, /^End it as SUCCESS: POST/],
  ['reads', { until: { poll: 3 }, end: 'SUCCESS' }, /with read number 3, and 1 came so far/, /^Read it 2 more times/],
])('says that it waits for %s, and how to go on', async (waitsFor, then, why, next) => {
  const world = await ruled(then)
  const uuid = await pay(world)
  await world.get(`${base}/send-money/single?requestId=${uuid}&companyId=${world.companyId}`)
  const { stopped } = await explain(world, uuid)
  expect(stopped).toMatchObject({ state: 'PENDING', waitsFor })
  expect(stopped.why).toMatch(why)
  expect(stopped.next[0]).toMatch(next)
})

it('says how long a clock that goes by itself still takes', async () => {
  const world = await bench.world({ clock: { mode: 'scaled', rate: 0.5, start: START } })
  const uuid = await pay(world, { phoneNumber: '254711000202' })
  // Twenty seconds of real time are ten of the world's.
  time.pass(20_000)
  const [next] = (await explain(world, uuid)).stopped.next
  expect(next).toMatch(/^Wait 9m40s, or move the clock: POST .*\/clock\/advance \{"by":"4m50s"\}$/)
  await world.advance('4m50s')
  expect((await explain(world, uuid)).payment.status).toBe('SUCCESS')
})

it('knows a success that is to be taken back', async () => {
  const world = await bench.world()
  const uuid = await pay(world, { phoneNumber: '254711000409' })
  await world.advance('1m')
  const before = (await explain(world, uuid)).stopped
  expect(before).toMatchObject({ state: 'SUCCESS', waitsFor: 'time', dueAt: '2025-01-26T16:28:02.000000Z' })
  expect(before.why).toContain('SUCCESS is not its last state: by the plan it becomes FAILED at 2025-01-26T16:28:02Z')
  await world.advance('3d')
  const { story, stopped } = await explain(world, uuid)
  expect(textsOf(story, 'transfer').at(-1)).toBe('Took back KES 1,000.00: rail:KES to wallet:1:KES')
  expect(stopped.why).toMatch(
    /^The rail took it back after it had succeeded: the rule ".+" decided so\. FAILED is final\. Its merchant was notified: callback 2 /,
  )
})

it('tells what the rails made of the plan', async () => {
  const rails = {
    fees: [{ name: 'the tariff', on: 'send-money', amount: 13 }],
    cutOff: [{ name: 'office hours', on: 'send-money', at: '16:00' }],
    float: [{ name: 'the purse', on: 'send-money', amount: 5000 }],
    limits: [{ name: 'the ceiling', on: 'send-money', perTransaction: 4000, then: 'fail' }],
  }
  const world = await ruled({ after: '2s', end: 'SUCCESS' }, { rails })
  const railsOf = async (uuid: string) => textsOf((await explain(world, uuid)).story, 'rails')
  expect(await railsOf(await pay(world))).toEqual([
    'The rail is closed, says "office hours": that puts the end off to 2025-01-27T08:00:02Z',
    'It is paid from the float "the purse"',
    '"the tariff": KES 13.00 on top of the amount',
  ])
  expect(await railsOf(await pay(world, { amount: 4001 }))).toContain('The limit "the ceiling" is broken: FAILED')
  await pay(world, { amount: 3000 })
  expect(await railsOf(await pay(world, { amount: 3500 }))).toContain(
    'The float "the purse" has too little left: FAILED',
  )
})

it('tells of both payments of a request that was executed twice', async () => {
  const world = await ruled({ after: '2s', end: 'SUCCESS', twice: true })
  const first = await pay(world)
  const { payments } = await world.control('GET', '/payments')
  const [second] = payments
  const { story } = await explain(world, second.uuid)
  expect(story[0]).toMatchObject({
    text: `The plan of ${first} has its request executed a second time: a send-money payout of KES 1,000.00 to 254712345678`,
    requestId: (await explain(world, first)).story[0].requestId,
  })
  expect(textsOf(story, 'answer')).toEqual([])
})

it('tells of answers that went wrong, and of the same reference again', async () => {
  const world = await ruled(
    { after: '2s', end: 'SUCCESS', answer: { status: 503 }, callback: { drop: true } },
    { assumptions: { 'duplicate-reference': 'replay' } },
  )
  await world.post(`${base}/send-money`, order({ referenceId: 'salary-1' }))
  await world.post(`${base}/send-money`, order({ referenceId: 'salary-1' }))
  await world.advance('1m')
  const { story, stopped } = await explain(world, 'salary-1')
  expect(textsOf(story, 'answer')).toEqual(['Answered 503 (the rule: executed, answered 503 SERVICE_UNAVAILABLE)'])
  expect(textsOf(story, 'repeat')).toEqual([
    expect.stringMatching(
      /^The same reference came again \(req_\w+\), and this payment answers for it\. Answered 201$/,
    ),
  ])
  expect(stopped.why).toBe('SUCCESS is final. Its merchant was not notified: "the rule" keeps callback 1 back.')
})

it('tells of money that an operator had come in', async () => {
  const world = await bench.world()
  const stk = await world.control('POST', '/collections/stk', { phoneNumber: '254712345678', amount: 50 })
  const bank = await world.control('POST', '/collections/bank', { amount: 300 })
  await world.advance('1m')
  const collected = await explain(world, stk.uuid)
  expect(collected.story[0]).toMatchObject({
    text: 'An operator made an STK collection of KES 50.00 from 254712345678 for Example Merchant Ltd',
    requestId: null,
  })
  expect(collected.stopped.why).toBe('SUCCESS is final. Nobody was notified: the request named no callbackUrl.')
  const { stopped } = await explain(world, bank.uuid)
  expect(stopped.why).toContain('its organisation had no collectionCallbackUrl')
  expect(stopped.next[0]).toContain(`/organisations/${world.companyId} {"collectionCallbackUrl"`)
})

it('sends the payer of a checkout session to its page', async () => {
  const world = await bench.world()
  const { body } = await world.post(`${base}/checkout-sessions`, bodies.checkout(bench.receiver.url()))
  const { stopped, story } = await explain(world, body.id)
  expect(stopped).toMatchObject({ state: 'PENDING', waitsFor: 'payer', dueAt: '2025-01-24T16:58:00.000000Z' })
  expect(stopped.next[0]).toBe(`Pay at ${body.checkoutUrl}`)
  expect(textsOf(story, 'plan')[0]).toMatch(/^Planned: it waits for somebody to pay on its page, then SUCCEEDED after/)
  const token = body.checkoutUrl.split('/').at(-1)
  for (const id of [token, body.checkoutRef]) expect((await explain(world, id)).payment.uuid).toBe(body.id)
})

it('explains by the scenario that decided, when another has taken its place', async () => {
  const world = await ruled({ after: '2s', end: 'FAILED' })
  const uuid = await pay(world)
  await world.raw('PUT', '/_mfano/scenario', {
    body: {
      name: 'other',
      description: 'Other rules.',
      rules: [{ name: 'new', on: 'send-money', then: { after: '9s', end: 'SUCCESS' } }],
    },
  })
  const later = await pay(world)
  expect((await explain(world, uuid)).story[1]).toMatchObject({
    text: '"the rule" of the scenario ruled decided, because it has no condition: after 2s, end FAILED',
  })
  expect((await explain(world, later)).story[1].text).toMatch(/^"new" decided/)
  const [decision] = (await world.control('GET', `/payments/${uuid}`)).trace
  expect(decision).toMatchObject({ name: 'the rule', outcome: 'decided' })
})

it('finds a payment by whatever id of it is at hand', async () => {
  const world = await bench.world()
  const uuid = await pay(world, { referenceId: 'salary-1' })
  await world.advance('1m')
  const { record, callbacks, explanation } = await world.control('GET', `/payments/${uuid}`)
  const ids = [
    uuid.toUpperCase(),
    'salary-1',
    String(record.id),
    record.transactionReceipt,
    record.originatorConversationId,
    callbacks[0].uid,
    explanation.story[0].requestId,
  ]
  for (const id of ids) expect((await world.control('GET', `/payments/${id}`)).uuid, id).toBe(uuid)
})

it('says what came nearest to an id that nothing has', async () => {
  const world = await bench.world()
  const uuid = await pay(world, { referenceId: 'salary-1' })
  await world.post(`${base}/send-money`, order({ referenceId: 'salary-2', phoneNumber: '254711000503' }))
  const errorOf = async (id: string) => (await world.raw('GET', `/_mfano/payments/${id}/explain`)).body.error
  expect((await errorOf('salary-11')).details).toBe('no payment has the id "salary-11". Did you mean "salary-1"?')
  expect((await errorOf(uuid.slice(0, 8))).details).toContain(`Did you mean "${uuid}"?`)
  expect((await errorOf('salary-2')).details).toMatch(
    /The request req_\w+ \(POST \/api\/sandbox\/v1\/send-money\) made none: it was answered 503 by the rule "the phone number meets an outage"/,
  )
  expect(await errorOf('nothing-like-it')).toMatchObject({
    code: 'NOT_FOUND',
    details: 'no payment has the id "nothing-like-it". GET /_mfano/payments lists them.',
  })
})

it('names all payments that share an id', async () => {
  const world = await bench.world()
  const uuids = [await pay(world, { referenceId: 'twice' }), await pay(world, { referenceId: 'twice' })]
  const answer = await world.raw('GET', '/_mfano/payments/twice')
  expect([answer.status, answer.body.error.code]).toEqual([409, 'AMBIGUOUS_ID'])
  for (const uuid of uuids) expect(answer.body.error.details).toContain(`${uuid} (send-money, PENDING, `)
})

it('explains what is left when the journal was emptied', async () => {
  const world = await bench.world()
  const uuid = await pay(world)
  await world.control('DELETE', '/requests')
  const { story } = await explain(world, uuid)
  expect(story[0]).toMatchObject({
    requestId: null,
    text: expect.stringContaining('the journal does not have that request'),
  })
})
