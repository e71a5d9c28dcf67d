/** What the rails are like whatever the rules say: limits, fees, hours and maintenance on the world's clock. */

import { describe, expect, it } from 'vitest'
import { DAY_US, localTime } from '../../../src/core/model/calendar.ts'
import { parseInstant } from '../../../src/core/model/time.ts'
import { endOfWindow, nextOpening, parseEvery } from '../../../src/core/scenarios/keys/hours.ts'
import { feeOf } from '../../../src/core/scenarios/keys/rails.ts'
import { bodies, payoutTo } from '../../support/bodies.ts'
import fc from '../../support/fast-check.ts'
import { type TestWorld, useBench } from '../../support/harness.ts'
import { load, problemsOf } from './support.ts'

const bench = useBench()

const scenario = (rails: string) => `name: rails\ndescription: Rails of a kind.\nrails:\n${rails}`
const sendMoney = (amount: number, changes: object = {}) => payoutTo(bench.receiver.url(), { amount, ...changes })
const SEND = '/api/sandbox/v1/send-money'

describe('limits', () => {
  it('refuse what is too much for one transaction, and say by how much', async () => {
    const world = await bench.world({
      scenario: scenario('  limits: [{ on: send-money, perTransaction: 250000, name: the network limit }]\n'),
    })
    expect((await world.post(SEND, sendMoney(250_000))).status).toBe(201)
    const refused = await world.post(SEND, sendMoney(250_000.01))
    expect(refused.status).toBe(403)
    expect(refused.body.error).toMatchObject({
      code: 'PAYMENT_LIMIT_EXCEEDED',
      details: 'amount: 250000.01 KES is more than the 250000.0 KES of one transaction',
    })
    const { requests } = await world.control('GET', '/requests')
    expect(requests.some((request: { rule: string }) => request.rule === 'the network limit')).toBe(true)
    // A limit in KES says nothing about TZS.
    const tzs = { phoneNumber: '255712345678', amount: 300_000, currencyCode: 'TZS', narration: 'Payout' }
    const receiver = { firstName: 'Asha', lastName: 'Example', serviceCode: 'TZ-TIGO-B2C' }
    expect((await world.post(SEND, { ...tzs, ...receiver, callbackUrl: bench.receiver.url() })).status).toBe(201)
  })

  it('add up one world day per phone number; a failure gives back, midnight begins anew', async () => {
    const world = await bench.world({ scenario: scenario('  limits: [{ on: send-money, daily: 1000 }]\n') })
    const pay = async (amount: number, phoneNumber = '254712345678') =>
      (await world.post(SEND, sendMoney(amount, { phoneNumber }))).status
    expect(await pay(600)).toBe(201)
    expect(await pay(400.5)).toBe(403)
    expect(await pay(400.5, '254712345679')).toBe(201)
    expect(await pay(400)).toBe(201)
    expect(await pay(1)).toBe(403)
    // This one fails after 2s by a rule of the default scenario: what it would have used up is free again.
    expect(await pay(900, '254711000404')).toBe(201)
    expect(await pay(200, '254711000404')).toBe(403)
    await world.advance('2s')
    expect(await pay(200, '254711000404')).toBe(201)
    await world.advance('8h')
    world.logout()
    expect(await pay(1000)).toBe(201)
  })

  it('hold per organisation or for the whole world, over all kinds that they name', async () => {
    const world = await bench.world({
      scenario: scenario('  limits: [{ on: [send-money, till], daily: 1000, per: organisation }]\n'),
    })
    const till = { ...bodies.till(bench.receiver.url()), amount: 600 }
    expect((await world.post('/api/sandbox/v1/till', till)).status).toBeLessThan(300)
    const refused = await world.post(SEND, sendMoney(401))
    expect(refused.body.error.details).toBe(
      'amount: 401.0 KES would make 1001.0 KES today, more than the 1000.0 KES a day of this organisation',
    )
    expect((await world.post(SEND, sendMoney(400))).status).toBe(201)
  })

  it('may let the payment be accepted and fail, as some rails do', async () => {
    const world = await bench.world({
      scenario: scenario(
        '  limits: [{ on: send-money, perTransaction: 100, then: fail, with: { responseDescription: Limit exceeded } }]\n',
      ),
    })
    const { body } = await world.post(SEND, sendMoney(101))
    await world.advance('2s')
    const payment = await world.control('GET', `/payments/${body.data.requestId}`)
    expect(payment).toMatchObject({ status: 'FAILED', plan: { rails: ['rails.limits[0]'] } })
    expect(bench.receiver.received).toHaveLength(1)
  })

  it('may fail a payment with its error in the record', async () => {
    const world = await bench.world({
      scenario: scenario(
        '  limits: [{ name: small only, on: [send-money, bank-payout], perTransaction: 100, then: fail, error: { code: TOO_MUCH, status: 403, message: Above the limit } }]\n',
      ),
    })
    const end = async (path: string, body: object) => {
      world.logout()
      const { requestId } = (await world.post(path, body)).body.data
      await world.advance('10s')
      return await world.control('GET', `/payments/${requestId}`)
    }
    expect(await end(SEND, sendMoney(101))).toMatchObject({
      status: 'FAILED',
      reason: { by: 'limit', name: 'small only', says: 'Above the limit' },
    })
    expect(await end(SEND, sendMoney(1))).toMatchObject({ status: 'SUCCESS' })
    expect(await end(`${BANK}/new`, bankPayout(500))).toMatchObject({
      status: 'FAILED',
      record: { errorCode: 'TOO_MUCH', errorDesc: 'Above the limit' },
    })
    await world.advance('2h')
    expect(await end(SEND, sendMoney(1))).toMatchObject({ status: 'SUCCESS' })
  })

  it('have names of their own', () => {
    expect(
      problemsOf(
        scenario('  limits:\n    - { name: a, on: till, daily: 5 }\n  fees:\n    - { name: a, on: till, amount: 5 }\n'),
      ),
    ).toEqual(['7:15 rails.fees[0].name: "a" is already a name on line 5. Give it a name that says the difference.'])
  })

  it('replace those of the extended scenario', () => {
    const files = {
      'scenarios/base.yaml': 'name: base\ndescription: A base.\nrails: { limits: [{ on: stk, daily: 5 }] }\n',
    }
    expect(load('name: a\ndescription: A.\nextends: ./base.yaml\n', files).rails.limits).toHaveLength(1)
    expect(load('name: a\ndescription: A.\nextends: ./base.yaml\nrails: { limits: [] }\n', files).rails.limits).toEqual(
      [],
    )
  })

  it.each(
    Object.entries({
      'on: till': 'A limit needs perTransaction, daily or both. Write perTransaction: 250000.',
      'on: bank-collection, daily: 5':
        'A bank collection names no phone, business or account. Write per: organisation.',
      'on: allocation, perTransaction: 5, then: fail':
        'An allocation cannot fail later, it is over at once. Write then: refuse.',
      'on: till, perTransaction: 0.001':
        'Found the number 0.001. Expected shillings with at most two decimals, up to 999999999999.99.',
      'on: till, perTransaktion: 5':
        '"perTransaktion" is not a setting here. Known: name, on, perTransaction, daily, per, currency, error, then, with. Did you mean "perTransaction"?',
      'on: till, perTransaction: 5, error: { code: TOO_MUCH }':
        '"TOO_MUCH" is not one of the published codes, so it needs its status: status: 400.',
      'on: till, perTransaction: 5, with: { receiverName: X }':
        'Only a failure sets fields of the record. Write then: fail, or remove with.',
    }),
  )('are told what is wrong with { %s }', (limit, message) => {
    expect(problemsOf(scenario(`  limits:\n    - { ${limit} }\n`)).join('\n')).toContain(message)
  })
})

