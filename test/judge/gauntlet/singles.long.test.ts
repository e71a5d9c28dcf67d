/** Every single choice of an app, as the gauntlet tries it; what it says of them by risk; and that it keeps its time. */
import { expect, it, onTestFinished } from 'vitest'
import { type Merchant, readMerchantFile } from '../../../src/judge/app/merchant-file.ts'
import type { Choice } from '../../../src/judge/explore/choice.ts'
import { singlesOf } from '../../../src/judge/explore/schedules.ts'
import type { SubjectRuns, TimedRun } from '../../../src/judge/explore/subject-runs.ts'
import { SubjectRunner } from '../../../src/judge/explore/subject-runs.ts'
import { nameOfChoices } from '../../../src/judge/explore/tell.ts'
import { type GauntletOptions, gauntlet } from '../../../src/judge/strategies/gauntlet.ts'
import { riskScorecard, type ScenarioResult } from '../../../src/judge/strategies/gauntlet-document.ts'
import { answer } from '../../apps/cli/support.ts'
import { edition } from '../editions.ts'

/** Some runs of an app, on a machine that may be busy. */
const LONG_MS = 240_000

it('tries single choices of every operation', { timeout: LONG_MS }, async () => {
  const merchant = readMerchantFile(edition('duka', ''))
  const { signal } = new AbortController()
  const runners = await SubjectRunner.open({
    ...{ readyWithinMs: 60_000, restWithinMs: 20_000, merchant, seed: 1, jobs: 2, signal },
  })
  onTestFinished(() => runners.close())
  const base = await runners.run([], { patience: 'first' })
  expect(base.findings).toEqual([])
  const names = singlesOf(base, merchant).map((one) => nameOfChoices([one]))
  expect(new Set(names).size).toBe(names.length)
  // The suppliers get more than the customers pay.
  expect(names[0]).toBe('answer send-money 1 lost')
  for (const operation of ['getToken', 'createSendMoney', 'getSendMoney', 'createStkCollection'])
    expect(names.slice(0, 200).join('\n')).toContain(operation)
})

/** A run of nothing, in which these were found. */
const ran = (choices: readonly Choice[], ...codes: string[]): TimedRun => ({
  ...{ choices, happened: [], payments: [], requests: [], told: [], about: new Map(), warnings: [] },
  ...{ chosen: new Set(), tookMs: 1 },
  findings: codes.map((code) => ({ code, text: code, requests: [] })),
})

const LEFT = { left: { unmet: [], hasFired: false } }

type Runs = SubjectRuns['run']

/** A gauntlet over an app that finds what it is told to. */
function judged(
  scenarios: string[],
  run: Runs,
  { choices = [], ...given }: Partial<GauntletOptions> & { choices?: readonly Choice[] } = {},
) {
  const options: GauntletOptions = {
    ...{ file: 'shop.yaml', readyWithinMs: 1, restWithinMs: 1, jobs: 1, tls: false, ended: () => {} },
    ...{ scenarios, full: true, adviceCounts: false, signal: new AbortController().signal },
    ...given,
  }
  const runs: SubjectRuns = {
    run: async (made, recording) => {
      const own = made.filter((one) => one.do !== 'scenario')
      return {
        ...(await run(own, recording)),
        choices: made,
        ...(own.length < made.length && LEFT),
      }
    },
    learn: async () => ({ singles: choices }),
    hold: (work) => work(),
    close: async () => {},
  }
  return gauntlet(options, { name: 'shop' } as Merchant, (_, work) => work(runs))
}

it('sees again what it finds, and tells its like once', async () => {
  const choices = [1, 2].map((nth): Choice => ({ do: 'crash', at: 'executed', on: 'createSendMoney', nth }))
  const report = await judged(['default'], async (made) => ran(made, ...(made.length > 0 ? ['paid_unknown'] : [])), {
    choices,
  })
  expect(report.singles).toMatchObject([
    {
      ...{ scenario: 'crash executed createSendMoney 1', risk: 'crashes', verdict: 'findings' },
      findings: [{ code: 'paid_unknown', choices: [choices[0]], story: [expect.stringMatching(/started again$/)] }],
    },
    { verdict: 'findings', findings: [], why: expect.stringMatching(/^paid_unknown, as/) },
  ])
})

