import * as z from 'zod'
import { spanOf } from '../../core/model/journal.ts'
import { keysIn } from '../../core/model/must.ts'
import { coverageShape } from '../../inspect/coverage.ts'
import type { ReportDocument } from '../../inspect/report-document.ts'
import { coverageDocument, type ReportForm, reportForms, runDocument } from '../../inspect/report-lists.ts'
import { reportText, runReport, runReportShape } from '../../inspect/run-report.ts'
import { coverageOfWorld } from '../../inspect/world-coverage.ts'
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
  answer: runReportShape,
  answers: {
    'text/plain': 'For the output of a test that failed.',
    ...printedAnswers,
    'application/xml': 'JUnit: a test case for each rule, finding, callback that was given up, and end of payments.',
  },
  errors: ['NOT_FOUND'],
  async run(c, { query, operations }) {
    const { format, run: named } = query
    const { world, baseUrl, version } = c.env
    const { report, stories } = await runReport(world, {
      run: runOf(world, named),
      compared: lastCompared(world),
      ...{ baseUrl, version, show: asRequest(operations, baseUrl) },
    })
    if (format === 'json') return report
    if (format === 'text') return c.text(reportText(report))
    return printed(c, runDocument(report, stories), format)
  },
})

async function printed(c: ControlContext, document: ReportDocument, form: ReportForm): Promise<Response> {
  const [type, print] = reportForms[form]
  return c.body(await print(document), 200, { 'content-type': `${type}; charset=utf-8` })
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
    const coverage = await coverageOfWorld(world, spanOf(runOf(world, query.run)))
    if (query.format === 'json') return coverage
    const document = coverageDocument(coverage, { title: `Coverage of ${world.id}`, tooLittle: [] })
    // No coverage was asked for, so none passes.
    const verdict = { ...document.verdict, mood: 'none' as const, word: 'Exercised' }
    return printed(c, { ...document, verdict }, query.format)
  },
})

export const reportOperations = [readReport, readCoverage] as const
