/** A seed finds the same, however many run at a time. */
import { expect, it, vi } from 'vitest'
import { readMerchantFile } from '../../../src/judge/app/merchant-file.ts'
import { type Explored, runExplorer } from '../../../src/judge/explore/explorer.ts'
import { SubjectRunner } from '../../../src/judge/explore/subject-runs.ts'
import { edition } from '../editions.ts'

const LONG_MS = 300_000
vi.setConfig({ testTimeout: LONG_MS })
const JOBS = 6

it('finds the same with the same seed, however many run at a time', async () => {
  const merchant = readMerchantFile(edition('duka', '5xx-is-failed'))
  const found = async (jobs: number) => {
    const run = vi.spyOn(SubjectRunner.prototype, 'run')
    const { findings, schedules }: Explored = await runExplorer({
      ...{ merchant, seed: 7, jobs, schedules: 24, findingsMax: 1, withinMs: LONG_MS, replay: [] },
      ...{ readyWithinMs: 60_000, restWithinMs: 20_000, signal: new AbortController().signal },
    })
    const ran = run.mock.calls.map(([choices]) => JSON.stringify(choices))
    run.mockRestore()
    return { found: findings.map(({ code, choices }) => ({ code, choices })), runs: schedules.run, ran }
  }
  const [few, many] = [await found(1), await found(JOBS)]
  expect({ ...many, ran: [] }).toEqual({ ...few, ran: [] })
  expect(few.found).not.toEqual([])
  // What is run ahead of need may be more, and nothing else.
  expect(few.ran.filter((one) => !many.ran.includes(one))).toEqual([])
})
