/** Eight scenarios of a payroll team, as files: what explain and preview say of a request is what becomes of it. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type TestWorld, useBench } from '../support/harness.ts'
import { load, ordinary } from './support.ts'

const bench = useBench()
const folder = join(import.meta.dirname, 'payroll-team')
const text = (name: string) => readFileSync(join(folder, `${name}.yaml`), 'utf8')
/** A Friday, 16:30 in Nairobi. */
const START = '2025-01-24T13:30:00Z'
const worldOf = (name: string) => bench.world({ scenario: text(name), clock: { mode: 'frozen', start: START } })

const paths = { 'send-money': '/api/sandbox/v1/send-money', 'bank-payout': '/api/sandbox/v1/bank/payout/new' }

/** Asks explain and preview, makes the request, and gives how it was decided: all three have to agree. */
async function pay(world: TestWorld, kind: keyof typeof paths, changes: object = {}) {
  world.logout()
  const request = { ...ordinary[kind], callbackUrl: bench.receiver.url(), ...changes }
  const explained = await world.control('POST', '/scenario/explain', { kind, request })
  const preview = await world.control('POST', '/scenario/preview', { kind, request })
  const { status, body } = await world.post(paths[kind], request)
  expect(explained.refuse?.status ?? 201).toBe(status)
  expect(preview.rule).toBe(explained.rule)
  if (status !== 201) return { status, rule: explained.rule, end: null, after: null, uuid: '' }
  const { plan, rule } = await world.control('GET', `/payments/${body.data.requestId}`)
  expect([rule, plan.end, plan.after]).toEqual([explained.rule, explained.plan.end, explained.plan.after])
  return { status, rule, end: plan.end, after: plan.after, uuid: body.data.requestId }
}

it('are files that load without a warning', () => {
  const names = readdirSync(folder).map((file) => file.slice(0, -'.yaml'.length))
  expect(names).toHaveLength(8)
  for (const name of names) expect(load(text(name)).warnings(), name).toEqual([])
})

describe('the scenarios', () => {
  it('one letter differs', async () => {
    const world = await worldOf('one-letter-differs')
    expect(await pay(world, 'bank-payout', { beneficiaryName: 'JANE MWANGA' })).toMatchObject({ end: 'FAILED' })
    expect(await pay(world, 'bank-payout', { beneficiaryName: 'JANE MWANGI' })).toMatchObject({ end: 'SUCCESS' })
  })

  it('TZS 999 is refused and 1,000 passes', async () => {
    const world = await worldOf('tzs-minimum-is-the-services-own')
    const tanzanian = {
      ...{ phoneNumber: '255712345678', currencyCode: 'TZS', narration: 'Wages' },
      ...{ firstName: 'Asha', lastName: 'Example', serviceCode: 'TZ-TIGO-B2C' },
    }
    expect(await pay(world, 'send-money', { ...tanzanian, amount: 999 })).toMatchObject({ status: 400, rule: null })
    expect(await pay(world, 'send-money', { ...tanzanian, amount: 1000 })).toMatchObject({ status: 201 })
  })

  it('30 % of send-money fails on Friday afternoon', async () => {
    const world = await worldOf('friday-afternoon')
    const ends: string[] = []
    for (let i = 0; i < 20; i++) ends.push((await pay(world, 'send-money')).end)
    expect(new Set(ends)).toEqual(new Set(['SUCCESS', 'FAILED']))
    await world.advance('90m')
    expect(await pay(world, 'send-money')).toMatchObject({ end: 'SUCCESS' })
  })

  it('the third payout to a phone in a day is refused', async () => {
    const world = await worldOf('third-payout-of-a-day')
    const statuses: number[] = []
    for (let i = 0; i < 3; i++) statuses.push((await pay(world, 'send-money')).status)
    expect(statuses).toEqual([201, 201, 403])
    // Midnight in Nairobi.
    await world.advance('7h30m')
    expect(await pay(world, 'send-money')).toMatchObject({ status: 201 })
  })

  it('callbacks above 50,000 come two hours late and twice', async () => {
    const world = await worldOf('large-callbacks-late-and-twice')
    await pay(world, 'send-money', { amount: 50_001 })
    await pay(world, 'send-money', { amount: 50_000 })
    await world.advance('1h')
    expect(bench.receiver.received).toHaveLength(1)
    await world.advance('2h')
    expect(bench.receiver.received).toHaveLength(3)
  })

  it('the first prompt of each payer is ignored, the second is paid', async () => {
    const world = await worldOf('first-prompt-ignored')
    const ends: string[] = []
    for (const phoneNumber of ['254712345678', '254711000111', '254712345678']) {
      const { uuid } = await world.control('POST', '/collections/stk', { phoneNumber, amount: 10 })
      ends.push((await world.control('GET', `/payments/${uuid}`)).plan.end)
    }
    expect(ends).toEqual(['FAILED', 'FAILED', 'SUCCESS'])
  })

  it('bank payouts take one to three banking days, except to bank 0001', async () => {
    const world = await worldOf('banking-days')
    expect(await pay(world, 'bank-payout', { bankCode: '0001' })).toMatchObject({ after: '2s', rule: 'our own bank' })
    const { uuid } = await pay(world, 'bank-payout', { bankCode: '0068' })
    // After hours on a Friday: banks count from Monday.
    await world.advance('3d')
    expect((await world.control('GET', `/payments/${uuid}`)).status).toBe('PENDING')
    await world.advance('3d')
    expect((await world.control('GET', `/payments/${uuid}`)).status).toBe('SUCCESS')
  })

  it('after 500,000 in a day everything fails with the error of the limit until midnight', async () => {
    const world = await worldOf('daily-limit-until-midnight')
    expect(await pay(world, 'send-money', { amount: 400_000 })).toMatchObject({ end: 'SUCCESS' })
    expect(await pay(world, 'send-money', { amount: 200_000 })).toMatchObject({ end: 'FAILED' })
    const { uuid } = await pay(world, 'bank-payout', { amount: 10 })
    await world.advance('1m')
    expect(await world.control('GET', `/payments/${uuid}`)).toMatchObject({
      status: 'FAILED',
      record: { errorCode: 'DAILY_LIMIT_REACHED', errorDesc: 'Daily limit reached' },
    })
    await world.advance('7h29m')
    expect(await pay(world, 'send-money', { amount: 400_000 })).toMatchObject({ end: 'SUCCESS' })
  })
})
