/** Blind trials by the thousand, seed by seed; and each alternative alone among the defaults. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { paymentsService } from '../../../src/service/service.ts'
import { useBench } from '../../support/harness.ts'
import { ManyTrials, type TrialJob } from './many-trials.ts'
import { defaults, drawn } from './trials.ts'

const bench = useBench()
/** More take longer than a build may: `MFANO_BLIND_TRIALS=10000`, half an hour of one core. */
const TRIALS = Number(process.env['MFANO_BLIND_TRIALS'] ?? 2000)
const A_TEST = 100

let many: ManyTrials
beforeAll(async () => {
  many = await ManyTrials.started(bench)
})
afterAll(() => many.end())

async function amissIn(jobs: readonly TrialJob[]): Promise<string[]> {
  const results = await many.run(jobs)
  return results.flatMap(({ amiss }, at) => amiss.map((one) => `${at}: ${one}`))
}

it.each(Array.from({ length: TRIALS / A_TEST }, (_, n) => n * A_TEST))(
  'says nothing wrong in the hundred trials from seed %i on',
  async (first) => {
    const seeds = Array.from({ length: A_TEST }, (_, n) => first + n)
    const jobs = seeds.map((seed) => ({ hidden: drawn(seed), withSubAccount: seed % 3 > 0, twice: seed % 10 === 0 }))
    expect(await amissIn(jobs)).toEqual([])
  },
  1_200_000,
)

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
