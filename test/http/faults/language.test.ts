/** What is impossible on the wire is said when a scenario is loaded, at its line and column. */
import { describe, expect, it } from 'vitest'
import { load, problemsOf } from '../../core/scenarios/support.ts'

const head = 'name: late\ndescription: A test.\n'
const ruled = (then: string, on = 'send-money') => `${head}rules:\n  - { name: a, on: ${on}, then: ${then} }\n`
const faulty = (fault: string) => `${head}faults:\n  - ${fault}\n`
const calling = (fault: string) => `${head}callbacks:\n  faults:\n    - ${fault}\n`

describe('rules', () => {
  it.each([
    ['{ after: 1s, end: SUCCESS, answer: resett }', 'Possible: reset, lost.'],
    ['{ after: 1s, end: SUCCESS, answer: { status: 502 } }', 'Add one of your own: code: BAD_GATEWAY.'],
    ['{ after: 1s, end: SUCCESS, answer: { status: 409 } }', 'Add one of your own: code: CONFLICT.'],
    ['{ after: 1s, end: SUCCESS, answer: { html: true } }', '"status" is missing.'],
    ['{ after: 1s, end: SUCCESS, answer: { status: 500, code: SERVER_ERROR, html: true } }', 'shows no code.'],
    ['{ after: 1s, end: SUCCESS, answer: { code: SERVER_EROR } }', 'Did you mean "SERVER_ERROR"?'],
    ['{ after: 1s, end: SUCCESS, answer: { code: MY_OWN } }', 'needs its status: status: 500.'],
    ['{ after: 1s, end: SUCCESS, answer: { message: Broken } }', '"status" is missing.'],
    ['{ after: 1s, end: SUCCESS, until: { poll: 3 } }', 'Reading it ends it, not time.'],
    ['{ until: { poll: 3 } }', '"end" is missing.'],
    ['{ end: SUCCESS }', '"after" is missing.'],
    ['{ after: 1s, end: SUCCESS, callback: { early: true } }', 'Write after: 0s beside end.'],
    ['{ after: 1s, end: SUCCESS, callback: { drop: true, duplicate: 2 } }', '"duplicate" cannot stand beside "drop"'],
    ['{ after: 1s, end: SUCCESS, callback: { droop: true } }', 'Did you mean "drop"?'],
    ['{ after: 1s, end: SUCCESS, callback: {} }', 'Nothing goes wrong here.'],
    ['{ after: 1s, end: SUCCESS, callback: { delay: 2m..1m } }', 'ends before it begins'],
    ['{ after: 1s, end: SUCCESS, callback: { signature: none } }', 'callbacks are not signed here'],
    ['{ refuse: { code: RATE_LIMITED }, twice: true }', '"twice" cannot stand beside "refuse"'],
  ])('%s', (then, message) => {
    const problems = problemsOf(ruled(then))
    expect(problems, problems.join('\n')).toHaveLength(1)
    expect(problems[0]).toContain(message)
    expect(problems[0]).toMatch(/^4:\d+ /)
  })

  it.each([
    ['allocation', '{ after: 0s, end: SUCCESS, callback: { drop: true } }', 'Nobody is told about an allocation.'],
    [
      'bank-collection',
      '{ after: 0s, end: SUCCESS, answer: reset }',
      'No request of a merchant makes a bank collection.',
    ],
    ['bank-collection', '{ after: 0s, end: SUCCESS, callback: { status: X } }', 'says no status'],
    ['account-verification', '{ end: SUCCESS, until: { poll: 2 } }', 'is not polled to its end'],
    ['checkout', '{ after: 0s, end: SUCCEEDED, callback: { early: true } }', 'has no end before its answer'],
  ])('%s %s', (kind, then, message) => {
    expect(problemsOf(ruled(then, kind)).join('\n')).toContain(message)
  })
})