const bankPayout = (amount = 1000) => ({ ...bodies.bankPayout(bench.receiver.url()), amount })
const BANK = '/api/sandbox/v1/bank/payout'

describe('fees', () => {
  const charging = scenario(`  fees:
    - { on: bank-payout, amount: 35 }
    - { on: send-money, amount: { table: [{ upTo: 100, fee: 5 }, { upTo: 1000, fee: 13 }] } }
`)

  it('are reserved with the amount, charged with success, and shown in the bank record', async () => {
    const world = await bench.world({ scenario: charging })
    const { requestId } = (await world.post(`${BANK}/new`, bankPayout())).body.data
    expect(await world.available()).toBe(1_000_000 - 1035)
    const read = async () => (await world.control('GET', `/payments/${requestId}`)).record
    expect(await read()).toMatchObject({ amount: 1000, service_amount: 0, transaction_fee: 0, transaction_amount: 0 })
    await world.advance('4s')
    expect(await read()).toMatchObject({
      amount: 1000,
      service_amount: 35,
      transaction_fee: 35,
      transaction_amount: 1035,
    })
    expect(await world.available()).toBe(1_000_000 - 1035)
    const { trialBalance } = await world.control('GET', '/ledger')
    expect(trialBalance.find(({ account }: { account: string }) => account === 'fees:KES')).toMatchObject({
      credits: 35,
    })
  })

  it('are given back with failure and reversal', async () => {
    const world = await bench.world({ scenario: charging })
    await world.post(SEND, sendMoney(100, { phoneNumber: '254711000404' }))
    expect(await world.available()).toBe(1_000_000 - 105)
    await world.advance('2s')
    expect(await world.available()).toBe(1_000_000)
    await world.post(SEND, sendMoney(101, { phoneNumber: '254711000409' }))
    await world.advance('2s')
    expect(await world.available()).toBe(1_000_000 - 114)
    await world.advance('2d')
    expect(await world.available()).toBe(1_000_000)
  })

  it('have to be in the wallet, at creation or at settlement', async () => {
    const poor = 'wallets: { KES: 1010 }\n'
    const world = await bench.world({ scenario: charging + poor })
    const refused = await world.post(`${BANK}/new`, bankPayout())
    expect([refused.status, refused.body.error.details]).toEqual([
      402,
      "amount: 1000.0 KES and the fee of 35.0 KES are more than the wallet's 1010.0 KES",
    ])
    expect(await world.available()).toBe(1010)
    const later = await bench.world({ scenario: `${charging}${poor}assumptions: { funds-check: at-settlement }\n` })
    expect((await later.post(`${BANK}/new`, bankPayout())).status).toBe(201)
    expect((await later.post(`${BANK}/new`, bankPayout(975))).status).toBe(201)
    await later.advance('4s')
    expect(
      (await later.control('GET', '/payments')).payments.map(({ status }: { status: string }) => status).sort(),
    ).toEqual(['FAILED', 'SUCCESS'])
    expect(await later.available()).toBe(0)
  })

  it('stay above the last step', () => {
    const steps = [
      { upToMinor: 100, feeMinor: 5 },
      { upToMinor: 200, feeMinor: 9 },
    ]
    expect([1, 100, 101, 200, 201].map((amountMinor) => feeOf(steps, amountMinor))).toEqual([5, 5, 9, 9, 9])
  })

  it.each([
    ['{ on: stk, amount: 5 }', '"stk" is not known here. Possible: send-money, till, paybill, bank-payout.'],
    [
      '{ on: till, amount: { table: [{ upTo: 5, fee: 1 }, { upTo: 5, fee: 2 }] } }',
      'It is not above the step before it. Write the smallest amount first.',
    ],
  ])('are told what is wrong with %s', (fee, message) => {
    expect(problemsOf(scenario(`  fees:\n    - ${fee}\n`)).join('\n')).toContain(message)
  })
})

