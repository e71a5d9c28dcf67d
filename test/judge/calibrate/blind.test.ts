/** Calibrations of an mfano whose alternatives are hidden: nothing wrong is said, and nothing moves. */
import { expect, it } from 'vitest'
import { useBench } from '../../support/harness.ts'
import { Pasts } from './account.ts'
import { unlistedIn } from './hidden-by.ts'
import { defaults, drawn, holdings, trialOf, wrongIn } from './trials.ts'

const bench = useBench()

it('decides around the defaults all that is free to ask, in at most 150 requests', async () => {
  const { report, amiss } = await trialOf(bench.simulator, await new Pasts(bench).of(defaults, true), defaults, true)
  expect(amiss).toEqual([])
  expect(report.requests).toBeLessThanOrEqual(150)
  expect(report.answers.filter(({ verdict }) => verdict === 'holds').length).toBeGreaterThan(35)
})

it('would notice a wrong verdict, one that is hidden by nothing listed, and whatever was made or moved', async () => {
  const account = await new Pasts(bench).of(defaults, true)
  const { report } = await trialOf(bench.simulator, account, defaults, false)
  expect(wrongIn(report, { ...defaults, 'list-order': 'newest-first' })).toEqual([
    'list-order: is newest-first, said holds oldest-first',
  ])
  const answers = report.answers.map((one) =>
    one.assumption === 'trailing-slash' ? { ...one, verdict: 'untold' as const, why: 'planted' } : one,
  )
  expect(unlistedIn({ ...report, answers }, defaults, true)).toEqual([
    'trailing-slash: not told, and not listed: planted',
  ])
  expect(unlistedIn(report, { ...defaults, 'net-balance': 'collections-minus-payouts' }, true)).toEqual([
    'net-balance: told, and listed as what is not',
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
