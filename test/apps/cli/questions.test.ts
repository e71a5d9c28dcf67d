import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { useBench } from '../../support/harness.ts'
import { folder, scenario } from './support.ts'

const bench = useBench()
const late = `name: late
description: Late.
clock: { mode: frozen, start: 2025-01-31T16:00:00 }
rules:
  - { name: never mind, on: till, chance: 0.000001, then: { after: 1s, end: FAILED } }
  - { name: at night, on: till, when: now.getHours() >= 22, then: { after: 8h, end: SUCCESS } }
  - { name: large, on: [till, paybill], when: request.amount > 1000, then: { refuse: { code: PAYMENT_LIMIT_EXCEEDED } } }
callbacks:
  retry: { attempts: 3, backoff: [10s, 1m] }
  loseAnswers: 1
`

describe('list', () => {
  it('names what is shipped, each with its sentence', async () => {
    const ran = await scenario(['list'])
    expect(ran.out).toMatch(/^default +Everything succeeds within seconds/m)
    const listed = JSON.parse((await scenario(['list', '--json'])).out)
    expect(listed).toContainEqual({
      name: 'stuck-pending',
      description: expect.stringContaining('stay PENDING'),
      timezone: 'UTC',
    })
  })
})

describe('new', () => {
  it('writes a file that is sound, and overwrites none', async () => {
    const directory = folder()
    expect(await scenario(['new', 'month-end'], directory)).toMatchObject({ code: 0 })
    const text = readFileSync(join(directory, 'month-end.yaml'), 'utf8')
    expect(text).toMatch(/^# yaml-language-server: \$schema=\S+\/scenario\.schema\.json\n/)
    expect(await scenario(['lint', 'month-end.yaml'], directory)).toMatchObject({ code: 0 })
    expect(await scenario(['new', 'month-end', '--extends', 'flaky-rail'], directory)).toMatchObject({ code: 1 })
    expect(readFileSync(join(directory, 'month-end.yaml'), 'utf8')).toBe(text)
  })
})

describe('explain', () => {
  it('says which rule decides and why those before it do not', async () => {
    const ran = await scenario(
      ['explain', 'late.yaml', '--on', 'till', '--request', '{"amount":5000}'],
      folder({ 'late.yaml': late }),
    )
    expect(ran.code).toBe(0)
    expect(ran.out.split('\n')).toEqual([
      '   never mind  its chance is 0.000001 and the draw was not among it',
      '   at night    now.getHours() >= 22 is false',
      '=> large       decides: request.amount > 1000 is true: refuse 403 PAYMENT_LIMIT_EXCEEDED',
      expect.stringMatching(/^ {3}\d+ rules behind it were not asked$/),
      '',
    ])
  })

  it('asks at another time, with a request from a file, for programs', async () => {
    const directory = folder({ 'late.yaml': late, 'request.json': '{"amount":10}' })
    const typed = ['explain', 'late.yaml', '--on', 'till', '--request', '@request.json', '--at', '2025-01-31T23:00:00']
    const { rule, plan } = JSON.parse((await scenario([...typed, '--json'], directory)).out)
    expect({ rule, plan }).toMatchObject({ rule: 'at night', plan: { after: '8h', end: 'SUCCESS' } })
  })

  it('asks about faults, and supposes what was before', async () => {
    const faulty = late.replace(
      'callbacks:',
      'faults: [{ name: flaky, on: createTillPayment, nth: { first: 2 }, then: { status: 503 } }]\ncallbacks:\n  faults: [{ name: silent, on: till, then: { drop: true } }]',
    )
    const directory = folder({ 'late.yaml': faulty })
    const explain = async (...typed: string[]) => (await scenario(['explain', 'late.yaml', ...typed], directory)).out
    expect(await explain('--on', 'till')).toBe(
      'Faults of answers, POST /api/sandbox/v1/till:\n=> flaky  is met: it has no condition: 503 SERVICE_UNAVAILABLE\n   nothing is executed\n',
    )
    const third = await explain(
      '--on',
      'till',
      '--nth',
      '3',
      '--at',
      '2025-01-31T22:00:00',
      '--history',
      'failed=2,paidToday=5',
    )
    expect(third.split('\n')).toEqual([
      'Faults of answers, POST /api/sandbox/v1/till:',
      '   flaky  it matched, and it meets only the first 2 of its matches',
      'Rules:',
      '   never mind  its chance is 0.000001 and the draw was not among it',
      '=> at night    decides: now.getHours() >= 22 is true: after 8h SUCCESS',
      expect.stringMatching(/^ {3}\d+ rules behind it were not asked$/),
      'Faults of callbacks:',
      '=> silent  is met: it has no condition: drop',
      '',
    ])
    expect(await explain('--on', 'getToken')).toBe('No fault watches POST /api/v1/get-token.\n')
  })

  it('asks a world that runs', async () => {
    const world = await bench.world({ scenario: 'tzs-minimum' })
    const { baseUrl } = bench.simulator
    const request = '{"amount":500,"currencyCode":"TZS"}'
    const typed = ['explain', '--on', 'send-money', '--request', request, '--url', baseUrl]
    expect((await scenario([...typed, '--world', world.id])).out).toMatch(
      /^=> below 1000 shillings, refused in the operator's words /,
    )
    // What no request may hold the service itself refuses, before any rule is asked.
    const less = ['explain', '--on', 'send-money', '--request', '{"amount":-1,"currencyCode":"TZS"}']
    expect((await scenario([...less, '--url', baseUrl, '--world', world.id])).out).toBe(
      '=> no rule is asked: the service refuses it: 400 REQ_INVALID_FIELD: amount: must be greater than 0, got -1\n',
    )
    expect(await scenario([...typed, '--world', 'nowhere'])).toMatchObject({
      code: 1,
      errors: expect.stringContaining('There is no world "nowhere"'),
    })
    expect(await scenario(['explain', '--on', 'till', '--url', 'http://127.0.0.1:9'])).toMatchObject({
      code: 3,
      errors: expect.stringMatching(/^mfano: Nobody answers at http:\/\/127\.0\.0\.1:9\. /),
    })
  })
})

describe('show', () => {
  it('prints what a file comes to, which is itself a scenario', async () => {
    const limited = `${late}parameters: { limit: { default: 1000 } }\n`.replace(
      'request.amount > 1000',
      `"request.amount > \${limit}"`,
    )
    const shown = await scenario(['show', 'late.yaml', '--set', 'limit=7'], folder({ 'late.yaml': limited }))
    expect(shown).toMatchObject({ code: 0, errors: '' })
    expect(shown.out).toMatch(/^name: late\n/)
    expect(shown.out).toContain('request.amount > 7\n')
    const directory = folder({ 'all.yaml': shown.out })
    const typed = ['explain', 'all.yaml', '--on', 'till', '--request', '{"amount":8}', '--json']
    expect(JSON.parse((await scenario(typed, directory)).out).rule).toBe('large')
  })

  it('names a parameter that there is not', async () => {
    const ran = await scenario(['show', 'late.yaml', '--set', 'limt=7'], folder({ 'late.yaml': late }))
    expect(ran).toMatchObject({ code: 1, errors: expect.stringContaining('"limt"') })
  })
})

describe('preview', () => {
  const preview = async (typed: string[], file = late) => {
    const ran = await scenario(['preview', 'late.yaml', ...typed], folder({ 'late.yaml': file }))
    expect(ran).toMatchObject({ code: 0, errors: '' })
    return ran.out
  }

  it('shows request, answer, transitions and callbacks with simulated times', async () => {
    const out = await preview(['--on', 'till', '--request', '{"amount":10}', '--at', '2025-01-31T23:00:00'])
    expect(out.split('\n').map((line) => line.replaceAll(/ {2,}/g, '  '))).toEqual([
      'till in scenario late, decided by the rule "at night"',
      '',
      '31 Jan 2025, 23:00:00 UTC  +0s  merchant -> mfano  POST /api/sandbox/v1/till',
      '31 Jan 2025, 23:00:00 UTC  +0s  mfano  reserves the amount',
      '31 Jan 2025, 23:00:00 UTC  +0s  mfano -> merchant  201, Mfano-Rule: at night',
      '1 Feb 2025, 07:00:00 UTC  +8h  rail -> mfano  settle: SUCCESS',
      '1 Feb 2025, 07:00:00 UTC  +8h  mfano  the money moves',
      '1 Feb 2025, 07:00:00 UTC  +8h  mfano -> merchant  callback SUCCESS; its answer is lost on the way back',
      '1 Feb 2025, 07:00:10 UTC  +8h10s  mfano -> merchant  callback SUCCESS again, attempt 2 of 3',
      '1 Feb 2025, 07:01:10 UTC  +8h1m10s  mfano -> merchant  callback SUCCESS again, attempt 3 of 3, if no attempt before was answered with 2xx',
      '',
    ])
  })

  it('draws a Mermaid sequence diagram', async () => {
    const out = await preview([
      '--on',
      'till',
      '--request',
      '{"amount":10}',
      '--at',
      '2025-01-31T23:00:00',
      '--format',
      'mermaid',
    ])
    expect(out).toMatch(/^sequenceDiagram\n {2}participant merchant\n/)
    expect(out).toContain('  merchant->>mfano: +0s POST /api/sandbox/v1/till\n')
    expect(out).toContain('  mfano-->>merchant: +0s 201, Mfano-Rule: at night\n')
    expect(out).toContain(
      '  mfano->>merchant: +8h1m10s callback SUCCESS again, attempt 3 of 3, if no attempt before was answered with 2xx\n',
    )
  })

  it('shows refusals, empty wallets and payments that never end', async () => {
    const steps = async (typed: string[], file?: string) =>
      JSON.parse(await preview([...typed, '--json'], file)).steps.map(({ what }: { what: string }) => what)
    expect(await steps(['--on', 'paybill', '--request', '{"amount":2000}'])).toEqual([
      'POST /api/sandbox/v1/paybill',
      '403 PAYMENT_LIMIT_EXCEEDED, nothing is made',
    ])
    expect(await steps(['--on', 'send-money', '--request', '{"amount":9000000}'])).toEqual([
      'POST /api/sandbox/v1/send-money',
      '402 INSUFFICIENT_FUNDS, the wallet holds 1000000; nothing is made',
    ])
    const stuck = 'name: stuck\ndescription: Stuck.\nrules: [{ name: stuck, on: till, then: { after: never } }]\n'
    expect((await steps(['--on', 'till'], stuck)).at(-1)).toBe('stays PENDING until an operator or a payer acts')
    expect(await steps(['--on', 'bank-collection'])).toEqual([
      'a customer pays into the account',
      'the money comes in',
      'callback SUCCESS; its answer is lost on the way back',
      'callback SUCCESS again, attempt 2 of 3',
      'callback SUCCESS again, attempt 3 of 3',
    ])
  })

  describe('with something going wrong on the way', () => {
    const head = 'name: late\ndescription: Late.\nclock: { mode: frozen, start: 2025-01-31T16:00:00 }\n'
    const rule = (then: string) =>
      `${head}rules: [{ name: odd, on: till, then: { after: 2s, end: SUCCESS, ${then} } }]\n`
    const told = async (file: string, request = '{"amount":10}') => {
      const out = await preview(['--on', 'till', '--request', request, '--json'], file)
      return JSON.parse(out)
        .steps.filter(({ from, to, only }: Record<string, string>) => from !== to && !only)
        .map(({ after, what }: Record<string, string>) => `+${after} ${what}`)
        .slice(1)
    }

    it('tells the answer that the merchant gets', async () => {
      expect(await told(rule('answer: { status: 503 }'))).toEqual([
        '+0s odd: executed, answered 503 SERVICE_UNAVAILABLE',
        '+2s settle: SUCCESS',
        '+2s callback SUCCESS',
      ])
      const fault = `${rule('with: {}')}faults: [{ on: "*", then: { status: 500 } }]\n`
      expect(await told(fault)).toEqual([expect.stringContaining('not executed, answered 500 SERVER_ERROR')])
      const limit = `${rule('with: {}')}rails: { limits: [{ on: till, perTransaction: 5 }] }\n`
      expect(await told(limit)).toEqual(['+0s 403 PAYMENT_LIMIT_EXCEEDED, nothing is made'])
      const { steps } = JSON.parse(await preview(['--on', 'till', '--json'], rule('twice: true')))
      expect(steps).toContainEqual(expect.objectContaining({ what: 'makes a second payment' }))
      expect(steps).toContainEqual(expect.objectContaining({ after: '2s', what: 'second payment: settle: SUCCESS' }))
    })

    it('tells what becomes of callbacks', async () => {
      expect(await told(rule('callback: { delay: 10m, status: DONE }'))).toEqual([
        '+0s 201, Mfano-Rule: odd',
        '+2s settle: SUCCESS',
        '+10m2s callback DONE (sent 10m later; status DONE)',
      ])
      expect(await told(rule('callback: { drop: true }'))).toEqual(['+0s 201, Mfano-Rule: odd', '+2s settle: SUCCESS'])
      expect((await told(rule('callback: { duplicate: 2 }'))).slice(2)).toEqual([
        '+2s callback SUCCESS (sent 2 times)',
        '+2s callback SUCCESS again although it was received, 2 of 2',
      ])
      const early = rule('callback: { early: true }').replace('after: 2s', 'after: 0s')
      expect(await told(early)).toEqual([
        '+0s settle: SUCCESS',
        '+0s callback SUCCESS (sent before the request is answered)',
        '+0s 201, Mfano-Rule: odd',
      ])
    })

    it('tells of a float that is short', async () => {
      const short = `${rule('with: {}')}rails: { float: [{ name: the purse, on: till, amount: 5, then: hold }] }\n`
      const { steps } = JSON.parse(await preview(['--on', 'till', '--request', '{"amount":10}', '--json'], short))
      expect(steps.slice(3, 5)).toMatchObject([
        { what: 'waits until the float "the purse" holds the amount', only: null },
        { after: '2s', what: 'settle: SUCCESS', only: 'the float "the purse" is topped up at once' },
      ])
    })

    it('tells of the read that ends it', async () => {
      const until = rule('until: { poll: 3 }').replace('after: 2s, ', '')
      expect(await told(until)).toEqual([
        '+0s 201, Mfano-Rule: odd',
        '+0s reads it, and read 3 ends it: SUCCESS',
        '+0s callback SUCCESS',
      ])
      const session = until.replace('on: till', 'on: checkout').replace('SUCCESS', 'SUCCEEDED')
      const { steps } = JSON.parse(await preview(['--on', 'checkout', '--json'], session))
      expect(steps.map(({ what }: { what: string }) => what)).toContain('reads it, and read 3 ends it: SUCCEEDED')
    })
  })
})
