import { describe, expect, it } from 'vitest'
import type { Hits } from '../../../src/inspect/rule-hits.ts'
import { bodies, payoutTo } from '../../support/bodies.ts'
import { type TestWorld, useBench } from '../../support/harness.ts'
import { scenario } from './support.ts'

const bench = useBench()
const file = `name: month-end
description: A test.
rules:
  - name: small shillings
    on: send-money
    when: request.currencyCode == "TZS" && request.amount < 5000 && request.phoneNumber != ""
    then: { refuse: { code: REQ_INVALID_FIELD } }
  - name: large
    on: [send-money, till]
    when: request.amount > 100000
    then: { after: 1h, end: SUCCESS }
  - { name: the third till, on: till, nth: 3, then: { after: 1s, end: FAILED } }
  - { name: the busy bank, on: bank-payout, then: { after: 1h, end: SUCCESS } }
`

const tanzanian = {
  phoneNumber: '255700000001',
  currencyCode: 'TZS',
  amount: 2000,
  narration: 'MOBILE PAYOUT',
  firstName: 'Asha',
  lastName: 'Example',
  serviceCode: 'TZ-TIGO-B2C',
}

const hitsIn = async (world: TestWorld): Promise<Hits['hits']> => (await world.control('GET', '/scenario/hits')).hits
const idleIn = async (world: TestWorld) => (await hitsIn(world)).filter(({ why }) => why !== null)

const pay = (world: TestWorld, fields: object) =>
  world.post(
    '/api/sandbox/v1/send-money',
    payoutTo(bench.receiver.url(), { amount: 1000, currencyCode: 'KSH', ...fields }),
  )

it('counts the decisions of every rule', async () => {
  const world = await bench.world({ scenario: file })
  await pay(world, { amount: 200_000 })
  await pay(world, { amount: 300_000 })
  await pay(world, tanzanian)
  const { scenario: name, hits } = await world.control('GET', '/scenario/hits')
  expect(name).toBe('month-end')
  expect(hits).toContainEqual(expect.objectContaining({ name: 'large', hits: 2, line: 8, inherited: false }))
  expect(hits).toContainEqual(expect.objectContaining({ what: 'rule', name: 'small shillings', hits: 1 }))
  expect(hits).toContainEqual(expect.objectContaining({ name: 'the payout succeeds', hits: 0, inherited: true }))
  expect((await idleIn(world)).map(({ name: rule }) => rule)).toEqual(['the third till', 'the busy bank'])
  const { hits: one } = await world.control('GET', '/scenario/hits?name=large')
  expect(one).toEqual([expect.objectContaining({ name: 'large', hits: 2 })])
})

it('shows the request that came nearest to a rule that never fired', async () => {
  const world = await bench.world({ scenario: file })
  await pay(world, { amount: 7000 })
  const nearest = await pay(world, { ...tanzanian, amount: 9000 })
  await pay(world, { amount: 8000 })
  const neverFired = await idleIn(world)
  expect(neverFired[0]).toMatchObject({
    name: 'small shillings',
    nearest: {
      payment: nearest.body.data.requestId,
      kind: 'send-money',
      request: { amount: 9000, firstName: 'Asha' },
      decidedBy: 'the payout succeeds',
      held: ['request.currencyCode == "TZS"', 'request.phoneNumber != ""'],
      missed: ['request.amount < 5000'],
    },
    why: 'request.amount < 5000 is false',
  })
  expect(neverFired.at(-1)).toMatchObject({ nearest: null, why: 'no request came for bank-payout' })
})

