/** Calibrations of an mfano whose alternatives are hidden: nothing wrong is said, and nothing moves. */
import { expect, it } from 'vitest'
import { pairwise } from '../../../src/judge/matrix/pairwise.ts'
import { paymentsService } from '../../../src/service/service.ts'
import { useBench } from '../../support/harness.ts'
import { Pasts } from './account.ts'
import { unlistedIn } from './hidden-by.ts'
import { ManyTrials } from './many-trials.ts'
import { defaults, drawn, type Hidden, holdings, trialOf, wrongIn } from './trials.ts'

const bench = useBench()
const factors = Object.entries(paymentsService.assumptions).map(([id, { alternatives }]) => ({
  id,
  values: alternatives,
}))

/** As few rows as it takes to have each pair of alternatives in one of them. */
const everyPair = (): Hidden[] =>
  pairwise(factors).map((row) => Object.fromEntries(row.map((value, at) => [factors[at]?.id, value])))

it('decides around the defaults all that is free to ask, in at most 150 requests', async () => {
  const { report, amiss } = await trialOf(bench.simulator, await new Pasts(bench).of(defaults, true), defaults, true)
  expect(amiss).toEqual([])
  expect(report.requests).toBeLessThanOrEqual(150)
  expect(report.answers.filter(({ verdict }) => verdict === 'holds').length).toBeGreaterThan(70)
})

it('says nothing wrong under every pair of alternatives', async () => {
  const rows = everyPair()
  const pairs = new Set(rows.flatMap((row) => pairsOf(Object.entries(row))))
  const all = factors.flatMap(({ id, values }, at) =>
    factors
      .slice(at + 1)
      .flatMap((other) => values.flatMap((a) => other.values.map((b) => `${id}: ${a}, ${other.id}: ${b}`))),
  )
  expect(all.filter((pair) => !pairs.has(pair))).toEqual([])
  const many = await ManyTrials.started(bench)
  const trials = await many.run(rows.map((hidden, at) => ({ hidden, withSubAccount: at % 3 > 0, twice: at % 3 === 1 })))
  await many.end()
  expect(trials.flatMap(({ amiss }) => amiss)).toEqual([])
  expect(Math.max(...trials.map(({ requests }) => requests))).toBeLessThanOrEqual(150)
}, 240_000)

const pairsOf = (row: [string, string][]) =>
  row.flatMap(([id, a], at) => row.slice(at + 1).map(([other, b]) => `${id}: ${a}, ${other}: ${b}`))

it('would notice a wrong verdict, one that is hidden by nothing listed, and whatever was made or moved', async () => {
  const account = await new Pasts(bench).of(defaults, true)
  const { report } = await trialOf(bench.simulator, account, defaults, false)
  expect(wrongIn(report, { ...defaults, 'list-order': 'newest-first' })).toEqual([
    'list-order: is newest-first, said holds oldest-first',
  ])
  const answers = report.answers.map((one) =>
    one.assumption === 'path-case' ? { ...one, verdict: 'untold' as const, why: 'planted' } : one,
  )
  expect(unlistedIn({ ...report, answers }, defaults, true)).toEqual(['path-case: not told, and not listed: planted'])
  expect(unlistedIn(report, { ...defaults, 'malformed-ids': '404' }, true)).toEqual([
    'reference-lookup: told, and listed as what is not',
  ])
  const before = holdings(bench.simulator, account)
  await account.world.control('POST', '/wallets/fund', { currency: 'KES', amount: 1 })
  const funded = holdings(bench.simulator, account)
  expect(funded).not.toBe(before)
  account.world.logout()
  await bench.pay(account.world)
  expect(holdings(bench.simulator, account)).not.toBe(funded)
  expect(drawn(1)).not.toEqual(drawn(2))
})
