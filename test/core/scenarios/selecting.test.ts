/** Rules that decide by the time of day, the date, and what happened before. */
import { describe, expect, it } from 'vitest'
import { parseInstant } from '../../../src/core/model/time.ts'
import type { Facts } from '../../../src/core/scenarios/decisions/payment-facts.ts'
import { payoutTo } from '../../support/bodies.ts'
import { useBench } from '../../support/harness.ts'
import { decide, load, problemsOf, withCondition, withRules } from './support.ts'

const bench = useBench()

/** Whether a condition holds at a simulated time. */
function holds(when: string, at: string, about: Partial<Facts> = {}): boolean {
  const nowUs = parseInstant(at) as number
  return decide(load(withCondition(when)), 'send-money', {}, { nowUs, ...about }).plan?.rule === 'tested'
}

const pay = (phoneNumber: string, amount = 100) =>
  payoutTo(bench.receiver.url(), { phoneNumber, amount, currencyCode: 'KSH' })

describe('the time of day and the date', () => {
  it.each([
    [
      'between("22:00", "06:00")',
      ['22:00:00', '23:59:59', '00:00:00', '05:59:59'],
      ['06:00:00', '12:00:00', '21:59:59'],
    ],
    ['between("08:00", "17:30")', ['08:00:00', '17:29:59'], ['07:59:59', '17:30:00', '00:00:00']],
    ['time.hour == 13 && time.minute >= 30', ['13:30:00', '13:59:00'], ['13:29:59', '14:30:00']],
  ])('%s', (when, inside, outside) => {
    for (const at of inside) expect(holds(when, `2025-01-24T${at}`), at).toBe(true)
    for (const at of outside) expect(holds(when, `2025-01-24T${at}`), at).toBe(false)
  })

  it.each([
    ['time.weekday in ["SAT", "SUN"]', '2025-01-25T10:00', '2025-01-24T10:00'],
    ['time.lastDayOfMonth', '2024-02-29T23:59', '2024-02-28T23:59'],
    ['time.date == "2025-01-24" && time.dayOfMonth == 24', '2025-01-24T10:00', '2025-01-25T10:00'],
  ])('%s', (when, yes, no) => {
    expect(holds(when, yes)).toBe(true)
    expect(holds(when, no)).toBe(false)
  })

  it("is that of the service's own zone", () => {
    expect(holds('between("00:00", "01:00") && time.date == "2025-01-25"', '2025-01-24T21:30')).toBe(false)
    const zoneUs = 3 * 3_600_000_000
    expect(holds('between("00:00", "01:00") && time.date == "2025-01-25"', '2025-01-24T21:30', { zoneUs })).toBe(true)
  })

  it.each([
    [
      'between("22", "06:00")',
      '7:20 rules[0].when: between() needs two times of day, written out and in quotes, from 00:00 to 23:59: between("22:00", "06:00").',
    ],
    ['between("22:00")', 'between() needs two times of day'],
    ['between(request.remarks, "06:00")', 'between() needs two times of day'],
    ['time.weekday == "Sunday"', 'time.weekday is never "Sunday". Known: SUN, MON, TUE, WED, THU, FRI, SAT.'],
    ['time > "22:00"', 'Ask time.hour, time.weekday or time.date, or between("22:00", "06:00").'],
    ['between(22:00, 06:00)', 'between() needs two times of day, written out and in quotes'],
    ['request.currencyCode == "KES"', 'request.currencyCode is never "KES". Known: KSH, TZS, UGX.'],
    ['history.failed > 2', 'history is asked in brackets: history.failed(request.phoneNumber).'],
    ['history.today(request.phoneNumber).count > 2', 'What stands before it is a number, which has no fields.'],
    [
      'time.houre == 3',
      '"time" has no field "houre". Known: hour, minute, weekday, date, dayOfMonth, lastDayOfMonth. Did you mean "hour"?',
    ],
  ])('tells what is wrong with %s', (when, message) => {
    expect(problemsOf(withCondition(when)).join('\n')).toContain(message)
  })
})

