/** Cases in the one scenario that brings their bug out, and a few that take a search. Their mended editions are clean. */
import { expect, it, vi } from 'vitest'
import { dayOrNight } from '../support/night.ts'
import { type Case, cases } from './cases.ts'
import { canRun, explored, ranGauntlet } from './judge-case.ts'

const LONG_MS = 300_000
vi.setConfig({ testTimeout: LONG_MS })
const SCHEDULES = 60
const MENDED_SCHEDULES = 8

const underScenarios: [name: string, scenario: string][] = [
  ['returned-transfer-stays-paid', 'late-reversal'],
  ['cents-cut-off', 'default'],
  ['webhook-status-not-read', 'stk-wrong-pin'],
]
const searched = [
  ...['parallel-webhooks', 'unsigned-webhook', 'webhook-credits-again'],
  ...['interrupted-payment-uncheckable', 'amount-from-callback'],
]
const FEW = dayOrNight(1, 3)

it.each(underScenarios.slice(0, FEW))(
  'finds %s under %s, and nothing in its mended edition',
  async (name, scenario) => {
    const one = cases.find((other) => other.name === name) as Case
    if (!canRun(one)) return
    const limits = { withinMs: LONG_MS, scenarios: [scenario] }
    expect(await ranGauntlet(one, 'buggy', limits)).toMatchObject({ found: { by: scenario } })
    const { codes, unjudged } = await ranGauntlet(one, 'mended', limits)
    expect({ codes, unjudged }).toEqual({ codes: [], unjudged: undefined })
  },
)

it.each(searched.slice(0, dayOrNight(2, 5)))(
  'finds %s by a search, and nothing in its mended edition',
  async (name) => {
    const one = cases.find((other) => other.name === name) as Case
    if (!canRun(one)) return
    const { found } = await explored(one, 'buggy', { withinMs: LONG_MS, schedules: SCHEDULES })
    expect(found).toMatchObject({ by: expect.stringMatching(/^1 choice/) })
    const limits = { withinMs: LONG_MS, schedules: MENDED_SCHEDULES }
    expect(await explored(one, 'mended', limits)).toMatchObject({ codes: [], unstable: [] })
  },
)