describe('hours', () => {
  const at = (text: string) => parseInstant(text) as number
  const opening = { opensAt: 8 * 60, cutOffAt: 16 * 60, weekends: false, holidays: new Set(['2025-01-27']) }

  it('put off a bank payout until Tuesday that comes on Friday after the cut-off, where Monday is a holiday', async () => {
    const world = await bench.world({
      scenario: scenario('  cutOff: [{ on: bank-payout, at: "16:00", holidays: ["2025-01-27"] }]\n'),
    })
    const { requestId } = (await world.post(`${BANK}/new`, bankPayout())).body.data
    const seen = () => world.control('GET', `/payments/${requestId}`)
    expect(await seen()).toMatchObject({ plan: { after: '3d15h32m4s', rails: ['rails.cutOff[0]'] } })
    // From Friday, 16:28, to Tuesday, 08:00:04.
    await world.advance('3d15h32m3s')
    expect((await seen()).status).toBe('PENDING')
    await world.advance('1s')
    expect((await seen()).status).toBe('SUCCESS')
  })

  it.each([
    ['2025-01-24T07:00:00', '2025-01-24T08:00:00'],
    ['2025-01-24T08:00:00', '2025-01-24T08:00:00'],
    ['2025-01-24T15:59:59.999999', '2025-01-24T15:59:59.999999'],
    ['2025-01-24T16:00:00', '2025-01-28T08:00:00'],
    ['2025-01-25T12:00:00', '2025-01-28T08:00:00'],
  ])('what comes at %s is worked on from %s', (comes, worked) => {
    expect(nextOpening(opening, at(comes), 0)).toBe(at(worked))
  })

  it('never put anything into the past, nor onto a closed day', () => {
    fc.assert(
      fc.property(fc.nat(400 * 86_400), fc.constantFrom(0, 3 * 3_600_000_000), (second, zoneUs) => {
        const nowUs = at('2025-01-01') + second * 1_000_000
        const openUs = nextOpening(opening, nowUs, zoneUs)
        const { weekday, hour, date } = localTime(openUs, zoneUs)
        expect(openUs).toBeGreaterThanOrEqual(nowUs)
        expect(openUs - nowUs).toBeLessThan(6 * DAY_US)
        expect([weekday === 'SAT', weekday === 'SUN', date === '2025-01-27', hour < 8, hour >= 16]).not.toContain(true)
        expect(nextOpening(opening, openUs, zoneUs)).toBe(openUs)
      }),
    )
  })

  it.each([
    [
      '{ on: bank-payout, at: "07:00" }',
      'It opens at 08:00 and takes nothing from 07:00 on, so it is never open. Write an earlier opens.',
    ],
    [
      '{ on: bank-payout, at: "16:00", holidays: ["2025-02-30"] }',
      '"2025-02-30" is not a date. Write it like 2025-12-25.',
    ],
    ['{ on: checkout, at: "16:00" }', '"checkout" is not known here.'],
  ])('are told what is wrong with %s', (hours, message) => {
    expect(problemsOf(scenario(`  cutOff:\n    - ${hours}\n`)).join('\n')).toContain(message)
  })
})

