/** Every single choice of an app, as the gauntlet tries it; what it says of them by risk; and that it keeps its time. */
import { expect, it, onTestFinished } from 'vitest'
import { readMerchantFile } from '../../../src/judge/app/merchant-file.ts'
import type { Choice } from '../../../src/judge/explore/choice.ts'
import { nameOfChoice } from '../../../src/judge/explore/singles.ts'
import { gauntlet } from '../../../src/judge/gauntlet/gauntlet.ts'
import { type ScenarioResult, scorecardOf } from '../../../src/judge/gauntlet/gauntlet-report.ts'
import { readTrials } from '../../../src/judge/gauntlet/trials.ts'
import { openSingles, type SingleResult } from '../../../src/judge/gauntlet/try-singles.ts'
import type { SubjectOutcome } from '../../../src/judge/subject/outcome.ts'
import { withOwnServer } from '../../../src/judge/subject/own-worlds.ts'
import { answer } from '../../apps/cli/support.ts'
import { edition } from '../editions.ts'

/** Some runs of an app, on a machine that may be busy. */
const LONG_MS = 240_000

it('tries single choices of every operation, sees again what it finds, and tells its like once', {
  timeout: LONG_MS,
}, async () => {
  const merchant = readMerchantFile(edition('duka', 'pays-before-it-writes'))
  const { signal } = new AbortController()
  const patience = { readyWithinMs: 60_000, restWithinMs: 20_000 }
  const singles = await openSingles({ ...patience, merchant, seed: 1, jobs: 2, signal })
  onTestFinished(() => singles?.close())
  expect(singles?.ordinary).toBeUndefined()
  const names = singles?.choices.map(nameOfChoice) ?? []
  expect(new Set(names).size).toBe(names.length)
  // The suppliers get more than the customers pay.
  expect(names[0]).toMatch(/^\S+ send-money 1/)
  for (const operation of ['getToken', 'createSendMoney', 'getSendMoney', 'createStkCollection'])
    expect(names.slice(0, 200).join('\n')).toContain(operation)
  const died = (nth: number): Choice => ({ do: 'crash', at: 'executed', on: 'createSendMoney', nth })
  const [first, second, calm] = [
    await singles?.run(died(1)),
    await singles?.run(died(2)),
    await singles?.run({ do: 'tell', kind: 'send-money', nth: 1, as: 'extra' }),
  ].map((one) => one?.result)
  expect(first).toMatchObject({
    scenario: 'crash executed createSendMoney 1',
    risk: 'crashes',
    verdict: 'findings',
    findings: [{ code: 'paid_unknown', choices: [died(1)], story: [expect.stringMatching(/started again$/)] }],
  })
  expect(second).toMatchObject({ verdict: 'findings', findings: [], why: expect.stringMatching(/^paid_unknown, as/) })
  expect(calm).toMatchObject({ risk: 'surprises', verdict: 'clean', findings: [] })
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
  const scores = scorecardOf([
    result('order', 'clean'),
    result('order', 'left'),
    result('crashes', 'clean'),
    result('crashes', 'findings'),
    result('repeats', 'clean'),
    result('forgeries', 'skipped'),
    result('reversals', 'clean', { unmet: ['the bank takes it back'] }),
    result('refusals', 'skipped', { isIdle: true }),
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
    reversals: { verdict: 'not-reached', tried: 0, failed: 0, left: 0 },
    refusals: { verdict: 'not-reached', tried: 0, failed: 0, left: 0 },
    forgeries: { verdict: 'not-applicable', tried: 0, failed: 0, left: 0 },
    surprises: { verdict: 'not-applicable', tried: 0, failed: 0, left: 0 },
  })
})

it('runs scenarios and single choices beside each other, and says what it had no time for', {
  timeout: LONG_MS,
}, async () => {
  const { base, trials } = readTrials(['default', 'callback-twice'], undefined)
  const choices = (['lost', 'reset', '500'] as const).map((as): Choice => ({ do: 'answer', kind: 'till', nth: 1, as }))
  const enough = new AbortController()
  const single = (choice: Choice): SingleResult => ({
    result: result('lost-answers', 'clean', { scenario: nameOfChoice(choice) }),
    unstable: [],
    unconfirmed: [],
  })
  const report = await withOwnServer({ worlds: 1, isGated: false }, (server) =>
    gauntlet({
      ...{ merchant: 'shop', command: 'shop.yaml', server, base, trials, operations: [], jobs: 1, full: true },
      isNamed: false,
      ...{ least: {}, signal: enough.signal, ended: () => {} },
      run: async () => ({ findings: [], warnings: [] }),
      singles: async () => ({
        ...{ ordinary: undefined, choices, again: async () => undefined, close: async () => {} },
        run: async (choice) => {
          if (choice === choices[1]) enough.abort()
          return choice === choices[1] ? undefined : single(choice)
        },
      }),
    }),
  )
  expect(report.scenarios.map(({ scenario, verdict }) => `${scenario}: ${verdict}`)).toEqual([
    'default: clean',
    'callback-twice: left',
  ])
  expect(report.interrupted).toBe(true)
  expect(report.singles.map(({ scenario, verdict }) => `${scenario}: ${verdict}`)).toEqual([
    'answer till 1 lost: clean',
    'answer till 1 reset: left',
    'answer till 1 500: left',
  ])
})

/** A gauntlet of named scenarios over an app that finds what it is told to. */
function named(scenario: string, run: () => Promise<SubjectOutcome>, full = true) {
  const { base, trials } = readTrials([scenario], undefined)
  const { signal } = new AbortController()
  return withOwnServer({ worlds: 1, isGated: false }, (server) =>
    gauntlet({
      ...{ merchant: 'shop', command: 'shop.yaml', server, base, trials, operations: [], jobs: 1, full, signal },
      ...{ isNamed: true, least: {}, ended: () => {}, run },
    }),
  )
}

it('blames an app only for what each of three runs shows', async () => {
  const finding = (code: string) => ({ code, text: code, requests: [] })
  const seen = [[], ['stale', 'paid_twice'], ['stale', 'paid_twice'], ['stale']]
  const report = await named('callback-twice', async () => ({
    findings: (seen.shift() ?? []).map(finding),
    warnings: [],
  }))
  expect(seen).toEqual([])
  expect(report.findings.map(({ code }) => code)).toEqual(['stale'])
  expect(report.unstable.map(({ code }) => code)).toEqual(['paid_twice'])
})

it.each([
  ['stk-wrong-pin', false, 'no stk is ever sent'],
  ['callback-twice', true, 'not reached: nothing met its rules'],
])('does not call an app clean under %s that never came to pass', async (scenario, full, why) => {
  const report = await named(scenario, async () => ({ findings: [], warnings: [] }), full)
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