const result = (
  risk: ScenarioResult['risk'],
  verdict: ScenarioResult['verdict'],
  more: Partial<ScenarioResult> = {},
) => ({
  ...{
    scenario: `${risk} ${verdict}`,
    ...(risk && { risk }),
    verdict,
    findings: [],
    warnings: [],
    unmet: [],
    tookMs: 1,
  },
  ...more,
})

it('scores each risk: passed, so far or at all, failed, not applicable or not reached', () => {
  const scores = riskScorecard([
    result('order', 'clean'),
    result('order', 'left'),
    result('crashes', 'clean'),
    result('crashes', 'findings'),
    result('repeats', 'clean'),
    result('forgeries', 'skipped'),
    result('reversals', 'clean', { unmet: ['the bank takes it back'] }),
    result('refusals', 'skipped', { isIdle: true }),
    result('refusals', 'clean'),
    result('lateness', 'unjudged'),
  ])
  expect(
    Object.fromEntries(
      scores.map(({ risk, verdict, tried, failed, left }) => [risk, { verdict, tried, failed, left }]),
    ),
  ).toEqual({
    'lost-answers': { verdict: 'not-applicable', tried: 0, failed: 0, left: 0 },
    repeats: { verdict: 'passed', tried: 1, failed: 0, left: 0 },
    order: { verdict: 'passed-so-far', tried: 1, failed: 0, left: 1 },
    crashes: { verdict: 'failed', tried: 2, failed: 1, left: 0 },
    lateness: { verdict: 'not-reached', tried: 0, failed: 0, left: 1 },
    reversals: { verdict: 'not-reached', tried: 0, failed: 0, left: 1 },
    refusals: { verdict: 'passed-so-far', tried: 1, failed: 0, left: 1 },
    forgeries: { verdict: 'not-applicable', tried: 0, failed: 0, left: 0 },
    surprises: { verdict: 'not-applicable', tried: 0, failed: 0, left: 0 },
  })
})

it('runs scenarios and single choices beside each other, and says what it had no time for', async () => {
  const choices = (['lost', 'reset', '500'] as const).map((as): Choice => ({ do: 'answer', kind: 'till', nth: 1, as }))
  const enough = new AbortController()
  const run: Runs = async (made) => {
    if (made[0] === choices[1]) enough.abort()
    enough.signal.throwIfAborted()
    return ran(made)
  }
  const given = { choices, signal: enough.signal }
  const report = await judged(['default', 'callback-twice'], run, given)
  expect(report.scenarios.map(({ scenario, verdict }) => `${scenario}: ${verdict}`)).toEqual([
    'default: clean',
    'callback-twice: left',
  ])
  expect(report.interrupted).toBe(true)
  expect(report.singles.map(({ scenario, verdict }) => `${scenario}: ${verdict}`).toSorted()).toEqual([
    'answer till 1 500: left',
    'answer till 1 lost: clean',
    'answer till 1 reset: left',
  ])
})

it('blames an app only for what each of four runs shows', async () => {
  const both = ['stale', 'paid_twice']
  const seen = [[], both, both, ['stale'], both]
  const report = await judged(['callback-twice'], async (made) => ran(made, ...(seen.shift() ?? [])))
  expect(seen).toEqual([])
  expect(report.findings.map(({ code }) => code)).toEqual(['stale'])
  expect(report.unstable.map(({ code }) => code)).toEqual(['paid_twice'])
})

it.each([
  ['stk-wrong-pin', false, 'no stk is ever sent'],
  ['callback-twice', true, 'not reached: nothing met its rules'],
])('does not call an app clean under %s that never came to pass', async (scenario, full, why) => {
  const report = await judged([scenario], async (made) => ran(made), { full })
  expect(report.scenarios).toMatchObject([{ scenario, verdict: 'unjudged', why }])
})

it('gives no verdict where the time was over before the ordinary day', async () => {
  const { code, out } = await answer(['gauntlet', edition('duka', ''), '--json', '--within', '1ms'])
  expect(code).toBe(2)
  expect(JSON.parse(out)).toMatchObject({
    findings: [],
    scenarios: [{ scenario: 'default', verdict: 'unjudged', why: expect.stringMatching(/time was over/) }],
  })
})
