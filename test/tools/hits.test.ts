import { expect, it } from 'vitest'
import { type TestWorld, useBench } from '../support/harness.ts'
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

const pay = (world: TestWorld, fields: object) =>
  world.post('/api/sandbox/v1/send-money', {
    phoneNumber: '254712345678',
    amount: 1000,
    currencyCode: 'KSH',
    remarks: 'r',
    occasion: 'o',
    callbackUrl: bench.receiver.url(),
    ...fields,
  })

it('counts the decisions of every rule', async () => {
  const world = await bench.world({ scenario: file })
  await pay(world, { amount: 200_000 })
  await pay(world, { amount: 300_000 })
  await pay(world, tanzanian)
  const { scenario: name, rules, neverFired } = await world.control('GET', '/scenario/hits')
  expect(name).toBe('month-end')
  expect(rules).toContainEqual(expect.objectContaining({ rule: 'large', hits: 2, line: 8, inherited: false }))
  expect(rules).toContainEqual(expect.objectContaining({ rule: 'small shillings', hits: 1 }))
  expect(rules).toContainEqual(expect.objectContaining({ rule: 'the payout succeeds', hits: 0, inherited: true }))
  expect(neverFired.map(({ rule }: { rule: string }) => rule)).toEqual(['the third till', 'the busy bank'])
})

it('shows the request that came nearest to a rule that never fired', async () => {
  const world = await bench.world({ scenario: file })
  await pay(world, { amount: 7000 })
  const nearest = await pay(world, { ...tanzanian, amount: 9000 })
  await pay(world, { amount: 8000 })
  const { neverFired } = await world.control('GET', '/scenario/hits')
  expect(neverFired[0]).toMatchObject({
    rule: 'small shillings',
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
  expect(neverFired.at(-1)).toMatchObject({ nearest: null, why: 'no bank-payout request came to the rules' })
})

it('counts a refused request among those that came near', async () => {
  const world = await bench.world({ scenario: file.replace('request.amount < 5000', 'request.amount < 5') })
  const refused = await pay(world, { amount: 429.01 })
  expect(refused.status).toBe(429)
  const { neverFired } = await world.control('GET', '/scenario/hits')
  expect(neverFired[1]).toMatchObject({
    rule: 'large',
    nearest: {
      requestId: refused.headers.get('mfano-request-id'),
      decidedBy: 'the amount meets a rate limit',
      missed: ['request.amount > 100000'],
    },
  })
})

it('begins again when told to', async () => {
  const world = await bench.world({ scenario: file })
  await pay(world, { amount: 200_000 })
  await world.control('DELETE', '/scenario/hits')
  const { rules, neverFired } = await world.control('GET', '/scenario/hits')
  expect(rules.every(({ hits }: { hits: number }) => hits === 0)).toBe(true)
  expect(neverFired[1]).toMatchObject({ rule: 'large', nearest: null })
})

it('answers soon when a thousand requests came near a thousand rules', async () => {
  const one = (i: number) =>
    `  - { name: r${i}, on: till, when: request.amount == ${i}.5 && request.remarks == "x", then: { after: 1s, end: FAILED } }\n`
  const many = `name: many\ndescription: Many.\nrules:\n${Array.from({ length: 1000 }, (_, i) => one(i)).join('')}`
  const world = await bench.world({ scenario: many })
  const till = { amount: 7, businessNumber: '12345', remarks: 'x', occasion: 'o', callbackUrl: bench.receiver.url() }
  for (let i = 0; i < 60; i++) await world.post('/api/sandbox/v1/till', till)
  const before = performance.now()
  const { neverFired } = await world.control('GET', '/scenario/hits')
  expect(performance.now() - before).toBeLessThan(1000)
  expect(neverFired).toHaveLength(1000)
  expect(neverFired[0].nearest.held).toEqual(['request.remarks == "x"'])
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
  expect(JSON.parse((await verify('--format', 'json')).out).neverFired).toHaveLength(1)

  await pay(world, tanzanian)
  expect(await verify()).toEqual({ code: 0, out: 'ok: all 2 rules of month-end fired\n', errors: '' })
})