describe('faults', () => {
  it.each(
    Object.entries({
      '{ on: POST /api/sandbox/v1/send-mony, then: { status: 503 } }':
        'Did you mean "POST /api/sandbox/v1/send-money"?',
      '{ on: [getToken, createSendMony], then: { status: 503 } }': 'Did you mean "createSendMoney"?',
      '{ on: createSendMoney, when: request.amonut > 1.0, then: { status: 503 } }': 'Did you mean "amount"?',
      '{ on: createSendMoney, when: requst.amount > 1.0, then: { status: 503 } }': 'Did you mean "request"?',
      '{ on: createSendMoney, when: request.phoneNumber > 1.0, then: { status: 503 } }':
        'puts a text and a number together',
      '{ on: "*", when: headers.authorization != "", then: { status: 503 } }': 'holds a secret',
      [`{ on: "*", when: 'headers["x-api-key"] != ""', then: { status: 503 } }`]: 'holds a secret',
      [`{ on: "*", when: '"x-tenant" in headers', then: { status: 503 } }`]: 'Write headers["x-tenant"]',
      '{ on: "*", then: { reset: true, status: 500 } }': 'an answer can meet one of them',
      '{ on: "*", then: {} }': 'Nothing goes wrong here.',
      '{ on: "*", then: { latency: 2m } }': 'held back for 1m at the most',
      '{ on: "*", then: { latency: 500 } }': 'Write it like 2s.',
      '{ on: send-money, then: { status: 503 } }': 'send-money payments begin with POST /api/sandbox/v1/send-money.',
      '{ on: "*", then: { revokeTokens: 60s } }': 'Possible: true. Or write it like { after: 60s }.',
      '{ on: "*", then: { rateLimit: 10 } }': 'Write it like { max: 10, per: 1m }.',
      '{ on: "*", then: reset }': 'Write it like { reset: true }.',
      '{ on: "*", when: time.weekday == "Monday", then: { reset: true } }':
        'time.weekday is never "Monday". Known: SUN, MON',
      '{ on: "*", then: { empty: true, slowBody: { bytesPerSecond: 2 } } }': '"empty" cannot stand beside "slowBody"',
      '{ on: "*", after: true, then: { rateLimit: { max: 2, per: 1m } } }': 'Remove after.',
      '{ on: "*", then: { statu: 500 } }': 'Did you mean "status"?',
      '{ on: "*", chance: 2, then: { status: 500 } }': 'chance',
    }),
  )('%s', (fault, message) => {
    const problems = problemsOf(faulty(fault))
    expect(problems, problems.join('\n')).toHaveLength(1)
    expect(problems[0]).toContain(message)
    expect(problems[0]).toMatch(/^4:\d+ faults\[0\]/)
  })

  it('points into the condition', () => {
    const [problem] = problemsOf(faulty('{ on: createSendMoney, when: request.amonut > 1.0, then: { status: 503 } }'))
    expect(problem).toMatch(/^4:42 faults\[0\]\.when: The request of createSendMoney has no field "amonut"/)
  })

  it('are found in callbacks too', () => {
    expect(problemsOf(calling('{ on: send-mony, then: { drop: true } }'))[0]).toContain('Did you mean "send-money"?')
    expect(problemsOf(calling('{ on: till, when: request.amonut > 1.0, then: { drop: true } }'))[0]).toContain(
      '"amount"',
    )
    expect(problemsOf(calling('{ on: allocation, then: { drop: true } }'))[0]).toContain('Nobody is told')
    expect(problemsOf(calling('{ on: till, then: { signature: none } }'))[0]).toContain('callbacks are not signed here')
    expect(problemsOf(calling('{ on: checkout, then: { early: true } }'))[0]).toContain('has no end before its answer')
    expect(problemsOf(calling('{ on: any, then: { early: true, delay: 1m } }'))[0]).toContain(
      'cannot stand beside "early"',
    )
    expect(problemsOf(calling('{ on: any, then: { duplicate: { times: 1 } } }'))[0]).toContain('at least 2')
    expect(problemsOf(calling('{ on: any, then: { duplicate: { together: true } } }'))[0]).toContain(
      '"times" is missing',
    )
    expect(problemsOf(calling('{ on: any, then: { duplicate: { times: 2, togehter: true } } }'))[0]).toContain(
      'Did you mean "together"?',
    )
  })

  it('share their names with nobody, because they are counted by them', () => {
    const text = `${ruled('{ after: 1s, end: SUCCESS }')}faults:\n  - { name: a, on: "*", then: { status: 500 } }\n`
    expect(problemsOf(text)).toEqual([
      '6:13 faults[0].name: "a" is already a name on line 4. Give it a name that says the difference.',
    ])
  })

  it('come before those of the extended scenario, and replace those of the same name', () => {
    const base = `name: base\ndescription: Base.\nfaults:\n  - { name: a, on: "*", then: { status: 500 } }\n  - { name: b, on: "*", then: { status: 503 } }\n`
    const text = `${head}extends: ./base.yaml\nfaults:\n  - { name: b, on: getToken, after: true, then: { status: 504 } }\n  - { on: getToken, nth: 3, then: { latency: 1s..2s, truncate: 0.5 } }\n`
    const { faults } = load(text, { 'scenarios/base.yaml': base })
    expect(faults.map(({ name, on, nth, then, line }) => ({ name, on, nth, then, line }))).toEqual([
      { name: 'b', on: ['getToken'], nth: undefined, then: 'executed, then status 504', line: 5 },
      { name: 'fault 2 of late', on: ['getToken'], nth: 'the 3rd', then: 'latency 1s..2s, truncate 0.5', line: 6 },
      { name: 'a', on: ['*'], nth: undefined, then: 'status 500', line: 4 },
    ])
  })
})

it('says in words what goes wrong by a rule', () => {
  const then = '{ end: SUCCESS, until: { poll: 3 }, twice: true, answer: lost, callback: { delay: 1m, duplicate: 2 } }'
  expect(load(ruled(then)).rules[0]?.then).toBe(
    'end SUCCESS, until (poll 3), twice, answer lost, callback (delay 1m, duplicate 2)',
  )
  const twins =
    '{ after: 1s, end: SUCCESS, callback: { duplicate: { times: 2, together: true }, extra: { a: 1, b: 2 } } }'
  expect(load(ruled(twins)).rules[0]?.then).toBe(
    'after 1s, end SUCCESS, callback (duplicate (times 2, together), extra (a 1, b 2))',
  )
})
