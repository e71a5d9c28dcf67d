/** Calibrations of an mfano whose alternatives are hidden: nothing wrong is said, and nothing moves. */
import { expect, it } from 'vitest'
import { useBench } from '../../support/harness.ts'
import { defaults, everyPair, Pasts } from './blind.ts'
import { untoldByDefault } from './hidden-by.ts'

const bench = useBench()

it('decides around the defaults all that is free to ask, in at most 150 requests', async () => {
  const { report, wrong } = await new Pasts(bench).trial(defaults)
  expect(wrong).toEqual([])
  expect(report.requests).toBeLessThanOrEqual(150)
  const open = report.answers.filter(({ verdict }) => verdict === 'untold')
  expect(open.map(({ assumption, why }) => [assumption, why])).toEqual(untoldByDefault)
  expect(report.answers.filter(({ verdict }) => verdict === 'holds').length).toBeGreaterThan(70)
})

it('says nothing wrong under every pair of alternatives', async () => {
  const pasts = new Pasts(bench)
  const rows = everyPair()
  expect(rows.length).toBeGreaterThan(12)
  const wrong: string[] = []
  let requests = 0
  for (const [at, hidden] of rows.entries()) {
    const trial = await pasts.trial(hidden, at % 3 > 0)
    wrong.push(...trial.wrong)
    requests = Math.max(requests, trial.report.requests)
  }
  expect(wrong).toEqual([])
  expect(requests).toBeLessThanOrEqual(150)
}, 240_000)
