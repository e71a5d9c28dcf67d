/** What lint warns of: rules and faults that can be used and never come to anything. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: ${name} is how a scenario writes a parameter.
import { describe, expect, it } from 'vitest'
import { useBench } from '../../support/harness.ts'
import { load, loadShipped, shippedNames } from './support.ts'

const bench = useBench()
const head = 'name: late\ndescription: A test.\n'
const warningsOf = (text: string) =>
  load(head + text)
    .warnings()
    .map(({ line, column, path, message }) => `${line}:${column} ${path}: ${message}`)
const rules = (...list: string[]) =>
  `rules:\n${list.map((one) => `  - { ${one}, then: { after: 1s, end: FAILED } }\n`).join('')}`

describe('rules that never decide', () => {
  it.each([
    [
      ['name: all, on: till', 'name: some, on: till, when: request.amount > 5'],
      '"some" never decides anything: the rule "all" on line 4 decides all of them before it. Move it up, or remove one of the two.',
    ],
    [
      ['name: all, on: till', 'name: some, on: [till, paybill], when: request.amount > 5'],
      '"some" never decides till: the rule "all" on line 4 decides all of them before it. Take it out of "on", or move the rule up.',
    ],
    [
      ['name: five, on: till, when: request.amount > 5', 'name: again, on: till, when: " request.amount > 5"'],
      '"again" never decides anything: the rule "five" on line 4 decides',
    ],
    [
      ['name: closed account, on: account-verification'],
      '"closed account" never decides anything: POST /api/sandbox/v1/bank/payout/verify-account is off here. Turn it on: assumptions: { unlisted-operations: on }.',
    ],
  ])('%j', (list, message) => {
    const warnings = warningsOf(rules(...list))
    expect(warnings).toHaveLength(1)
    expect(warnings[0]).toContain(message)
    expect(warnings[0]).toMatch(new RegExp(`^${list.length === 1 ? 4 : 5}:5 rules\\[\\d\\]: `))
  })

  it.each([
    [['name: a, on: till, chance: 0.5', 'name: b, on: till']],
    [['name: a, on: till, nth: { first: 2 }', 'name: b, on: till']],
    [['name: a, on: till, when: time.hour < 12', 'name: b, on: till, when: time.minute < 5']],
  ])('are not these: %j', (list) => {
    expect(warningsOf(rules(...list))).toEqual([])
  })

  it('are not those of the extended scenario', () => {
    expect(warningsOf(rules('name: all fail, on: send-money'))).toEqual([])
  })
})

describe('faults that never meet anything', () => {
  it.each(
    Object.entries({
      'faults:\n  - { name: a, on: "*", then: { status: 503 } }\n  - { name: b, on: getToken, then: { reset: true } }\n':
        '5:5 faults[1]: "b" never meets anything: the fault "a" on line 4 meets all of them before it.',
      'faults:\n  - { name: a, on: getToken, then: { revokeTokens: true } }\n':
        '4:5 faults[0]: "a" never meets POST /api/v1/get-token: nobody brings a token to it. Name another operation, or *.',
      'faults:\n  - { name: a, on: verifyBankAccount, then: { status: 503 } }\n':
        '4:5 faults[0]: "a" never meets POST /api/sandbox/v1/bank/payout/verify-account: POST /api/sandbox/v1/bank/payout/verify-account is off here.',
      'callbacks:\n  faults:\n    - { name: a, on: any, then: { drop: true } }\n    - { name: b, on: till, then: { delay: 1m } }\n':
        '6:7 callbacks.faults[1]: "b" never meets anything: the fault "a" on line 5 meets all of them before it.',
      'assumptions: { bank-collection-callback: none }\ncallbacks:\n  faults:\n    - { name: a, on: bank-collection, then: { drop: true } }\n':
        '6:7 callbacks.faults[0]: "a" is about callbacks of bank collections, and none are sent here.',
    }),
  )('%s', (text, message) => {
    const warnings = warningsOf(text)
    expect(warnings).toHaveLength(1)
    expect(warnings[0]).toContain(message)
  })

  it('are not those behind a fault that lets requests through', () => {
    const limit = '{ name: a, on: "*", then: { rateLimit: { max: 5, per: 1m } } }'
    expect(warningsOf(`faults:\n  - ${limit}\n  - { name: b, on: getToken, then: { status: 503 } }\n`)).toEqual([])
  })
})

describe('settings that come to nothing', () => {
  it.each(
    Object.entries({
      'clock: { rate: 60 }\n': '3:16 clock.rate: rate has no effect: the clock is realtime. Write mode: scaled.',
      'callbacks: { signatureTime: world }\n':
        '3:29 callbacks.signatureTime: signatureTime has no effect: callbacks are not signed here. Turn it on: assumptions: { callback-signature: standard-webhooks }.',
      'callbacks: { retry: { attempts: 2, backoff: [1s, 2s] } }\n':
        '3:45 callbacks.retry.backoff: backoff has 2 waits, and 2 attempts in all use 1. Raise attempts, or remove what is too much.',
      'assumptions: { retry-after: none }\nfaults: [{ on: getToken, then: { rateLimit: { max: 5, per: 1m, retryAfter: 30s } } }]\n':
        '4:45 faults[0].then.rateLimit: retryAfter has no effect: no Retry-After is sent here. Turn it on: assumptions: { retry-after: sent }.',
      'faults: [{ on: getToken, then: { latency: 0s } }]\n':
        '3:43 faults[0].then.latency: latency: 0s has no effect. Remove it.',
      'callbacks: { faults: [{ name: a, on: till, then: { delay: 0s } }] }\n':
        '3:59 callbacks.faults[0].then.delay: delay: 0s has no effect. Remove it.',
      'rules: [{ name: a, on: till, then: { after: 1s, end: FAILED, callback: { delay: 0s } } }]\n':
        '3:81 rules[0].then.callback.delay: delay: 0s has no effect. Remove it.',
      'directory: { subscribers: [{ phone: "254212345678", name: A }] }\n':
        '3:37 directory.subscribers[0].phone: No payment reaches "254212345678": no country has such a number. Write one such as 254712345678.',
      'directory: { bankAccounts: [{ bankCode: "68", account: "0123456789", holder: A }] }\n':
        '3:41 directory.bankAccounts[0].bankCode: No payment reaches bank "68": a bank code must be 00 and two digits.',
      'parameters:\n  limit: { default: 5 }\n':
        '4:3 parameters.limit: Nothing uses the parameter "limit". Write ${limit} where its value belongs, or remove it.',
      'directory:\n  subscribers:\n    - { phone: "254711000777", name: A }\n    - { phone: "254711000777", name: B }\n':
        '6:7 directory.subscribers[1]: 254711000777 is listed on line 5 already, which counts. Remove one of the two.',
    }),
  )('%s', (text, message) => expect(warningsOf(text)).toEqual([message]))

  it('are not parameters that the extended scenario uses', () => {
    const files = {
      'scenarios/base.yaml': `name: base\ndescription: A base.\nparameters: { odds: { default: 0.5 } }\n${rules('name: a, on: till, chance: "${odds}"')}`,
    }
    const own = `${head}extends: ./base.yaml\nparameters: { odds: { default: 0.1 } }\n`
    expect(load(own, files).warnings()).toEqual([])
  })
})

it('finds nothing in what is shipped', () => {
  expect(shippedNames.flatMap((name) => loadShipped(name).warnings())).toEqual([])
})

it('shows them wherever a scenario is taken or read', async () => {
  const text = `${head}${rules('name: all, on: till', 'name: never, on: till')}`
  const found = [{ line: 5, path: 'rules[1]', message: expect.stringMatching(/^"never" never decides anything: /) }]
  const world = await bench.world({ scenario: text })
  expect((await world.control('GET', '/scenario')).warnings).toMatchObject(found)
  expect(
    (await (await fetch(`${world.baseUrl}/_mfano/scenario`, { method: 'PUT', body: text })).json()).warnings,
  ).toMatchObject(found)
  expect(
    (await (await fetch(`${world.baseUrl}/_mfano/scenario/lint`, { method: 'POST', body: text })).json()).warnings,
  ).toMatchObject(found)
})
