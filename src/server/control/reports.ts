import * as z from 'zod'
import { spanOf, type TestRun } from '../../core/model/journal.ts'
import { keysIn } from '../../core/model/must.ts'
import { type Coverage, coverageShape } from '../../inspect/coverage.ts'
import { explainedShape } from '../../inspect/explain-payment.ts'
import { requestEntry } from '../../inspect/present.ts'
import type { ReportDocument } from '../../inspect/report-document.ts'
import { coverageDocument, type ReportForm, reportForms, runDocument } from '../../inspect/report-lists.ts'
import { hits } from '../../inspect/rule-hits.ts'
import { type RunReport, reportOn, reportText, runReportShape } from '../../inspect/run-report.ts'
import type { ControlContext } from './control-context.ts'
import { controlOperation } from './declared-operation.ts'
import { asRequest } from './placed.ts'
import { lastCompared } from './reconcile.ts'
import { runName, runOf } from './runs.ts'

const formats = ['json', 'text', 'html', 'markdown', 'junit'] as const

const asked = z.strictObject({
  format: z
    .enum(formats)
    .default('json')
    .describe('`text` is for the output of a test that failed; `html` is one file.'),
  run: runName
    .optional()
    .describe('Only what belongs to a run: its name, its number, or `last`. By default the whole world.'),
})

const printedAnswers = {
  'text/html': 'One file that needs no network and prints well.',
  'text/markdown': 'For a comment on a pull request.',
  'application/xml': 'JUnit.',
}

const readReport = controlOperation('run.report', {
  method: 'GET',
  path: '/report',
  summary: 'Report what was tested and what failed',
  agent: {
    tool: 'report',
    brief: 'Reports what happened in a world, for a failed test: the newest payments, explained, and refused requests.',
  },
  query: asked,
  answer: () =>
    runReportShape().extend({
      now: z.string(),
      nextDue: z.string().nullable().describe('Simulated time; null when nothing is due.'),
      made: z.object({ payments: z.number(), requests: z.number() }),
      payments: z.array(explainedShape()).describe('The newest payments.'),
      refused: z.array(requestEntry.schema()).describe('The newest requests that were refused.'),
    }),
  answers: {
    'text/plain': 'For the output of a test that failed.',
    ...printedAnswers,
    'application/xml': 'JUnit: a test case for each rule, finding, address of callbacks and kind of payment.',
  },
  errors: ['NOT_FOUND'],
  async run(c, { query, operations }) {
    const { format, run: named } = query
    const { world, baseUrl } = c.env
    const run = runOf(world, named)
    const report = await reportOn(world, baseUrl, asRequest(operations, baseUrl), run)
    if (format === 'text') return c.text(reportText(report))
    const tested = await testedIn(c, run)
    if (format === 'json') return { ...tested, ...report }
    const { worstStories } = await import('../../inspect/run-report.ts')
    return printed(c, runDocument(tested, worstStories(world, tested)), format)
  },
})

async function printed(c: ControlContext, document: ReportDocument, form: ReportForm): Promise<Response> {
  const [type, print] = reportForms[form]
  return c.body(await print(document), 200, { 'content-type': `${type}; charset=utf-8` })
}

async function testedIn(c: ControlContext, run: TestRun | undefined): Promise<RunReport> {
  const { world, baseUrl, version } = c.env
  const [{ runReport }, coverage] = await Promise.all([import('../../inspect/run-report.ts'), coverageIn(c, run)])
  return runReport(world, {
    run,
    coverage,
    neverFired: hits(world).neverFired,
    compared: lastCompared(world),
    baseUrl,
    version,
  })
}

const coverageForms = keysIn(reportForms)
const askedCoverage = z.strictObject({
  run: runName.optional().describe('Only what a run exercised: its name, its number, or `last`.'),
  format: z.enum(coverageForms).default('json').describe('`html` is one file.'),
})

const readCoverage = controlOperation('run.coverage', {
  method: 'GET',
  path: '/coverage',
  summary: 'Show what was exercised and what is missing',
  query: askedCoverage,
  answer: coverageShape,
  answers: printedAnswers,
  errors: ['NOT_FOUND'],
  async run(c, { query }) {
    const { world } = c.env
    const coverage = await coverageIn(c, runOf(world, query.run))
    if (query.format === 'json') return coverage
    const document = coverageDocument(coverage, { title: `Coverage of ${world.id}`, tooLittle: [] })
    // No coverage was asked for, so none passes.
    const verdict = { ...document.verdict, mood: 'none' as const, word: 'Exercised' }
    return printed(c, { ...document, verdict }, query.format)
  },
})

async function coverageIn(c: ControlContext, run: TestRun | undefined): Promise<Coverage> {
  const { coverageOfWorld } = await import('../../inspect/world-coverage.ts')
  return coverageOfWorld(c.env.world, spanOf(run))
}

export const reportOperations = [readReport, readCoverage] as const
