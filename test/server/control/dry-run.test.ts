/** What would happen to a request, by faults and rules. Nothing is made. */
import { describe, expect, it } from 'vitest'
import { paymentsService } from '../../../src/service/service.ts'
import { type TestWorld, useBench } from '../../support/harness.ts'

const bench = useBench()
const SEND_MONEY = '/api/sandbox/v1/send-money'
const file = `name: questioned
description: A rule or a fault for every selector.
rules:
  - { name: only the third, on: send-money, nth: 3, then: { after: 1s, end: FAILED } }
  - { name: lunch, on: paybill, when: time.hour == 12, then: { after: 5s, end: FAILED } }
  - { name: told wrongly, on: bank-payout, then: { after: 1s, end: SUCCESS, callback: { drop: true } } }
faults:
  - { name: slow at night, on: "*", when: time.hour < 6, then: { latency: 2s } }
  - { name: flaky, on: createSendMoney, nth: { first: 2 }, then: { status: 503 } }
  - { name: short tokens, on: "*", then: { revokeTokens: { after: 1m } } }
  - { name: busy, on: POST /api/v1/get-token, then: { rateLimit: { max: 2, per: 1m } } }
callbacks:
  faults:
    - { name: for sevens, on: any, when: request.amount == 7, then: { early: true } }
    - { name: twins, on: any, nth: 1, then: { duplicate: { times: 2, together: true } } }
`
const explain = (world: TestWorld, question: object) =>
  world.control('POST', '/scenario/explain', { request: {}, ...question })
type Decision = Record<'about' | 'name' | 'outcome' | 'why', string>
const of = (about: string, { decisions }: { decisions: Decision[] }) => decisions.filter((one) => one.about === about)
const outcomes = (decisions: readonly Decision[]) => decisions.map(({ name, outcome }) => `${name}: ${outcome}`)
const metOf = (decisions: readonly Decision[]) => decisions.find(({ outcome }) => outcome === 'met')?.name

describe('faults of answers', () => {
  it('turn a request away before any rule is asked, and say which and why not the others', async () => {
    const world = await bench.world({ scenario: file })
    const { rule, plan, decisions, story } = await explain(world, { kind: 'send-money' })
    expect({ rule, plan }).toEqual({ rule: null })
    expect(decisions).toEqual([
      { about: 'answer', name: 'slow at night', outcome: 'condition false', why: 'time.hour < 6 is false' },
      { about: 'answer', name: 'flaky', outcome: 'met', why: 'it has no condition: status 503' },
      { about: 'answer', name: 'short tokens', outcome: 'not asked', why: 'a fault before it was met' },
    ])
    expect(story).toMatchObject([
      { station: 'answer', text: 'Answered 503 (flaky: not executed, answered 503 SERVICE_UNAVAILABLE)' },
    ])
  })

  it('are asked about any operation, by id or by method and path', async () => {
    const world = await bench.world({ scenario: file })
    const asked = async (more: object) => outcomes((await explain(world, { operation: 'getToken', ...more })).decisions)
    expect(await asked({})).toEqual([
      'slow at night: condition false',
      'short tokens: let through',
      'busy: let through',
    ])
    expect((await asked({ nth: 3 })).at(-1)).toBe('busy: met')
    expect(await asked({ operation: 'POST /api/v1/get-token', at: '2025-01-24T03:00:00' })).toEqual([
      'slow at night: met',
      'short tokens: not asked',
      'busy: not asked',
    ])
    expect((await explain(world, { operation: 'listTillPayments' })).rule).toBeNull()
  })

  it('meet just what the explanation says that they meet', async () => {
    const world = await bench.world({ scenario: file })
    const order = { phoneNumber: '254712345678', amount: 10, currencyCode: 'KSH', remarks: 'r', occasion: 'o' }
    const body = { ...order, callbackUrl: bench.receiver.url() }
    await world.token()
    for (let nth = 1; nth <= 6; nth++) {
      const [foreseen, next] = [
        await explain(world, { kind: 'send-money', request: body }),
        await explain(world, { kind: 'send-money', request: body, nth: 2 }),
      ]
      const decider = (one: typeof foreseen) => metOf(of('answer', one)) ?? one.rule
      const { headers } = await world.post(SEND_MONEY, body)
      expect(decodeURI(headers.get('mfano-rule') ?? '')).toBe(decider(foreseen))
      expect(decider(await explain(world, { kind: 'send-money', request: body }))).toBe(decider(next))
    }
  })
})

