/**
 * Cases in the one scenario, or under the one choice, that brings their bug out, and a few that take a search. Their mended
 * editions are clean.
 */
import { expect, it, onTestFinished, vi } from 'vitest'
import { readMerchantFile } from '../../src/judge/app/merchant-file.ts'
import type { Choice } from '../../src/judge/explore/choice.ts'
import { SubjectRunner } from '../../src/judge/explore/subject-runs.ts'
import { dayOrNight } from '../support/night.ts'
import { type Case, cases } from './cases.ts'
import { canRun, explored, merchantFile, ranGauntlet } from './judge-case.ts'

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

const stk = { do: 'tell', kind: 'stk', nth: 1 } as const
const payout = { kind: 'send-money', nth: 1 } as const
const between = { do: 'act-between', kind: 'stk', nth: 1, as: 'failed-then-paid', act: 'retry' } as const
/** Choices under which a case shows its finding, and others under which it shows none. */
const singled: [name: string, code: string, guilty: Choice[], innocent?: Choice[]][] = [
  ['failed-attempt-forgotten', 'paid_unknown', [between], [{ do: 'end', kind: 'stk', nth: 1, as: 'failed-then-paid' }]],
  ['late-failure-overwrites', 'stale', [{ do: 'end', kind: 'stk', nth: 1, as: 'failure-told-last' }]],
  ['id-read-by-pattern', 'stale', [{ do: 'spoil', operation: 'createStkCollection', nth: 1, as: 'respelled' }]],
  ['amount-left-out', 'wrong_amount', [{ ...stk, as: 'no-amount' }], [{ ...stk, as: 'no-status' }]],
  [
    'underpaid-invoice-is-paid',
    'wrong_amount',
    (['less', 'more'] as const).map((as) => ({ do: 'bank-payer', nth: 1, as })),
    (['twice', 'other-text'] as const).map((as) => ({ do: 'bank-payer', nth: 1, as })),
  ],
  [
    'signature-of-parsed-json',
    'stale',
    [
      { ...stk, as: 'respelled' },
      { ...stk, as: 'exponents' },
    ],
  ],
  ['idempotency-key-trusted', 'paid_twice', [{ do: 'answer', ...payout, as: 'lost' }]],
  ['masked-phone-not-valid', 'stale', [{ do: 'tell', ...payout, as: 'masked' }]],
  [
    'gateway-page-is-refusal',
    'stale',
    [{ do: 'answer', ...payout, as: '502-page' }],
    [{ do: 'answer', ...payout, as: '500' }],
  ],
]

/** The worst that an edition shows under each of the choices. */
async function shownBy(one: Case, isMended: boolean, choices: readonly Choice[]): Promise<string[][]> {
  vi.stubEnv('MENDED', isMended ? '1' : '0')
  const runner = await SubjectRunner.open({
    ...{ merchant: readMerchantFile(merchantFile(one)), seed: 1, jobs: 1, signal: new AbortController().signal },
    ...{ readyWithinMs: 60_000, restWithinMs: 20_000 },
  })
  onTestFinished(() => runner.close().finally(() => vi.unstubAllEnvs()))
  await runner.learn(await runner.run([], { patience: 'first' }), false)
  const codes: string[][] = []
  for (const choice of choices) codes.push((await runner.run([choice])).findings.slice(0, 1).map(({ code }) => code))
  return codes
}

it.each(singled.slice(0, dayOrNight(3, singled.length)))(
  'finds %s by one choice, and nothing in its mended edition',
  async (name, code, guilty, innocent = []) => {
    const one = cases.find((other) => other.name === name) as Case
    if (!canRun(one)) return
    const choices = [...guilty, ...innocent]
    const expected = [...guilty.map(() => [code]), ...innocent.map(() => [])]
    expect(await shownBy(one, false, choices)).toEqual(expected)
    expect(await shownBy(one, true, choices)).toEqual(choices.map(() => []))
  },
)
