/** What people read of a gauntlet: like findings once, with a count; and what is not exercised yet. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { marked } from 'marked'
import { expect, it, onTestFinished, vi } from 'vitest'
import { parse } from 'yaml'
import { documentText, runText } from '../../../src/apps/cli/judges/judging.ts'
import { type ReportForm, reportForms } from '../../../src/inspect/report-lists.ts'
import type { ToldUnder } from '../../../src/judge/explore/tell.ts'
import {
  type GauntletReport,
  gauntletDocument,
  riskScorecard,
  scenarioRun,
} from '../../../src/judge/strategies/gauntlet-document.ts'
import { answer, folder } from '../../apps/cli/support.ts'
import { plainWith } from '../editions.ts'

const scenarios = ['callback-lost', 'executed-but-503', 'flaky-rail', 'late-reversal', 'stuck-pending']

/** A hundred findings of one code in each of five scenarios, and one of another code. */
function flood(): GauntletReport {
  const one = (code: string, scenario: string, i: number): ToldUnder => {
    const text = `Salary ${i} <b>went out</b> once too often.`
    return { code, scenario, text, requests: [`POST /pay/${scenario}/${i} → 503`], advice: 'look | first', choices: [] }
  }
  const results = scenarios.map((scenario) => ({
    scenario,
    verdict: 'findings' as const,
    findings: Array.from({ length: 100 }, (_, i) => one('paid_twice', scenario, i)),
    warnings: [],
    unmet: [],
    tookMs: 1,
  }))
  results[0]?.findings.push(one('app_died', 'callback-lost', 0))
  return {
    merchant: 'payroll',
    findings: results.flatMap(({ findings }) => findings),
    warnings: [],
    unstable: [],
    unconfirmed: [],
    scenarios: results,
    singles: [],
    scorecard: riskScorecard(results),
    interrupted: false,
  }
}

/** Worlds and apps, on a machine that may be busy. */
const LONG_MS = 240_000
const paint = (_: string, text: string) => text
const output = { paint, width: Number.POSITIVE_INFINITY } as never
const scorecard = (report: GauntletReport) => documentText(gauntletDocument(report), output)
const printed = (report: GauntletReport, form: ReportForm) => reportForms[form][1](gauntletDocument(report))

it('tells of many like findings the first of a few scenarios, and says how many there are', () => {
  const text = scorecard(flood())
  expect(text).toMatch(/app_died: 1 finding under callback-lost\n[\s\S]*paid_twice: 500 findings under 5 scenarios\n/)
  expect(text.match(/once too often/g)).toHaveLength(4)
  expect(text).toContain('and 99 more like it under flaky-rail')
  expect(text).toContain('also under late-reversal (100), stuck-pending (100)')
  expect(text).toContain('--json prints all')
})

it('tells of what goes wrong on an ordinary day once, and then where else it was seen', () => {
  const report = flood()
  for (const one of report.scenarios[0]?.findings ?? []) one.ordinary = true
  const text = scorecard(report)
  expect(text.match(/once too often/g)).toHaveLength(2)
  expect(text).toContain(
    'also under executed-but-503 (100), flaky-rail (100), late-reversal (100), stuck-pending (100)',
  )
})

it('is as short in every other form, and lets no text break it', async () => {
  const html = await printed(flood(), 'html')
  // Four as on the terminal, after the three worst.
  expect(html.match(/once too often/g)).toHaveLength(7)
  expect(html).not.toContain('<b>')
  const markdown = await printed(flood(), 'markdown')
  expect(markdown).toContain('<summary>paid_twice: 500 findings under 5 scenarios</summary>')
  expect(markdown.match(/POST \/pay/g)).toHaveLength(7)
  const calling: GauntletReport = flood()
  for (const finding of calling.findings)
    Object.assign(finding, {
      text: 'Ask @team, https://example.com/x, a_b_c',
      code: 'paid @team',
      scenario: '@team #12',
    })
  const shown = await marked(await printed({ ...calling, merchant: '@team' }, 'markdown'))
  expect(shown).not.toMatch(/<a |<em>/)
  expect(shown.replaceAll(/<code>.*?<\/code>/g, '')).not.toMatch(/@team|#12/)
  expect((await printed(flood(), 'junit')).match(/<failure/g)).toHaveLength(6)
})

it('runs in a workflow as the recipe has it, which comments the result in any case', { timeout: LONG_MS }, async () => {
  const file = join(import.meta.dirname, '../../../install/ci/gauntlet.yml')
  const { steps } = parse(readFileSync(file, 'utf8')).jobs.gauntlet
  const [judge, comment] = steps.slice(-2)
  const [npx, mfano, ...typed] = judge.run.split(' ')
  expect([npx, mfano]).toEqual(['npx', 'mfano'])
  const careful = plainWith()
  const reports = folder()
  const words = typed.map((word: string) =>
    word === 'merchant.yaml' ? careful : /^gauntlet\./.test(word) ? join(reports, word) : word,
  )
  vi.stubEnv('GITHUB_STEP_SUMMARY', join(reports, 'summary.md'))
  onTestFinished(() => void vi.unstubAllEnvs())
  expect(await answer([...words, '--scenario', 'default'])).toMatchObject({ code: 0, errors: '' })
  const headline = /^## mfano gauntlet: plain\n\n\*\*✅ Passed: no findings\.\*\*\n\n1 scenario: 1 apply, 0 skipped\./
  expect(readFileSync(join(reports, 'summary.md'), 'utf8')).toMatch(headline)
  expect(readFileSync(join(reports, 'gauntlet.md'), 'utf8')).toMatch(headline)
  expect(readFileSync(join(reports, 'gauntlet.xml'), 'utf8')).toMatch(/<testsuites tests="1" failures="0"/)
  expect(readFileSync(join(reports, 'gauntlet.html'), 'utf8')).toMatch(/<h1>plain<\/h1>[\s\S]*No findings\./)
  expect(comment).toMatchObject({ if: 'always()', run: expect.stringContaining('--body-file gauntlet.md') })
})

it('calls a scenario under which the service paid twice not ok, and prints advice', () => {
  const paidTwice: ToldUnder = {
    code: 'executed_twice',
    scenario: 'executed-twice',
    text: 'KES 1,000.00 went out twice.',
    requests: [],
    advice: '',
    choices: [],
  }
  const result = {
    scenario: 'executed-twice',
    verdict: 'clean' as const,
    findings: [],
    warnings: [paidTwice],
    unmet: [],
    tookMs: 1,
  }
  expect(runText(scenarioRun(result), output)).toMatch(/^paid twice +executed-twice/)
  const text = scorecard({ ...flood(), findings: [], warnings: [paidTwice], scenarios: [result] })
  expect(text).toContain('executed_twice  executed-twice  KES 1,000.00 went out twice.')
})

it('tells a scenario that was found out, or that was never reached, once', () => {
  const report = flood()
  for (const one of report.scenarios) one.unmet = ['a rule that nothing met']
  expect(scorecard(report)).not.toContain('a rule that nothing met')
  report.findings = []
  for (const one of report.scenarios) one.findings = []
  expect(scorecard(report)).toContain('late-reversal: a rule that nothing met')
})
