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
      'Rules:',
      '   never mind  its chance is 0.000001 and the draw was not among it',
      '   at night    now.getHours() >= 22 is false',
      '=> large       decides: request.amount > 1000 is true: refuse 403 PAYMENT_LIMIT_EXCEEDED',
      expect.stringMatching(/^ {3}\d+ rules behind it were not asked$/),
      '',
      expect.stringMatching(/ answer {2}Answered 403 PAYMENT_LIMIT_EXCEEDED/),
      '',
    ])
  })

  it('asks at another time, with a request from a file, for programs', async () => {
    const directory = folder({ 'late.yaml': late, 'request.json': '{"amount":10}' })
    const typed = ['explain', 'late.yaml', '--on', 'till', '--request', '@request.json', '--at', '2025-01-31T23:00:00']
    const { rule, plan } = JSON.parse((await scenario([...typed, '--json'], directory)).out)
    expect({ rule, plan }).toMatchObject({ rule: 'at night', plan: { after: '8h', end: 'SUCCESS' } })
  })

  it('asks about faults, after the same requests before it', async () => {
    const faulty = late.replace(
      'callbacks:',
      'faults: [{ name: flaky, on: createTillPayment, nth: { first: 2 }, then: { status: 503 } }]\ncallbacks:\n  faults: [{ name: silent, on: till, then: { drop: true } }]',
    )
    const directory = folder({ 'late.yaml': faulty })
    const explain = async (...typed: string[]) => (await scenario(['explain', 'late.yaml', ...typed], directory)).out
    expect(await explain('--on', 'till')).toMatch(
      /^Faults of answers:\n=> flaky {2}is met: it has no condition: status 503\n\n.* answer {2}Answered 503 .*\n$/,
    )
    const third = await explain(...'--on till --nth 3 --at 2025-01-31T22:00:00'.split(' '))
    expect(third.split('\n').slice(0, 8)).toEqual([
      'Faults of answers:',
      '   flaky  it matched, and it meets only the first 2 of its matches',
      'Rules:',
      '   never mind  its chance is 0.000001 and the draw was not among it',
      '=> at night    decides: now.getHours() >= 22 is true: after 8h, end SUCCESS',
      expect.stringMatching(/^ {3}\d+ rules behind it were not asked$/),
      'Faults of callbacks:',
      '=> silent  is met: it has no condition: drop',
    ])
    expect(third).toMatch(/"silent" keeps callback 1 back\.\n$/)
    expect(await explain('--on', 'getToken')).toMatch(
      /^No rule and no fault is asked about it\.\n\n.* answer {2}Answered 400 REQ_MISSING_FIELD: apiKey: is required/,
    )
  })

  it('asks a world that runs', async () => {
    const world = await bench.world({ scenario: 'tzs-minimum' })
    const { baseUrl } = bench.simulator
    const request = '{"amount":500,"currencyCode":"TZS"}'
    const typed = ['explain', '--on', 'send-money', '--request', request, '--url', baseUrl]
    expect((await scenario([...typed, '--world', world.id])).out).toMatch(
      /^Rules:\n=> below 1000 shillings, refused in the operator's words /,
    )
    // What no request may hold the service itself refuses, before any rule is asked.
    const less = ['explain', '--on', 'send-money', '--request', '{"amount":-1,"currencyCode":"TZS"}']
    expect((await scenario([...less, '--url', baseUrl, '--world', world.id])).out).toMatch(
      / answer {2}Answered 400 REQ_INVALID_FIELD: amount: must be greater than 0, got -1\n$/,
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

describe('what comes of a request', () => {
  const explain = async (typed: string[], file = late) => {
    const ran = await scenario(['explain', 'late.yaml', ...typed], folder({ 'late.yaml': file }))
    expect(ran).toMatchObject({ code: 0, errors: '' })
    return ran.out
  }
  const head = 'name: late\ndescription: Late.\nclock: { mode: frozen, start: 2025-01-31T16:00:00 }\n'
  const rule = (then: string) => `${head}rules: [{ name: odd, on: till, then: { after: 2s, end: SUCCESS, ${then} } }]\n`
  const told = async (file: string, typed = ['--on', 'till', '--request', '{"amount":10}']) => {
    const { story, stopped } = JSON.parse(await explain([...typed, '--json'], file))
    const sent = ['answer', 'transition', 'attempt']
    const steps: { station: string; text: string }[] = story
    return [...steps.filter(({ station }) => sent.includes(station)).map(({ text }) => text), stopped]
  }

  it('is told as that of a payment, with simulated times', async () => {
    const out = await explain(['--on', 'till', '--request', '{"amount":10}', '--at', '2025-01-31T23:00:00'])
    const [, story = ''] = out.split('\n\n')
    expect(story.split('\n').map((line) => line.trim().replaceAll(/ {2,}/g, '  '))).toEqual([
      expect.stringMatching(/^31 Jan 2025, 23:00:00 UTC {2}request .* POST \/api\/sandbox\/v1\/till \(req_\w+\)$/),
      'plan  Planned: SUCCESS after 8h, at 1 Feb 2025, 07:00:00 UTC',
      'transition  It began as PENDING',
      'transfer  Reserved KES 10.00: wallet:1:KES to rail:KES',
      'answer  Answered 201',
      '1 Feb 2025, 07:00:00 UTC  transition  PENDING to SUCCESS: settle, as planned',
      'transfer  Moved KES 10.00: wallet:1:KES to rail:KES',
      expect.stringMatching(/^callback {2}Callback 1 says SUCCESS, for /),
      expect.stringMatching(/^attempt {2}Attempt 1 of callback 1: the scenario lost the receiver's answer/),
      expect.stringMatching(/^1 Feb 2025, 07:00:10 UTC {2}attempt {2}Attempt 2 of callback 1: received/),
    ])
    expect(out).toMatch(/\nThen: SUCCESS is final\. Its merchant was notified: .*\n$/)
  })

  it('ends where only somebody else moves it on', async () => {
    const stuck = 'name: stuck\ndescription: Stuck.\nrules: [{ name: stuck, on: till, then: { after: never } }]\n'
    expect((await told(stuck)).at(-1)).toBe(
      'It stays PENDING for ever: the rule "stuck" says that it never ends by itself.',
    )
    const short = `${rule('with: {}')}rails: { float: [{ name: the purse, on: till, amount: 5, then: hold }] }\n`
    expect((await told(short)).at(-1)).toBe('It waits for the float "the purse", which has KES 5.00 of KES 10.00.')
    const until = rule('until: { poll: 3 }').replace('after: 2s, ', '')
    expect((await told(until)).at(-1)).toMatch(/^It waits to be read: .* with read number 3, and 0 came so far\.$/)
  })

  it('has the answer that the merchant gets, and what becomes of callbacks', async () => {
    expect(await told(rule('answer: { status: 503 }'))).toEqual([
      'It began as PENDING',
      expect.stringMatching(/^Answered 503 \(odd: executed/),
      'PENDING to SUCCESS: settle, as planned',
      'Attempt 1 of callback 1: received, answered 200 in 0 ms',
      expect.stringMatching(/^SUCCESS is final\. /),
    ])
    const fault = `${rule('with: {}')}faults: [{ on: "*", then: { status: 500 } }]\n`
    expect(await told(fault)).toEqual([expect.stringMatching(/^Answered 500 \(.*: not executed/), null])
    const limit = `${rule('with: {}')}rails: { limits: [{ on: till, perTransaction: 5 }] }\n`
    expect(await told(limit)).toEqual([expect.stringMatching(/^Answered 403 PAYMENT_LIMIT_EXCEEDED: amount: /), null])
    const twice = await told(rule('twice: true'))
    expect(twice.filter((text) => text === 'PENDING to SUCCESS: settle, as planned')).toHaveLength(2)
    expect(await told(rule('callback: { duplicate: 2 }'))).toContain(
      'Attempt 2 of callback 1: received, answered 200 in 0 ms',
    )
    expect((await told(rule('callback: { drop: true }'))).at(-1)).toMatch(/"odd" keeps callback 1 back\.$/)
    expect((await told(late, ['--on', 'bank-collection'])).at(-1)).toMatch(/Its merchant was notified/)
  })
})
