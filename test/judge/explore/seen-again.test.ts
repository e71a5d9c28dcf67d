/** What a finding is worth, by whether it comes again: each time, not each time, or only when books are read too soon. */
import { expect, it } from 'vitest'
import { confirm } from '../../../src/judge/explore/engine.ts'

const shows = { findings: [{ code: 'stale' }] }
const clean = { findings: [] }

/** Three patient runs, and a hasty one. */
async function verdictOn(patient: object[], hasty: object, isHasty = true) {
  const runs = [...patient]
  const run = async ({ patience }: { patience?: string }) => (patience ? runs.shift() : hasty) as typeof shows
  const [confirmed] = await confirm(['stale'], run, { name: 'stale', capsules: undefined, isHasty })
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
