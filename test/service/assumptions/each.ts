/** Each alternative of an assumption, as the probe that asks the real service tells it. */
import { expect, it } from 'vitest'
import { controlOf } from '../../../src/client/control.ts'
import { tracesOf, usedNames } from '../../../src/judge/explore/world-left.ts'
import { isTouched } from '../../../src/judge/strategies/matrix.ts'
import { type AssumptionId, assumptions } from '../../../src/service/assumptions/assumptions.ts'
import { type ProbeWay, tiers, waysOf } from '../../../src/service/probe.ts'
import { probes } from '../../../src/service/probes.ts'
import { accountIn, accountWithPast, type MadeAccount } from '../../judge/calibrate/account.ts'
import { calibrated, ofThePast } from '../../judge/calibrate/trials.ts'
import type { Alarms } from '../../support/alarms.ts'
import { bodies } from '../../support/bodies.ts'
import { assuming } from '../../support/contract.ts'
import type { Bench, TestWorld } from '../../support/harness.ts'
import { AtHand } from './at-hand.ts'
import { shows } from './shows.ts'

/** What an account has that its records tell. */
type Past = 'none' | 'records' | 'records-and-sub-account'

/** What a probe needs of a world to see anything. */
interface Stage {
  past?: Past
  given?: Partial<Record<AssumptionId, string>>
  scenario?: object
  /** What the account did before. */
  before?(world: TestWorld): Promise<unknown>
  /** The alternative of which the first way to ask sees nothing: where it holds, that way tells nothing. */
  unseen?: string
}

const ofRecords: Stage = { past: 'records' }
const ofSubAccounts: Stage = { past: 'records-and-sub-account' }

const stages: { readonly [Id in AssumptionId]?: Stage } = {
  'list-order': ofRecords,
  'list-pages': ofRecords,
  'status-read-code': ofRecords,
  'timestamp-form': ofRecords,
  'fee-fields': {
    scenario: { rails: { fees: [{ name: 'flat', on: 'bank-payout', amount: 50 }] } },
    before: async (world) => {
      await world.post('/api/sandbox/v1/bank/payout/new', bodies.bankPayout('http://127.0.0.1:9/callback'))
      await world.advance('1m')
    },
    unseen: 'zero',
  },
  'success-record': ofRecords,
  'failure-codes': ofRecords,
  'failed-description': ofRecords,
  'timestamp-zone': { ...ofRecords, unseen: 'utc' },
  'tanzania-in-lists': { ...ofRecords, unseen: 'left-out' },
  'subscription-required': { unseen: 'no' },
  'list-scope': ofSubAccounts,
  'company-id': ofSubAccounts,
  'sub-account-environment': ofSubAccounts,
  'net-balance': { ...ofSubAccounts, unseen: 'collections-minus-payouts' },
  'cancelled-allocation-status': ofSubAccounts,
  'allocation-callers': ofSubAccounts,
  'verification-failure': { given: { 'unlisted-operations': 'on' } },
}

/** Tests the alternatives of all assumptions, each in a world of its own; each way to ask has to tell them by itself. */
export function testEach(bench: Bench, time: Alarms): void {
  it.each(Object.keys(assumptions) as AssumptionId[])('%s', async (id) => {
    const probe = probes[id]
    if ('unaskable' in probe) await showsAll(bench, id)
    else for (const way of waysOf(probe)) await tellsAll(bench, time, id, way)
  })
}

/** Holds where one way to ask tells each alternative. One that says the same of all cannot. */
export async function tellsAll(bench: Bench, time: Alarms, id: AssumptionId, way: ProbeWay): Promise<void> {
  const { alternatives } = assumptions[id]
  const { unseen } = stages[id] ?? {}
  const isFirst = 'tier' in probes[id] && probes[id].tier === way.tier
  for (const alternative of alternatives) {
    const account = await accountOf(bench, id, alternative)
    await stages[id]?.before?.(account.world)
    const hand = new AtHand(account.world, bench.receiver, time)
    const [answer] = (await asked(bench, account, id, way, hand)).answers
    await hand.end()
    const expected =
      isFirst && unseen === alternative ? { verdict: 'untold', excluded: [] } : { verdict: 'holds', alternative }
    expect(answer, `${way.tier}: ${JSON.stringify(answer)}`).toMatchObject(expected)
    await leavesTraces(account, id)
  }
}

/** What nobody can ask about shows as another value under each alternative. */
async function showsAll(bench: Bench, id: AssumptionId): Promise<void> {
  const seen = new Set<string>()
  for (const alternative of assumptions[id].alternatives) {
    const account = await accountOf(bench, id, alternative)
    const value = JSON.stringify(await shows[id]?.shown(account.world, bench.receiver))
    expect(seen.has(value), `${alternative} shows as ${value}`).toBe(false)
    seen.add(value)
    await leavesTraces(account, id)
  }
}

/** A suite of these requests is not to be told that nothing of it can show the choice. */
async function leavesTraces({ world }: MadeAccount, id: AssumptionId): Promise<void> {
  const used = usedNames(await tracesOf(controlOf(world.baseUrl)))
  expect(isTouched(id, assumptions[id].touches, used), `what was used for ${id}`).toBe(true)
}

async function accountOf(bench: Bench, id: AssumptionId, alternative: string): Promise<MadeAccount> {
  const { past = 'none', given = {}, scenario = {} } = { ...stages[id], ...shows[id] }
  const under = { ...assuming({ ...given, [id]: alternative }).scenario, ...scenario }
  if (past === 'none') return accountIn(await bench.world({ scenario: under }))
  // Told apart when a payment is made, or when it is read.
  const atBirth = (ofThePast as readonly string[]).includes(id) ? { [id]: alternative } : {}
  const withSubAccount = past === 'records-and-sub-account'
  const account = await accountWithPast(bench, { withSubAccount, assumptions: atBirth })
  await account.world.control('PUT', '/scenario', under)
  return account
}

async function asked(bench: Bench, account: MadeAccount, id: AssumptionId, way: ProbeWay, hand: AtHand) {
  bench.receiver.received.length = 0
  const probe = probes[id]
  Object.assign(probes, { [id]: { ...way, or: undefined } })
  const { apiKey, apiSecret, companyId } = account.world.credentials
  const startMs = Date.parse('2026-11-25T08:00:00Z')
  const asking = calibrated(fetch, account, {
    account: {
      apiKey,
      apiSecret,
      companyId,
      receiver: bench.receiver.url(''),
      to: ['254711000100', '255711000100', '256771000100'],
      bankAccount: '0068/01100000000422',
      amount: 10,
      run: 'r1',
    },
    nowMs: () => startMs + hand.passedMs,
    paceMs: 0,
    pause: (ms) => hand.wait(ms),
    allow: new Set(tiers),
    payments: 5,
    longestWaitMs: Number.POSITIVE_INFINITY,
    twice: false,
    receiver: hand,
    questions: { [id]: assumptions[id] },
  })
  return asking.finally(() => {
    Object.assign(probes, { [id]: probe })
  })
}
