import * as z from 'zod'
import { spanOf, type TestRun } from '../../core/model/journal.ts'
import { keysIn } from '../../core/model/must.ts'
import { didYouMean, hintOf } from '../../core/model/problems.ts'
import { Refusal } from '../../core/model/refusal.ts'
import type { World } from '../../core/world.ts'
import { coverageShape } from '../../inspect/coverage.ts'
import type { ReportDocument } from '../../inspect/report-document.ts'
import { coverageDocument, type ReportForm, reportForms, runDocument } from '../../inspect/report-lists.ts'
import { countsIn, reportText, runReport, runReportShape, shownRun } from '../../inspect/run-report.ts'
import { type Reader, view } from '../../inspect/view.ts'
import { coverageOfWorld } from '../../inspect/world-coverage.ts'
import type { ControlContext } from './control-context.ts'
import { controlOperation } from './declared-operation.ts'
import { titleField } from './fields.ts'
import { asRequest } from './placed.ts'
import { lastCompared } from './reconcile.ts'

const runWithCounts = view('ShownRun', (read: Reader<TestRun, World>) => ({
  ...shownRun.fields(() => {}),
  payments: read(z.number(), (run, world) => countsIn(world, spanOf(run)).payments),
  requests: read(z.number(), (run, world) => countsIn(world, spanOf(run)).requests),
}))

const newRun = z.strictObject({
  name: titleField.describe('Its name in lists and reports.'),
  note: z.string().max(1000, 'must be at most 1000 characters').optional().describe('For those who read the report.'),
})

const path = { id: 'A run: its name, its number, or `last`.' }

const runColumns = ['id=run', 'name', 'note', 'begunAt', 'endedAt', 'payments', 'requests'] as const

const reported = ({ id }: { id: number }) => hintOf('Report: {}', 'run.report', { run: id })
const runName = z.string().min(1).max(200)
const formats = ['json', 'text', 'html', 'markdown', 'junit'] as const

const asked = z.strictObject({
  format: z.enum(formats).default('json').describe('`text`: for the output of a failed test; `html`: one file.'),
  run: runName.optional().describe('Only what belongs to a run: its name, its number, or `last`.'),
})

const printedAnswers = {
  'text/html': 'One file that needs no network and prints well.',
  'text/markdown': 'For a comment on a pull request.',
  'application/xml': 'JUnit.',
}

const askedCoverage = z.strictObject({
  run: runName.optional().describe('Only what a run exercised: its name, its number, or `last`.'),
  format: z.enum(keysIn(reportForms)).default('json').describe('`html` is one file.'),
})

export const runOperations = [
  controlOperation('run.list', 'GET /runs', {
    summary: 'List test runs, newest first',
    answer: () => z.object({ runs: z.array(runWithCounts.schema()) }),
    list: {
      rows: 'runs',
      none: hintOf('No test runs yet. Start one: {}', 'run.start', { name: 'payday' }),
      columns: runColumns,
    },
    run: ({ world }) => ({ runs: world.core.store.runs.all().map((run) => runWithCounts(run, world)) }),
  }),
  controlOperation('run.start', 'POST /runs', {
    summary: 'Start a test run',
    body: newRun,
    answer: runWithCounts.schema,
    status: 201,
    screen: {
      words: ['name'],
      columns: runColumns,
      says: reported,
      examples: ['payday', "'payday, sprint 14' --note 'bank payouts only'"],
    },
    run: async ({ world, body }) => runWithCounts(await world.perform({ command: 'begin-run', ...body }), world),
  }),
  controlOperation('run.end', 'POST /runs/:id/end', {
    summary: 'End a test run',
    params: path,
    answer: runWithCounts.schema,
    screen: { columns: runColumns, says: reported, examples: ['last', 'payday'] },
    async run({ world, params }) {
      const { id } = requireRun(world, params.id)
      return runWithCounts(await world.perform({ command: 'end-run', id }), world)
    },
  }),
  controlOperation('run.remove', 'DELETE /runs/:id', {
    summary: 'Delete a test run and keep its payments',
    params: path,
    answer: () => z.object({ removed: z.number() }),
    screen: { says: ({ removed }) => `Test run ${removed} is deleted.`, examples: ['payday'] },
    run: ({ world, params }) => world.perform({ command: 'remove-run', id: requireRun(world, params.id).id }),
  }),
  controlOperation('run.report', 'GET /report', {
    summary: 'Report what was tested and what failed',
    description: 'For a failed test it has the newest payments, explained, and the refused requests.',
    agent: { tool: 'report' },
    query: asked,
    answer: runReportShape,
    answers: {
      'text/plain': 'For the output of a test that failed.',
      ...printedAnswers,
      'application/xml': 'JUnit: a test case for each rule, finding, callback that was given up, and end of payments.',
    },
    async run({ c, env: { baseUrl, version }, world, query, operations }) {
      const { format, run: named } = query
      const { report, stories } = await runReport(world, {
        run: runOf(world, named),
        compared: lastCompared(world),
        ...{ baseUrl, version, show: asRequest(operations, baseUrl) },
      })
      if (format === 'json') return report
      if (format === 'text') return c.text(reportText(report))
      return printed(c, runDocument(report, stories), format)
    },
  }),
  controlOperation('run.coverage', 'GET /coverage', {
    summary: 'Show what was exercised and what is missing',
    query: askedCoverage,
    answer: coverageShape,
    answers: printedAnswers,
    async run({ c, world, query }) {
      const coverage = await coverageOfWorld(world, spanOf(runOf(world, query.run)))
      if (query.format === 'json') return coverage
      const document = coverageDocument(coverage, { title: `Coverage of ${world.id}`, tooLittle: [] })
      // No coverage was asked for, so none passes.
      const verdict = { ...document.verdict, mood: 'none' as const, word: 'Exercised' }
      return printed(c, { ...document, verdict }, query.format)
    },
  }),
] as const

async function printed(c: ControlContext, document: ReportDocument, form: ReportForm): Promise<Response> {
  const [type, print] = reportForms[form]
  return c.body(await print(document), 200, { 'content-type': `${type}; charset=utf-8` })
}

/** `named` is a name, a number, or `last`. The newest run of a name wins. Throws a `Refusal` if there is none. */
function requireRun(world: World, named: string): TestRun {
  const { runs } = world.core.store
  const all = () => runs.all()
  const found =
    runs.byName(named) ??
    (/^\d{1,15}$/.test(named) ? runs.byId(Number(named)) : undefined) ??
    (named === 'last' ? all()[0] : undefined)
  if (found) return found
  const names = all().map(({ name }) => name)
  throw new Refusal('NOT_FOUND', `run: there is no run "${named.slice(0, 80)}".${didYouMean(named, names)}`, {
    hints: names.length === 0 ? [hintOf('No run has begun yet: {} begins one', 'run.start')] : [],
  })
}

function runOf(world: World, named: string | undefined): TestRun | undefined {
  return named === undefined ? undefined : requireRun(world, named)
}
