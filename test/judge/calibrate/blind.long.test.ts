/** Two thousand blind trials, seed by seed; and what one alternative hides of the others. */
import { expect, it } from 'vitest'
import { paymentsService } from '../../../src/service/service.ts'
import { useBench } from '../../support/harness.ts'
import { defaults, drawn, Pasts } from './blind.ts'
import { hiddenBy } from './hidden-by.ts'

const bench = useBench()
const TRIALS = Number(process.env['MFANO_BLIND_TRIALS'] ?? 2000)
const A_TEST = 100

it.each(Array.from({ length: TRIALS / A_TEST }, (_, n) => n * A_TEST))(
  'says nothing wrong in the hundred trials from seed %i on',
  async (first) => {
    const pasts = new Pasts(bench)
    const wrong: string[] = []
    for (let seed = first; seed < first + A_TEST; seed++)
      for (const one of (await pasts.trial(drawn(seed), seed % 3 > 0)).wrong) wrong.push(`${seed}: ${one}`)
    expect(wrong).toEqual([])
  },
  1_200_000,
)

it('hides only what is listed', async () => {
  const pasts = new Pasts(bench)
  const untoldOf = async (hidden: Record<string, string>) =>
    (await pasts.trial(hidden)).report.answers
      .filter(({ verdict, tier }) => verdict === 'untold' && tier === 'free')
      .map(({ assumption }) => assumption)
  const usual = await untoldOf(defaults)
  const found: Record<string, string[]> = {}
  for (const [id, { alternatives }] of Object.entries(paymentsService.assumptions))
    for (const alternative of alternatives.slice(1)) {
      const more = (await untoldOf({ ...defaults, [id]: alternative })).filter((one) => !usual.includes(one))
      if (more.length > 0) found[`${id}: ${alternative}`] = more
    }
  expect(found).toEqual(hiddenBy)
}, 1_200_000)