describe('faults that never fired', () => {
  const faulty = `name: faulty
description: A test.
faults:
  - { name: large, on: createSendMoney, when: request.amount > 5000 && request.currencyCode == "KSH", then: { status: 503 } }
  - { name: busy, on: POST /api/v1/get-token, then: { rateLimit: { max: 100, per: 1m } } }
  - { name: one session, on: getCheckoutSession, when: request.checkoutSessionId.startsWith("f"), then: { status: 503 } }
  - { name: the till, on: createTillPayment, then: { status: 503 } }
  - { name: all, on: "*", when: request.amount == 77, then: { status: 500 } }
  - { name: all again, on: createSendMoney, when: request.amount > 70, then: { latency: 1ms } }
callbacks:
  faults:
    - { name: silent, on: [send-money, stk], when: request.amount > 9000, then: { drop: true } }
    - { name: second till, on: till, nth: 2, then: { drop: true } }
`
  it('show the request that came nearest, and why it did not meet them', async () => {
    const world = await bench.world({ scenario: faulty })
    const near = await pay(world, { amount: 4000 })
    await pay(world, { ...tanzanian, amount: 4000 })
    await world.get('/api/sandbox/v1/checkout-sessions/00000000-0000-4000-8000-000000000009')
    const neverFired = await idleIn(world)
    const of = (name: string) => neverFired.find((one) => one.name === name)
    expect(of('large')).toMatchObject({
      what: 'fault',
      nearest: {
        requestId: near.headers.get('mfano-request-id'),
        operation: 'POST /api/sandbox/v1/send-money',
        request: { amount: 4000 },
        held: ['request.currencyCode == "KSH"'],
        missed: ['request.amount > 5000'],
      },
      why: 'request.amount > 5000 is false',
    })
    expect(of('busy')).toMatchObject({
      nearest: { request: { apiKey: '***' } },
      why: 'its condition holds now; then it let this one pass (rateLimit (max 100, per 1m))',
    })
    expect(of('one session')?.nearest?.request).toEqual({ checkoutSessionId: '00000000-0000-4000-8000-000000000009' })
    expect(of('the till')).toMatchObject({ nearest: null, why: 'no request came for createTillPayment' })
  })

  it('show the payment whose callback came nearest', async () => {
    const world = await bench.world({ scenario: faulty })
    const { body } = await pay(world, { amount: 4000 })
    const neverFired = await idleIn(world)
    expect(neverFired.slice(-2)).toMatchObject([
      {
        name: 'silent',
        what: 'callback-fault',
        nearest: { payment: body.data.requestId, kind: 'send-money', decidedBy: 'the payout succeeds' },
        why: 'request.amount > 9000 is false',
      },
      { name: 'second till', nearest: null, why: 'no request came for till' },
    ])
  })

  it('name the fault that was met before them', async () => {
    const world = await bench.world({ scenario: faulty.replace('request.amount == 77', 'request.amount > 76') })
    await pay(world, { amount: 77 })
    const neverFired = await idleIn(world)
    const again = neverFired.find(({ name }) => name === 'all again')
    expect(again?.why).toBe('its condition holds now; then "all" decided')
    const { out } = await scenario(['verify', '--url', bench.simulator.baseUrl, '--world', world.id])
    expect(out).toMatch(/came nearest: request req_\w+ POST \/api\/sandbox\/v1\/send-money, decided by "all"/)
  })
})

it('tells what was so when the payment was made from what is so now', async () => {
  const then = { after: '1s', end: 'FAILED' }
  const rules = [
    { name: 'never', on: 'send-money', when: 'request.amount > 1 && request.amount < 1', then },
    { name: 'bad payer', on: 'send-money', when: 'history.total(request.phoneNumber) > 0', then },
  ]
  const world = await bench.world({ scenario: { name: 'x', description: 'X.', rules } })
  await pay(world, {})
  const neverFired = await idleIn(world)
  expect(neverFired[1]).toMatchObject({
    name: 'bad payer',
    why: 'its condition holds now; then "the payout succeeds" decided',
  })
})

it('answers when many requests came near a thousand rules', async () => {
  const one = (i: number) =>
    `  - { name: r${i}, on: till, when: request.amount == ${i}.5 && request.remarks == "x", then: { after: 1s, end: FAILED } }\n`
  const many = `name: many\ndescription: Many.\nrules:\n${Array.from({ length: 1000 }, (_, i) => one(i)).join('')}`
  const world = await bench.world({ scenario: many })
  const till = { amount: 7, businessNumber: '12345', remarks: 'x', occasion: 'o', callbackUrl: bench.receiver.url() }
  for (let i = 0; i < 60; i++) await world.post('/api/sandbox/v1/till', till)
  const neverFired = await idleIn(world)
  expect(neverFired).toHaveLength(1000)
  expect(neverFired[0]?.nearest?.held).toEqual(['request.remarks == "x"'])
})

