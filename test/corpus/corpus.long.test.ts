/** A few cases that take a search: found within so many schedules, and their mended editions clean in as many. */
import { expect, it } from 'vitest'
import { type Case, cases } from './cases.ts'
import { canRun, explored } from './judge-case.ts'

const LONG_MS = 300_000
const MENDED_SCHEDULES = 8

it.each([
  ['webhook-credits-again', 60],
  ['interrupted-payment-uncheckable', 60],
  ['amount-from-callback', 60],
])(
  'finds %s within %i schedules, and nothing in its mended edition',
  async (name, schedules) => {
    const one = cases.find((other) => other.name === name) as Case
    if (!canRun(one)) return
    const { found } = await explored(one, 'buggy', { withinMs: LONG_MS, schedules })
    expect(found).toMatchObject({ by: expect.stringMatching(/^1 choice/) })
    const limits = { withinMs: LONG_MS, schedules: MENDED_SCHEDULES }
    expect(await explored(one, 'mended', limits)).toMatchObject({ codes: [], unstable: [] })
  },
  LONG_MS,
)
