/** Route: what happened in a world or a run, for a test that failed and for those who want to know what was tested. */
import { Hono } from 'hono'
import * as z from 'zod'
import type { Run } from '../../core/model/test-run.ts'
import { reportForms } from '../../inspect/report-forms.ts'
import { listNames, listOf, runDocument } from '../../inspect/report-lists.ts'
import { type RunReport, reportOn, reportText } from '../../inspect/run-report.ts'
import { about } from './about.ts'
import { asks, type ControlContext, type ControlEnv, json } from './control-context.ts'
import { coverageIn } from './coverage-routes.ts'
import { hits } from './hit-routes.ts'
import { lastCompared } from './reconcile-routes.ts'
import { runName, runOf } from './run-named.ts'

const formats = ['json', 'text', 'html', 'markdown', 'junit', 'csv'] as const

const asked = z.strictObject({
  /** `text` is for the output of a test that failed; `html` is one file, `csv` one list. */
  format: z.enum(formats, `must be one of ${formats.join(', ')}`).default('json'),
  /** Only what belongs to a run: its name, its number, or `last`. The whole world without. */
  run: runName.optional(),
  /** Which list, as CSV. */
  list: z.enum(listNames, `must be one of ${listNames.join(', ')}`).default('outcomes'),
})

/** The newest payments and refusals, explained, and what was tested; `format=text`: as the kits print it when a test fails. */
export function reportRoutes() {
  return new Hono<ControlEnv>().get(
    '/_mfano/report',
    about('What happened and what was tested, here or in a run', {
      errors: ['404 NOT_FOUND'],
      answers: {
        'text/plain': 'For the output of a test that failed.',
        'text/html': 'One file that needs no network and prints well.',
        'text/markdown': 'For a comment on a pull request.',
        'application/xml': 'JUnit: a test case for each rule, finding, address of callbacks and kind of payment.',
        'text/csv': 'One list.',
      },
    }),
    asks(asked),
    async (c) => {
      const { format, run: named, list } = c.req.valid('query')
      const { world, baseUrl } = c.env
      const run = runOf(world, named)
      const report = reportOn(world, baseUrl, run)
      if (format === 'text') return c.text(reportText(report))
      const tested = await testedIn(c, run)
      if (format === 'json') return json(c, { ...report, /** What was tested, as every form prints it. */ tested })
      if (format === 'csv') {
        const { csvText } = await import('../../core/model/csv.ts')
        const { columns, rows } = listOf(tested, list)
        return c.body(csvText(columns, rows), 200, { 'content-type': 'text/csv; charset=utf-8; header=present' })
      }
      const [type, print] = reportForms[format]
      return c.body(await print(runDocument(tested)), 200, { 'content-type': `${type}; charset=utf-8` })
    },
  )
}

async function testedIn(c: ControlContext, run: Run | undefined): Promise<RunReport> {
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