describe('maintenance', () => {
  const over = (rest: string) =>
    scenario(`  maintenance: [{ on: send-money, every: "FRI 16:00..MON 06:00", ${rest} }]\n`)

  it('refuses with 503 until it is over', async () => {
    const world = await bench.world({ scenario: over('name: the weekend') })
    const refused = await world.post(SEND, sendMoney(100))
    expect([refused.status, refused.body.error.code, refused.body.error.details]).toEqual([
      503,
      'SERVICE_UNAVAILABLE',
      'the rail is under maintenance until 2025-01-27T06:00:00Z',
    ])
    await world.advance('2d13h32m')
    world.logout()
    expect((await world.post(SEND, sendMoney(100))).status).toBe(201)
  })

  it('holds what comes in it, and what would end in it', async () => {
    const world = await bench.world({
      scenario: over('then: hold'),
      clock: { mode: 'frozen', start: '2025-01-24T15:59:59Z' },
    })
    const early = (await world.post(SEND, sendMoney(100))).body.data.requestId
    await world.advance('1s')
    const late = (await world.post(SEND, sendMoney(100))).body.data.requestId
    const plan = async (uuid: string) => (await world.control('GET', `/payments/${uuid}`)).plan.after
    expect(await plan(early)).toBe('2d14h1s')
    expect(await plan(late)).toBe('2d14h2s')
  })

  it('fails what comes in it', async () => {
    const world = await bench.world({ scenario: over('then: fail, with: { responseDescription: Down }') })
    const { requestId } = (await world.post(SEND, sendMoney(100))).body.data
    await world.advance('2s')
    expect((await world.control('GET', `/payments/${requestId}`)).status).toBe('FAILED')
  })

  it('ends in the future, and what follows it is not in it', () => {
    const time = fc
      .integer({ min: 0, max: 1439 })
      .map((m) => `${String(Math.floor(m / 60)).padStart(2, '0')}:${String(m % 60).padStart(2, '0')}`)
    const day = fc.constantFrom('', 'SUN ', 'MON ', 'WED ', 'SAT ')
    fc.assert(
      fc.property(day, time, day, time, fc.nat(30 * 86_400), (fromDay, from, toDay, to, second) => {
        const window = parseEvery(`${fromDay}${from}..${toDay}${to}`)
        if (typeof window === 'string') return
        const nowUs = (parseInstant('2025-01-01') as number) + second * 1_000_000
        const endUs = endOfWindow(window, nowUs, 0)
        if (endUs === undefined) return
        expect(endUs).toBeGreaterThan(nowUs)
        expect(endUs - nowUs).toBeLessThanOrEqual(7 * DAY_US)
        expect(endOfWindow(window, endUs, 0)).toBeUndefined()
      }),
    )
  })

  it.each(
    Object.entries({
      '{ on: till, every: "SUN 25:00..05:00" }':
        '"SUN 25:00..05:00" is not a window. Write it like 01:00..03:00, SUN 01:00..05:00 or FRI 22:00..MON 06:00.',
      '{ on: till, every: "01:00..MON 05:00" }':
        'ends on a day and begins on none. Write it like FRI 01:00..MON 05:00.',
      '{ on: checkout, every: "01:00..05:00", then: hold }':
        'A checkout session does not wait for a rail. Write then: refuse.',
    }),
  )('are told what is wrong with %s', (window, message) => {
    expect(problemsOf(scenario(`  maintenance:\n    - ${window}\n`)).join('\n')).toContain(message)
  })
})

