/** What judges come to, as their reports have it: the verdict, which is the exit code, and the test cases. */
import { expect, it } from 'vitest'
import type { ReportDocument } from '../../src/core/model/report-document.ts'
import { reportForms } from '../../src/inspect/report-forms.ts'
import { type CompareReport, compareDocument } from '../../src/judge/compare/compare-report.ts'
import { exploreDocument } from '../../src/judge/explore/explore-document.ts'
import type { Explored } from '../../src/judge/explore/explorer.ts'
import { type MatrixReport, type MatrixRun, matrixDocument } from '../../src/judge/matrix/matrix-report.ts'
import { type MutantResult, mutantsDocument } from '../../src/judge/mutants/mutants-report.ts'

const outcomes = async (report: ReportDocument) =>
  Array.from(
    (await reportForms.junit[1](report)).matchAll(/<testcase [^>]*name="([^"]*)"[^>]*>(?:<(\w+))?/g),
    ([, name, outcome]) => [name, outcome === '/testcase' ? undefined : outcome],
  )

const run = (name: string, verdict: MatrixRun['verdict'], why?: string): MatrixRun => {
  const [assumption = '', alternative = ''] = name.split(': ')
  return { name, choices: [{ assumption, alternative }], verdict, tookMs: 100, ...(why !== undefined && { why }) }
}

it('calls a matrix bad where an alternative breaks the suite, and open where nothing is known of any', async () => {
  const choices = [{ assumption: 'error-body', alternative: 'flat' }]
  const report: MatrixReport = {
    suite: 'npm test',
    defaults: { verdict: 'green', said: '' },
    findings: [
      { code: 'breaks_suite', choices, question: 'How?', text: 'It is red.', said: 'not ok', firstDifference: null },
    ],
    runs: [
      run('error-body: flat', 'breaks'),
      run('list-order: newest-first', 'flaky', 'once red'),
      run('a: b', 'skipped'),
    ],
    saved: 0,
    sample: null,
    interrupted: false,
  }
  const found = matrixDocument(report)
  expect(found.verdict).toEqual({ mood: 'bad', text: '1 alternative breaks it.' })
  expect(await outcomes(found)).toEqual([
    ['defaults', undefined],
    ['error-body: flat', 'failure'],
    ['list-order: newest-first', 'error'],
    ['a: b', 'skipped'],
  ])
  expect(matrixDocument({ ...report, findings: [], runs: [] }).verdict.mood).toBe('good')
  const red = matrixDocument({ ...report, defaults: { verdict: 'red', said: 'not ok 1' }, findings: [], runs: [] })
  expect(red.verdict.mood).toBe('open')
  expect(await outcomes(red)).toEqual([['defaults', 'failure']])
})

it('calls mutants bad only under the score that is wanted', async () => {
  const mutant = (verdict: MutantResult['verdict'], change: string) =>
    ({ field: 'amount', change, verdict, by: null, text: `amount ${change}: ${verdict}`, tookMs: 1 }) as MutantResult
  const report = {
    subject: 'npm test',
    truthful: { verdict: 'green' as const, said: '' },
    mutants: [mutant('killed', '×100'), mutant('survived', 'missing'), mutant('equivalent', 'stale')],
    score: 50,
    read: { proven: [], unproven: ['amount'] },
    misjudged: [],
    interrupted: false,
  }
  expect(mutantsDocument(report, 50).verdict).toEqual({ mood: 'good', text: '50% of 2 mutants killed.' })
  expect(mutantsDocument(report, 51).verdict.mood).toBe('bad')
  expect(mutantsDocument({ ...report, interrupted: true }, 50).verdict.mood).toBe('open')
  expect(await outcomes(mutantsDocument(report, 50))).toEqual([
    ['amount ×100', undefined],
    ['amount missing', 'failure'],
    ['amount stale', 'skipped'],
  ])
})

it('says of a comparison how often a difference was seen', async () => {
  const difference = { sort: 'missing' as const, path: 'code', recorded: '1', here: '', times: 2 }
  const operation = { method: 'POST', path: '/p', compared: 2, differences: [] }
  const report: CompareReport = {
    exchanges: 4,
    ownTokens: 0,
    compared: 4,
    notCompared: [],
    operations: [
      { ...operation, operation: 'pay', differences: [difference] },
      { ...operation, operation: 'look' },
    ],
  }
  const differing = compareDocument(report, 'traffic.har')
  expect(differing.verdict).toEqual({ mood: 'bad', text: '1 operation differs.' })
  expect(await outcomes(differing)).toEqual([
    ['pay', 'failure'],
    ['look', undefined],
  ])
  expect(await reportForms.markdown[1](differing)).toContain('(2 times)')
  expect(compareDocument({ ...report, compared: 0 }, 'traffic.har').verdict.mood).toBe('open')
})

it('leaves a search open where the app cannot be judged', async () => {
  const explored: Explored = {
    ...{ merchant: 'plain', findings: [], unstable: [], tooSoon: [], unshrunk: [] },
    replayed: [
      { name: '01.schedule.json', code: 'paid_twice', verdict: 'gone' },
      { name: '02.schedule.json', code: 'stale', verdict: 'unjudged' },
    ],
    schedules: { run: 2, distinct: 2, behaviours: 3 },
    ...{ tookMs: 1000, interrupted: false, spent: { appMs: 1500, mfanoMs: 400, waitingMs: 200 } },
  }
  const clean = exploreDocument(explored, [])
  expect(clean.verdict.mood).toBe('good')
  expect(await reportForms.markdown[1](clean)).toContain('Processor time: 1.5 s for the app, 0.4 s for mfano.')
  expect(await outcomes(clean)).toEqual([
    ['plain', undefined],
    ['01.schedule.json: paid_twice', undefined],
    ['02.schedule.json: stale', 'skipped'],
  ])
  const idle = exploreDocument({ ...explored, unjudged: 'No payment was made.' }, [])
  expect(idle.verdict.mood).toBe('open')
  expect((await outcomes(idle))[0]).toEqual(['plain', 'error'])
})
