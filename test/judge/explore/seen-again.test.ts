/** What a finding is worth, by whether it comes again: each time, not each time, or only when books are read too soon. */
import { expect, it } from 'vitest'
import { must } from '../../../src/core/model/must.ts'
import { confirm } from '../../../src/judge/explore/engine.ts'
import { emptyRun, type Ran } from '../../../src/judge/explore/run-app.ts'

const clean = emptyRun([])
const shows: Ran = { ...clean, findings: [{ code: 'stale', text: '', requests: [] }] }

/** Three patient runs, and a hasty one. */
async function verdictOn(patient: Ran[], hasty: Ran, isHasty = true) {
  const runs = [...patient]
  const run = async ({ patience }: { patience?: string }) => (patience ? must(runs.shift()) : hasty)
  const [confirmed] = await confirm(['stale'], run, { capsule: {}, isHasty })
  expect(runs).toEqual([])
  return confirmed
}

it('tells a finding that comes each time from one that does not', async () => {
  expect(await verdictOn([shows, shows, shows], clean)).toMatchObject({ verdict: 'certain', shown: shows })
  expect(await verdictOn([shows, clean, shows], shows)).toMatchObject({ verdict: 'unstable', without: clean })
})

it('takes books for read too soon that are wrong each time at once, and never later', async () => {
  expect(await verdictOn([clean, clean, clean], shows)).toMatchObject({ verdict: 'too-soon' })
  // Once, and then neither at once nor later: the app does not do the same each time.
  expect(await verdictOn([clean, clean, clean], clean)).toMatchObject({ verdict: 'unstable' })
  // The ordinary day is never hasty.
  expect(await verdictOn([clean, clean, clean], shows, false)).toMatchObject({ verdict: 'unstable' })
})