it('fails a job by mfano scenario verify until every own rule fired', async () => {
  const { baseUrl } = bench.simulator
  const rules = file.slice(0, file.indexOf('  - { name: the third till'))
  const world = await bench.world({ scenario: rules })
  const verify = (...more: string[]) => scenario(['verify', '--url', baseUrl, '--world', world.id, ...more])
  await pay(world, { amount: 200_000 })
  const failed = await verify()
  expect(failed.code).toBe(1)
  expect(failed.out.split('\n')).toEqual([
    'scenario:4: never fired: small shillings',
    expect.stringMatching(/^ {2}came nearest: payment \S+, decided by "large"$/),
    expect.stringMatching(/^ {2}\{.*"amount":200000.*\}$/),
    '  true: request.phoneNumber != ""',
    '  but: request.currencyCode == "TZS" and request.amount < 5000 are false',
    '1 of 2 rules of month-end never fired',
    '',
  ])
  expect((await verify('--json')).out.match(/"why": "/g)).toHaveLength(1)

  await pay(world, tanzanian)
  expect(await verify()).toEqual({ code: 0, out: 'ok: all 2 rules of month-end fired\n', errors: '' })
})

it('tells by mfano scenario verify of the first that never fired, and of all for who asks', async () => {
  const rules = Array.from(
    { length: 7 },
    (_, i) => `  - { name: r${i}, on: till, when: request.amount == ${i + 1}, then: { after: 1s, end: FAILED } }\n`,
  )
  const world = await bench.world({ scenario: `name: seven\ndescription: Seven.\nrules:\n${rules.join('')}` })
  const at = ['--url', bench.simulator.baseUrl, '--world', world.id]
  const short = await scenario(['verify', ...at])
  expect(short.out.match(/never fired: r\d/g)).toHaveLength(5)
  expect(short.out).toContain(
    `and 2 more: mfano scenario verify --all --url ${bench.simulator.baseUrl} --world ${world.id}\n`,
  )
  expect((await scenario(['verify', '--all', ...at])).out.match(/never fired: r\d/g)).toHaveLength(7)
})

it('lists by mfano scenario hits what fired, and all rules of its own', async () => {
  const world = await bench.world({ scenario: file })
  await pay(world, { amount: 200_000 })
  const at = ['--url', bench.simulator.baseUrl, '--world', world.id]
  const { out } = await scenario(['hits', ...at])
  expect(out).toMatch(/^WHAT .*\nrule +large +1 /)
  expect(out).toMatch(/\nrule +the third till +0 /)
  expect(out).not.toContain('the payout succeeds')
})

it('tells of limits and other entries of the rails that never did anything', async () => {
  const world = await bench.world({
    scenario: `name: railed
description: Rails.
rails:
  limits: [{ name: small, on: till, perTransaction: 100 }, { name: large, on: till, perTransaction: 1000 }]
  fees: [{ name: a fee, on: till, amount: 5 }]
  cutOff: [{ name: office hours, on: till, at: "17:00" }]
  maintenance: [{ name: the bank sleeps, on: bank-payout, every: "01:00..02:00" }]
`,
  })
  const pay = (amount: number) => world.post('/api/sandbox/v1/till', { ...bodies.till(bench.receiver.url()), amount })
  expect([(await pay(100)).status, (await pay(101)).status]).toEqual([201, 403])
  const rails = (await hitsIn(world)).filter(({ what }) => what !== 'rule')
  expect(rails.map(({ name, what, hits }) => `${what} ${name} ${hits}`).join(', ')).toBe(
    'limit small 1, limit large 0, fee a fee 1, cut-off office hours 0, maintenance the bank sleeps 0',
  )
  expect(await idleIn(world)).toMatchObject([
    { name: 'large', what: 'limit', line: 4, why: 'no till payment met it' },
    { name: 'office hours', what: 'cut-off', why: 'no till payment met it' },
    { name: 'the bank sleeps', nearest: null, why: 'no bank-payout payment met it' },
  ])
})