describe('what happened before', () => {
  it('decides: a number that failed twice is not paid again', async () => {
    const world = await bench.world({
      scenario: `name: twice
description: Twice is enough.
rules:
  - name: it failed twice
    on: send-money
    when: history.failed(request.phoneNumber) >= 2
    then: { refuse: { code: RESOURCE_LOCKED } }
`,
    })
    const send = async (phone: string) => {
      const { status } = await world.post('/api/sandbox/v1/send-money', pay(phone))
      await world.advance('2s')
      return status
    }
    expect(await send('254711000404')).toBe(201)
    expect(await send('254711000404')).toBe(201)
    expect(await send('254711000404')).toBe(423)
    expect(await send('254712345678')).toBe(201)
  })

  it('counts by the day: the third payout to a phone is refused, and the first of the next day passes', async () => {
    const world = await bench.world({
      scenario: `name: thrice
description: Twice a day is enough.
rules:
  - name: the third of the day
    on: send-money
    when: history.today(request.phoneNumber) >= 2
    then: { refuse: { code: RESOURCE_LOCKED } }
`,
    })
    const send = async (phone: string) => {
      world.logout()
      return (await world.post('/api/sandbox/v1/send-money', pay(phone))).status
    }
    const statuses = [await send('254712345678'), await send('254712345678'), await send('254712345678')]
    expect(statuses).toEqual([201, 201, 423])
    expect(await send('254711000111')).toBe(201)
    await world.advance('1d')
    expect(await send('254712345678')).toBe(201)
  })

  it('counts by a length of time, and by the organisation whoever is paid', async () => {
    const world = await bench.world({
      scenario: `name: bursts
description: Three an hour, whoever is paid; one a minute to a phone.
rules:
  - { name: too many, on: send-money, when: 'history.byOrganisationWithin("1h") >= 3', then: { refuse: { code: RESOURCE_LOCKED } } }
  - { name: too fast, on: send-money, when: 'history.within("1m", request.phoneNumber) > 0', then: { refuse: { code: RATE_LIMITED } } }
`,
    })
    const send = async (phone: string, after: string) => {
      await world.advance(after)
      world.logout()
      return (await world.post('/api/sandbox/v1/send-money', pay(phone))).status
    }
    expect(await send('254711000111', '0s')).toBe(201)
    expect(await send('254711000111', '30s')).toBe(429)
    expect(await send('254711000111', '31s')).toBe(201)
    expect(await send('254711000112', '0s')).toBe(201)
    expect(await send('254711000113', '0s')).toBe(423)
    expect(await send('254711000113', '1h')).toBe(201)
  })

  it('counts each state, what was paid today, and only the same kind', async () => {
    const rule = (name: string, when: string) =>
      `  - { name: "${name}", on: send-money, when: '${when}', then: { after: 1s, end: SUCCESS } }\n`
    const world = await bench.world({
      scenario: `name: counted\ndescription: C.\nrules:\n${[
        rule('pending', 'history.pending(request.phoneNumber) == 1 && history.total(request.phoneNumber) == 1'),
        rule('paid', 'history.paidToday(request.phoneNumber) > 150 && history.succeeded("0712345678") == 2'),
        rule('first', 'history.total(request.phoneNumber) == 0'),
      ].join('')}`,
    })
    const rules = []
    for (const by of ['0s', '1s', '0s', '8h', '0s']) {
      world.logout()
      const { body } = await world.post('/api/sandbox/v1/send-money', pay('254712345678'))
      rules.push((await world.control('GET', `/payments/${body.data.requestId}`)).rule)
      await world.advance(by)
    }
    expect(rules).toEqual(['first', 'pending', 'paid', 'paid', 'the payout succeeds'])
  })

  it.each(
    Object.entries({
      'history.faild(request.phoneNumber) > 2': 'byOrganisationWithin("24h"). Did you mean "failed"?',
      'history.within("a day", request.phoneNumber) > 2': 'Expected a length of simulated time, written out: "24h"',
      'history.byOrganisationWithin(request.remarks) > 2': 'Expected a length of simulated time, written out: "24h"',
      'history.within > 2':
        'history.within("24h", request.phoneNumber). Known: succeeded(request.phoneNumber), failed(',
      'history.failed(request.amount) > 2':
        'failed() of history does not take (double). history is asked in brackets: history.failed(request.phoneNumber). Known: ',
      'history.failed(request.phoneNumber)':
        'The condition gives a int. Expected true or false: compare it with something.',
    }),
  )('tells what is wrong with %s', (when, message) => {
    expect(problemsOf(withCondition(when)).join('\n')).toContain(message)
  })

  it('is only known where a payment names somebody', () => {
    expect(problemsOf(withCondition('history.total("x") > 2', 'bank-collection')).join('\n')).toContain(
      '"history" is only known for send-money and till and paybill',
    )
  })
})