describe('a float', () => {
  const scarce = scenario('  float: [{ name: the mobile float, on: send-money, amount: 1000 }]\n')
  const statuses = async (world: {
    control(method: string, path: string): Promise<{ payments: { status: string }[] }>
  }) => (await world.control('GET', '/payments')).payments.map(({ status }) => status).sort()

  it('is used up by payouts on their way, given back by failures, and topped up by the operator', async () => {
    const world = await bench.world({ scenario: scarce })
    const left = async () => (await world.control('GET', '/floats')).floats[0].remaining
    await world.post(SEND, sendMoney(600))
    expect(await left()).toBe(400)
    await world.post(SEND, sendMoney(400, { phoneNumber: '254711000404' }))
    expect(await left()).toBe(0)
    await world.post(SEND, sendMoney(1))
    await world.advance('2s')
    expect(await statuses(world)).toEqual(['FAILED', 'FAILED', 'SUCCESS'])
    expect(await left()).toBe(400)
    expect(await world.available()).toBe(1_000_000 - 600)
    expect(await world.control('POST', '/floats/fund', { amount: 600 })).toMatchObject({
      name: 'the mobile float',
      remaining: 1000,
    })
    await world.post(SEND, sendMoney(1000))
    await world.advance('2s')
    expect(await statuses(world)).toEqual(['FAILED', 'FAILED', 'SUCCESS', 'SUCCESS'])
  })

  it('may refuse at once, and is only for its own kinds', async () => {
    const world = await bench.world({ scenario: scarce.replace('amount: 1000', 'amount: 50, then: refuse') })
    const refused = await world.post(SEND, sendMoney(51))
    expect([refused.status, refused.body.error.details]).toEqual([503, 'the float of the rail has 50.0 KES left'])
    expect((await world.post(`${BANK}/new`, bankPayout())).status).toBe(201)
    const wrong = await world.raw('POST', '/_mfano/floats/fund', { body: { name: 'the bank float', amount: 5 } })
    expect([wrong.status, wrong.body.error.details]).toEqual([
      404,
      'name: there is no float "the bank float"; there are the mobile float.',
    ])
  })
})