describe('faults of callbacks', () => {
  const till = (amount: number) => ({ kind: 'till', request: { amount, businessNumber: '12345' } })

  it('say which of them the payment would meet', async () => {
    const world = await bench.world({ scenario: file })
    const sevens = await explain(world, till(7))
    expect(outcomes(of('callback', sevens))).toEqual(['for sevens: met', 'twins: not asked'])
    expect(sevens.plan).toMatchObject({ after: '0s', callback: { rule: 'for sevens' } })
    expect(of('callback', await explain(world, till(5)))).toMatchObject([
      { why: 'request.amount == 7 is false' },
      { name: 'twins', outcome: 'met', why: 'it has no condition: duplicate (times 2, together)' },
    ])
    expect(of('callback', await explain(world, { ...till(5), nth: 2 }))).toMatchObject([
      { outcome: 'condition false' },
      { outcome: 'not its turn', why: 'it matched, and it meets only the 1st of its matches' },
    ])
  })

  it('are not asked where the rule says itself what goes wrong', async () => {
    const world = await bench.world({ scenario: file })
    expect(of('callback', await explain(world, { kind: 'bank-payout', request: { amount: 7 } }))).toMatchObject([
      { outcome: 'not asked', why: 'the rule "told wrongly" says itself what becomes of the callback' },
      { outcome: 'not asked' },
    ])
  })

  it('cannot end early what never ends', async () => {
    const world = await bench.world({ scenario: file })
    const asked = await explain(world, { kind: 'till', request: { amount: 7, businessNumber: '000999' } })
    expect(outcomes(of('callback', asked))).toEqual(['for sevens: cannot happen', 'twins: met'])
  })
})

describe('an nth request, and another time', () => {
  it.each([
    [{ kind: 'send-money', nth: 3 }, 'the payout succeeds'],
    [{ kind: 'send-money', nth: 5 }, 'only the third'],
    [{ kind: 'paybill', at: '2025-01-24T12:30:00' }, 'lunch'],
    [{ kind: 'paybill' }, 'the payout succeeds'],
  ])('%j', async (question, rule) => {
    const world = await bench.world({ scenario: file })
    const request = { phoneNumber: '254712345678' }
    expect((await explain(world, { ...question, request })).rule).toBe(rule)
    expect((await world.control('GET', '/payments')).total).toBe(0)
    expect(world.inside.core.store.counters.current('decision')).toBe(0)
  })

  it.each([
    [{}, 'kind: is required (send-money, till, '],
    [{ kind: 'till', operation: 'getToken' }, 'or operation in its place; got both'],
    [{ operation: 'getTokn' }, 'operation: "getTokn" is not one. Did you mean "getToken"?'],
    [{ kind: 'till', nth: 0 }, 'nth: must be at least 1'],
    [{ kind: 'till', at: 'noon' }, 'at: must be a time from 1970 to 2254, such as 2025-01-24T16:28:00'],
    [{ kind: 'till', nht: 1 }, 'nht'],
  ])('is checked: %j', async (question, details) => {
    const world = await bench.world()
    const answer = await world.raw('POST', '/_mfano/scenario/explain', { body: { request: {}, ...question } })
    expect(answer.status).toBe(400)
    expect(answer.body.error.details).toContain(details)
  })

  it('leaves nobody in doubt about what cannot be read, or does not exist', async () => {
    const world = await bench.world({ scenario: file })
    expect((await explain(world, { kind: 'till', request: { amonut: 5 } })).unread).toEqual(['amonut'])
    expect((await explain(world, { kind: 'account-verification' })).off).toMatch(
      /^POST \/api\/sandbox\/v1\/bank\/payout\/verify-account is off here\. .* Until then, such a request is answered 404\.$/,
    )
    expect((await explain(world, { kind: 'till' })).off).toBeNull()
  })
})