describe('turns', () => {
  it('may be counted for each payer, payee or organisation', async () => {
    const world = await bench.world({
      scenario: `name: turns
description: Everybody's first prompt is ignored.
rules:
  - { name: first prompt, on: stk, nth: { only: 1, per: payer }, then: { after: 1m, end: FAILED } }
  - { name: second payout to a phone, on: send-money, nth: { only: 2, per: payee }, then: { refuse: { code: RESOURCE_LOCKED } } }
`,
    })
    const collect = async (phoneNumber: string) => {
      const { uuid } = await world.control('POST', '/collections/stk', { phoneNumber, amount: 10 })
      return (await world.control('GET', `/payments/${uuid}`)).plan.end
    }
    const ends = [await collect('254712345678'), await collect('254711000111'), await collect('254712345678')]
    expect(ends).toEqual(['FAILED', 'FAILED', 'SUCCESS'])
    expect(await collect('254711000111')).toBe('SUCCESS')
    const send = async (phone: string) => (await world.post('/api/sandbox/v1/send-money', pay(phone))).status
    const statuses = [await send('254712345678'), await send('254711000111'), await send('254712345678')]
    expect(statuses).toEqual([201, 201, 423])
    expect(await send('254712345678')).toBe(201)
    const { hits } = await world.control('GET', '/scenario/hits')
    const [prompt] = hits.filter(({ name }: { name: string }) => name === 'first prompt')
    expect(prompt).toMatchObject({ hits: 2 })
  })

  it('may come again and again', async () => {
    const world = await bench.world({
      scenario: `name: every
description: Every third payout is refused.
rules:
  - { name: every third, on: send-money, nth: { every: 3 }, then: { refuse: { code: RESOURCE_LOCKED } } }
`,
    })
    const statuses: number[] = []
    for (let i = 0; i < 7; i++)
      statuses.push((await world.post('/api/sandbox/v1/send-money', pay('254712345678'))).status)
    expect(statuses).toEqual([201, 201, 423, 201, 201, 423, 201])
    const { rules } = await world.control('GET', '/scenario')
    expect(rules[0]).toMatchObject({ name: 'every third', nth: 'every 3rd' })
  })

  it('are counted by each rule for itself, whichever rule decides', async () => {
    const refusing = (nth: number, code: string) => ({ name: code, on: 'send-money', nth, then: { refuse: { code } } })
    const codes = ['SERVER_ERROR', 'SERVICE_UNAVAILABLE', 'RATE_LIMITED']
    const rules = codes.map((code, i) => refusing(i + 1, code))
    const world = await bench.world({ scenario: { name: 'in-a-row', description: 'Three errors in a row.', rules } })
    const statuses: number[] = []
    for (let i = 0; i < 5; i++)
      statuses.push((await world.post('/api/sandbox/v1/send-money', pay('254712345678'))).status)
    expect(statuses).toEqual([500, 503, 429, 201, 201])
  })

  it.each([
    ['till', 'payer', 'A till payment names no payer. Write per: organisation'],
    ['stk', 'payee', 'An STK collection names no payee.'],
    ['bank-collection', 'payer', 'A bank collection names no payer.'],
  ])('cannot be counted for a party that a payment does not have: %s by %s', (kind, per, message) => {
    const text = `  - { name: a, on: ${kind}, nth: { first: 2, per: ${per} }, then: { refuse: { code: RESOURCE_LOCKED } } }\n`
    expect(problemsOf(withRules(text, '')).join('\n')).toContain(message)
  })
})
