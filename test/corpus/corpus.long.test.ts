/** Cases in the one scenario that brings their bug out, and a few that take a search. Their mended editions are clean. */
import { expect, it } from 'vitest'
import { type Case, cases } from './cases.ts'
import { canRun, explored, ranGauntlet } from './judge-case.ts'

const LONG_MS = 300_000
const MENDED_SCHEDULES = 8

it.each([
  ['cents-cut-off', 'default'],
  ['returned-transfer-stays-paid', 'late-reversal'],
  ['webhook-status-not-read', 'stk-wrong-pin'],
])(
  'finds %s under %s, and nothing in its mended edition',
  async (name, scenario) => {
    const one = cases.find((other) => other.name === name) as Case
    if (!canRun(one)) return
    const limits = { withinMs: LONG_MS, scenarios: [scenario] }
    expect(await ranGauntlet(one, 'buggy', limits)).toMatchObject({ found: { by: scenario } })
    const { codes, unjudged } = await ranGauntlet(one, 'mended', limits)
    expect({ codes, unjudged }).toEqual({ codes: [], unjudged: undefined })
  },
  LONG_MS,
)

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