describe('a float that holds what it cannot pay', () => {
  const holding = (more = '') =>
    scenario(`  float: [{ name: the purse, on: [send-money, till], amount: 1000, then: hold }]\n${more}`)
  const pay = async (world: TestWorld, amount: number, changes: object = {}) =>
    (await world.post(SEND, sendMoney(amount, changes))).body.data.requestId as string
  const status = async (world: TestWorld, id: string) => (await world.control('GET', `/payments/${id}`)).status
  const purse = async (world: TestWorld) => (await world.control('GET', '/floats')).floats[0]
  const topUp = (world: TestWorld, amount: number) => world.control('POST', '/floats/fund', { amount })

  it('lets a payout wait, PENDING and reserved, until the float is topped up', async () => {
    const world = await bench.world({ scenario: holding() })
    const first = await pay(world, 800)
    const second = await pay(world, 500)
    await world.advance('2d')
    expect([await status(world, first), await status(world, second)]).toEqual(['SUCCESS', 'PENDING'])
    expect(await purse(world)).toMatchObject({ remaining: 200, waiting: { payments: 1, amount: 500 } })
    // The merchant's money is spoken for all the while.
    expect(await world.available()).toBe(998_700)

    expect(await topUp(world, 299)).toMatchObject({ remaining: 499, waiting: { payments: 1 } })
    await world.advance('1h')
    expect(await status(world, second)).toBe('PENDING')
    expect(await topUp(world, 1)).toMatchObject({ remaining: 0, waiting: { payments: 0, amount: 0 } })
    await world.advance('1s')
    expect(await status(world, second)).toBe('PENDING')
    await world.advance('1s')
    expect(await status(world, second)).toBe('SUCCESS')
    expect(bench.receiver.received).toHaveLength(2)
    expect(await world.available()).toBe(998_700)
  })

  it('takes up the oldest that it can pay, and lets a small one pass', async () => {
    const world = await bench.world({ scenario: holding() })
    const large = await pay(world, 5000)
    const small = await pay(world, 1500)
    const fits = await pay(world, 1000)
    const later = await pay(world, 700)
    await topUp(world, 2200)
    await world.advance('10s')
    const states = await Promise.all([large, small, fits, later].map((id) => status(world, id)))
    expect(states).toEqual(['PENDING', 'SUCCESS', 'SUCCESS', 'SUCCESS'])
    expect(await purse(world)).toMatchObject({ remaining: 0, waiting: { payments: 1, amount: 5000 } })
  })

  it('takes up what a failure gives back', async () => {
    const world = await bench.world({ scenario: holding() })
    const failing = await pay(world, 900, { phoneNumber: '254711000404' })
    const waiting = await pay(world, 400)
    await world.advance('2s')
    expect([await status(world, failing), await status(world, waiting)]).toEqual(['FAILED', 'PENDING'])
    await world.advance('2s')
    expect(await status(world, waiting)).toBe('SUCCESS')
  })

  it('keeps the hours of the rail from when it takes it up', async () => {
    const world = await bench.world({
      scenario: holding('  cutOff: [{ on: send-money, at: "17:00", weekends: true }]\n'),
    })
    const id = await pay(world, 2000)
    await world.advance('1h')
    await topUp(world, 1000)
    const { timeline, plan } = await world.control('GET', `/payments/${id}`)
    expect(timeline.due).toEqual([{ at: '2025-01-25T08:00:02.000000Z', event: 'settle' }])
    expect(plan).toMatchObject({ rails: ['the purse'], until: { float: 'the purse' } })
  })

  it('lets an operator end what waits, and another scenario free it', async () => {
    const world = await bench.world({ scenario: holding() })
    const ended = await pay(world, 3000)
    const freed = await pay(world, 2000)
    await world.control('POST', `/payments/${ended}/resolve`, { status: 'FAILED' })
    expect(await purse(world)).toMatchObject({ remaining: 1000, waiting: { payments: 1, amount: 2000 } })
    await world.raw('PUT', '/_mfano/scenario', { body: 'name: plain\ndescription: No floats.\n' })
    await world.advance('2s')
    expect(await status(world, freed)).toBe('SUCCESS')
    expect(await world.available()).toBe(998_000)
  })

  it('counts no read before, and tells nobody early', async () => {
    const rule = '{ name: polled, on: till, then: { until: { poll: 1 }, end: SUCCESS } }'
    const faults = '{ on: send-money, then: { early: true } }'
    const world = await bench.world({
      scenario: `${holding()}rules: [${rule}]\ncallbacks: { faults: [${faults}] }\n`,
    })
    const till = { ...bodies.till(bench.receiver.url()), amount: 1500 }
    const { requestId } = (await world.post('/api/sandbox/v1/till', till)).body.data
    const read = async () =>
      (await world.get(`/api/sandbox/v1/till/single?requestId=${requestId}&companyId=${world.companyId}`)).body.data
        .status
    expect(await read()).toBe('PENDING')
    await pay(world, 1001)
    expect(bench.receiver.received).toHaveLength(0)
    await topUp(world, 500)
    expect(await read()).toBe('SUCCESS')
  })

  it('says what it waits for', async () => {
    const world = await bench.world({ scenario: holding() })
    const id = await pay(world, 1200)
    const { stopped, story } = await world.control('GET', `/payments/${id}/explain`)
    expect(stopped).toMatchObject({
      waitsFor: 'float',
      why: 'It waits for the float "the purse", which has KES 1,000.00 of KES 1,200.00.',
      next: [
        expect.stringMatching(/^Top it up: POST \S+\/floats\/fund \{"name":"the purse","amount":200\}$/),
        expect.any(String),
        expect.any(String),
      ],
    })
    expect(story.map(({ text }: { text: string }) => text)).toContain(
      'Planned: SUCCESS 2s after its float holds the amount',
    )
    const { plan } = await world.control('POST', '/scenario/explain', { kind: 'send-money', request: sendMoney(5) })
    expect(plan.until).toBeUndefined()
    expect(
      (await world.control('POST', '/scenario/explain', { kind: 'till', request: { amount: 2000 } })).plan,
    ).toMatchObject({
      until: { float: 'the purse' },
    })
  })
})
