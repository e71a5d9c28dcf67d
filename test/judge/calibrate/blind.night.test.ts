/** Blind trials, seed by seed; each alternative alone among the defaults; and every pair of alternatives. */
import { expect, it } from 'vitest'
import { pairwise } from '../../../src/judge/strategies/matrix.ts'
import { inTurn } from '../../../src/judge/subject/risks.ts'
import { paymentsService } from '../../../src/service/service.ts'
import { useBench } from '../../support/harness.ts'
import { dayOrNight } from '../../support/night.ts'
import { Pasts } from './account.ts'
import { defaults, drawn, type Hidden, trialOf } from './trials.ts'

const bench = useBench()
const TRIALS = dayOrNight(100, 2000)

interface TrialJob {
  hidden: Hidden
  withSubAccount: boolean
  twice: boolean
}

async function run(jobs: readonly TrialJob[]) {
  const pasts = new Pasts(bench)
  const results = []
  for (const { hidden, withSubAccount, twice } of jobs)
    results.push(await trialOf(bench.simulator, await pasts.of(hidden, withSubAccount), hidden, twice))
  return results
}

async function amissIn(jobs: readonly TrialJob[]): Promise<string[]> {
  const results = await run(jobs)
  return results.flatMap(({ amiss }, at) => amiss.map((one) => `${at}: ${one}`))
}

it('says nothing wrong in trials that are drawn', async () => {
  const seeds = Array.from({ length: TRIALS }, (_, seed) => seed)
  const jobs = seeds.map((seed) => ({ hidden: drawn(seed), withSubAccount: seed % 3 > 0, twice: seed % 10 === 0 }))
  expect(await amissIn(jobs)).toEqual([])
}, 1_200_000)

it('decides around the defaults all that no listed alternative hides', async () => {
  const jobs = Object.entries(paymentsService.assumptions).flatMap(([id, { alternatives }]) =>
    alternatives.slice(1).map((alternative) => ({
      hidden: { ...defaults, [id]: alternative },
      withSubAccount: true,
      twice: false,
    })),
  )
  expect(await amissIn(jobs)).toEqual([])
}, 1_200_000)

const others = inTurn(
  Object.entries(paymentsService.assumptions).map(([assumption, { alternatives }]) =>
    alternatives.slice(1).map((alternative) => ({ do: 'assume' as const, assumption, alternative })),
  ),
)

/** Some rows with each pair of alternatives in one of them, the defaults around it. */
const everyPair = (): Hidden[] =>
  pairwise(others).map((row) => ({
    ...defaults,
    ...Object.fromEntries(row.map(({ assumption, alternative }) => [assumption, alternative])),
  }))

it('says nothing wrong under every pair of alternatives', async () => {
  const rows = everyPair()
  const trials = await run(rows.map((hidden, at) => ({ hidden, withSubAccount: at % 3 > 0, twice: at % 3 === 1 })))
  expect(trials.flatMap(({ amiss }) => amiss)).toEqual([])
  expect(Math.max(...trials.map(({ report }) => report.requests))).toBeLessThanOrEqual(150)
}, 1_200_000)