it('goes on from what the same requests before it have used up', async () => {
  const scenario = {
    name: 'scarce',
    description: 'Little of everything.',
    wallets: { KES: 1000 },
    rules: [
      {
        name: 'a second one',
        on: 'till',
        when: 'history.pending(request.businessNumber) == 1',
        then: { after: '1s', end: 'FAILED' },
      },
      { name: 'nearly empty', on: 'till', when: 'wallet.available < 380', then: { after: '1s', end: 'FAILED' } },
    ],
    rails: {
      fees: [{ on: 'till', amount: 10 }],
      limits: [{ name: 'the daily limit', on: 'send-money', daily: 500 }],
      float: [{ name: 'the purse', on: 'paybill', amount: 500, then: 'hold' }],
    },
  }
  const world = await bench.world({ scenario })
  const asked = (kind: string, nth: number, more: object = {}) =>
    explain(world, {
      kind,
      nth,
      request: { businessNumber: '12345', phoneNumber: '254712345678', amount: 200, ...more },
    })
  expect((await asked('till', 2)).rule).toBe('a second one')
  expect((await asked('till', 4)).rule).toBe('nearly empty')
  expect((await asked('till', 5)).refuse.code).toBe('INSUFFICIENT_FUNDS')
  expect((await asked('send-money', 2)).refuse).toBeUndefined()
  expect((await asked('send-money', 3)).refuse.details).toBe(
    'amount: 200.0 KES would make 600.0 KES today, more than the 500.0 KES a day of 254712345678',
  )
  expect((await asked('paybill', 2)).plan.until).toBeUndefined()
  expect((await asked('paybill', 3)).plan.until).toEqual({ float: 'the purse' })

  // And so it is when they are sent.
  const till = { businessNumber: '12345', amount: 200, remarks: 'r', occasion: 'o', callbackUrl: bench.receiver.url() }
  const answers: string[] = []
  for (let i = 0; i < 5; i++) {
    const { status, headers } = await world.post('/api/sandbox/v1/till', till)
    answers.push(status === 201 ? decodeURI(headers.get('mfano-rule') ?? '') : String(status))
  }
  expect(answers).toEqual(['the payout succeeds', 'a second one', 'the payout succeeds', 'nearly empty', '402'])
})

it('counts what a rule refuses at the control plane too, so that odds and turns go on', async () => {
  const rules = [
    { name: 'twice not', on: 'stk', nth: { first: 2 }, then: { refuse: { code: 'RATE_LIMITED' } } },
    { name: 'then so', on: 'stk', then: { after: '1s', end: 'SUCCESS' } },
  ]
  const world = await bench.world({ scenario: { name: 'x', description: 'Two are refused.', rules } })
  const collect = async () =>
    (await world.raw('POST', '/_mfano/collections/stk', { body: { phoneNumber: '254712345678', amount: 10 } })).status
  expect([await collect(), await collect(), await collect()]).toEqual([429, 429, 201])
  const { hits } = await world.control('GET', '/scenario/hits')
  expect(hits.slice(0, 2)).toMatchObject([{ hits: 2 }, { hits: 1 }])
})

describe('a request of which nothing is given', () => {
  it.each(paymentsService.kinds.names)('is made whole, for %s', async (kind) => {
    const assumptions = { 'unlisted-operations': 'on' }
    const world = await bench.world({ scenario: { name: 'x', description: 'All is on.', assumptions } })
    for (const more of [{}, { nth: 2 }]) {
      const question = { kind, request: {}, ...more }
      const { rule, refuse, plan, story, stopped } = await explain(world, question)
      expect({ rule, refuse, plan }).toEqual({ rule: expect.any(String), plan: expect.anything() })
      expect(story.length).toBeGreaterThan(1)
      expect(stopped).toEqual(expect.any(String))
    }
    expect((await world.control('GET', '/payments')).total).toBe(0)
    expect((await world.control('GET', '/organisations')).organisations).toHaveLength(1)
  })
})
