/** What lint warns of: rules and faults that can be used and never come to anything. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: ${name} is how a scenario writes a parameter.
import { describe, expect, it } from 'vitest'
import { loadedLibraries } from '../../../src/core/loaded-libraries.ts'
import { formulaOf, Reasoner } from '../../../src/core/scenarios/lint/implication.ts'
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

describe('rules for requests that the service refuses itself', () => {
  it.each([
    [
      'name: below, on: send-money, when: request.currencyCode == "TZS" && request.amount < 1000',
      '"below" never decides anything: the service refuses such a request itself: amount must be at least 1000 when TZS. Mend the condition, or remove the rule.',
    ],
    [
      'name: network, on: send-money, when: request.currencyCode == "TZS" && request.serviceCode == "TZ-VODA"',
      'the service refuses such a request itself: serviceCode must be one of',
    ],
  ])('%s', (rule, message) => {
    expect(warningsOf(rules(rule)).join('\n')).toContain(message)
  })

  it.each([
    'name: a, on: send-money, when: request.amount < 1000',
    'name: a, on: send-money, when: request.currencyCode == "TZS" && request.amount <= 1000',
    'name: a, on: send-money, when: request.currencyCode == "KSH" && request.amount < 1000',
    'name: a, on: [send-money, till], when: request.amount < 1000',
  ])('but not for %s', (rule) => {
    expect(warningsOf(rules(rule))).toEqual([])
  })
})

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
      [
        'name: large, on: till, when: request.amount > 5',
        'name: larger, on: till, when: "request.remarks == \'x\' && request.amount >= 10"',
      ],
      '"larger" never decides anything: the rule "large" on line 4 decides',
    ],
    [
      [
        'name: Kenya, on: send-money, when: request.phoneNumber.startsWith("254")',
        'name: one, on: send-money, when: request.phoneNumber == "254711000404"',
      ],
      '"one" never decides anything: the rule "Kenya" on line 4 decides',
    ],
    [['name: off, on: till, chance: 0', 'name: on, on: till'], '"off" never decides anything: its chance is 0.'],
    [
      ['name: off, on: till, when: "false"', 'name: on, on: till'],
      '"off" never decides anything: "false" is never true. ',
    ],
    [
      ['name: none, on: till, when: request.amount > 10 && request.amount < 5'],
      '"none" never decides anything: "request.amount > 10 && request.amount < 5" is never true. Mend it, or remove the rule.',
    ],
    [
      ['name: none, on: send-money, when: request.currencyCode == "TZS" && request.currencyCode != "TZS"'],
      'is never true.',
    ],
    [
      ['name: closed account, on: account-verification'],
      '"closed account" never decides anything: POST /api/sandbox/v1/bank/payout/verify-account is off here. Turn it on: assumptions: { unlisted-operations: on }.',
    ],
  ])('%j', (list, message) => {
    const warnings = warningsOf(rules(...list))
    expect(warnings).toHaveLength(1)
    expect(warnings[0]).toContain(message)
    expect(warnings[0]).toMatch(
      new RegExp(`^${list.length === 1 || message.includes('"off"') ? 4 : 5}:5 rules\\[\\d\\]: `),
    )
  })

  it.each([
    [['name: a, on: till, chance: 0.5', 'name: b, on: till']],
    [['name: a, on: till, nth: { first: 2 }', 'name: b, on: till']],
    [['name: a, on: till, when: request.amount > 10', 'name: b, on: till, when: request.amount >= 10']],
    [
      [
        'name: a, on: till, when: request.remarks.contains("ab")',
        'name: b, on: till, when: request.remarks.startsWith("a")',
      ],
    ],
    [['name: a, on: till, when: request.amount != 5', 'name: b, on: till, when: request.amount < 6']],
    [['name: a, on: till, when: time.hour < 12', 'name: b, on: till, when: time.minute < 5']],
  ])('are not these: %j', (list) => {
    expect(warningsOf(rules(...list))).toEqual([])
  })

  it('are not those that a parameter has turned off', () => {
    const knob = 'parameters: { odds: { default: 0 }, on: { default: "false" } }\n'
    expect(
      warningsOf(`${knob}${rules('name: a, on: till, chance: "${odds}"', 'name: b, on: till, when: "${on}"')}`),
    ).toEqual([])
  })

  it('are not those of the extended scenario', () => {
    expect(warningsOf(rules('name: all fail, on: send-money'))).toEqual([])
  })
})

describe('faults that never meet anything', () => {
  it.each([
    [
      'faults:\n  - { name: a, on: "*", then: { status: 503 } }\n  - { name: b, on: getToken, then: { reset: true } }\n',
      '5:5 faults[1]: "b" never meets anything: the fault "a" on line 4 meets all of them before it.',
    ],
    [
      'faults:\n  - { name: a, on: getToken, then: { revokeTokens: true } }\n',
      '4:5 faults[0]: "a" never meets POST /api/v1/get-token: nobody brings a token to it. Name another operation, or *.',
    ],
    [
      'faults:\n  - { name: a, on: verifyBankAccount, then: { status: 503 } }\n',
      '4:5 faults[0]: "a" never meets POST /api/sandbox/v1/bank/payout/verify-account: POST /api/sandbox/v1/bank/payout/verify-account is off here.',
    ],
    [
      'faults:\n  - { name: a, on: getToken, when: "nth in [1, 2]", nth: 3, then: { status: 503 } }\n',
      '4:5 faults[0]: "a" never meets anything: it waits for the 3rd match, and its condition names only 2 numbers (nth).',
    ],
    [
      'callbacks:\n  faults:\n    - { name: a, on: any, then: { drop: true } }\n    - { name: b, on: till, then: { delay: 1m } }\n',
      '6:7 callbacks.faults[1]: "b" never meets anything: the fault "a" on line 5 meets all of them before it.',
    ],
    [
      'assumptions: { bank-collection-callback: none }\ncallbacks:\n  faults:\n    - { name: a, on: bank-collection, then: { drop: true } }\n',
      '6:7 callbacks.faults[0]: "a" is about callbacks of bank collections, and none are sent here.',
    ],
  ])('%s', (text, message) => {
    const warnings = warningsOf(text)
    expect(warnings).toHaveLength(1)
    expect(warnings[0]).toContain(message)
  })

  it('turn away what rules wait for', () => {
    const fault = (more: string) => `faults: [{ name: down, on: createTillPayment, then: { status: 503 }${more} }]\n`
    const till = rules('name: a, on: till')
    expect(warningsOf(`${till}${fault('')}`)).toEqual([
      '4:5 rules[0]: "a" never decides anything: the fault "down" on line 5 turns every such request away. Give the fault a condition, or remove the rule.',
    ])
    expect(warningsOf(`${till}${fault(', nth: 1')}`)).toEqual([])
    expect(warningsOf(`${till}${fault(', after: true')}`)).toEqual([])
    expect(warningsOf(`${rules('name: a, on: [till, paybill]')}${fault('')}`)).toEqual([])
  })

  it('are not those behind a fault that lets requests through', () => {
    const limit = '{ name: a, on: "*", then: { rateLimit: { max: 5, per: 1m } } }'
    expect(warningsOf(`faults:\n  - ${limit}\n  - { name: b, on: getToken, then: { status: 503 } }\n`)).toEqual([])
  })
})

describe('settings that come to nothing', () => {
  it.each([
    [
      'parameters:\n  limit: { default: 5 }\n',
      '4:3 parameters.limit: Nothing uses the parameter "limit". Write ${limit} where its value belongs, or remove it.',
    ],
    [
      'directory:\n  subscribers:\n    - { phone: "254711000777", name: A }\n    - { phone: "254711000777", name: B }\n',
      '6:7 directory.subscribers[1]: 254711000777 is listed on line 5 already, which counts. Remove one of the two.',
    ],
    [
      'clock: { start: 2025-02-01T00:00:00 }\nrails: { maintenance: [{ on: till, from: 2025-01-01T00:00:00, to: 2025-01-02T00:00:00 }] }\n',
      '4:1 rails.maintenance[0]: "rails.maintenance[0]" never comes: it is over before the world begins (clock.start).',
    ],
  ])('%s', (text, message) => expect(warningsOf(text)).toEqual([message]))

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

it('compares as many conditions as it has time for, and says nothing of the rest', () => {
  const wider = Array.from({ length: 1_900 }, (_, i) => `name: r${i}, on: till, when: request.amount > ${5_000 - i}`)
  expect(warningsOf(rules(...wider, 'name: never, on: till, when: request.amount > 9000'))).toEqual([])
  expect(warningsOf(rules(...wider.slice(0, 100), 'name: never, on: till, when: request.amount > 9000'))).toHaveLength(
    1,
  )
})

describe('one condition follows from another', () => {
  const reasoner = new Reasoner()
  const implies = (first: string, second: string) =>
    reasoner.implies(formulaOf(first, loadedLibraries), formulaOf(second, loadedLibraries))
  it.each([
    ['a.x > 5', 'a.x > 3'],
    ['a.x > 5', 'a.x >= 5'],
    ['5 < a.x', 'a.x > 3'],
    ['a.x == 5', 'a.x > 3 && a.x != 4'],
    ['a.x in [1, 2]', 'a.x < 3'],
    ['a.x > 5 && a.y', 'a.y'],
    ['a.x > 5', 'a.x > 9 || a.x > 1'],
    ['a.x > 9 || a.x < -9', 'a.x != 0'],
    ['a.s.endsWith("404")', 'a.s.endsWith("04")'],
    ['a.s.startsWith("254")', 'a.s.contains("25") && a.s != "1"'],
    ['!a.known', 'a.known == false'],
    ['similarity(a.s, a.t) < 0.5', 'similarity(a.s, a.t) < 0.8'],
  ])('%s makes %s so, and not the other way round', (first, second) => {
    expect(implies(first, second)).toBe(true)
    if (!second.includes('known')) expect(implies(second, first)).toBe(false)
  })
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
