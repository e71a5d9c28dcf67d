/** Runs a suite or an app under the default assumptions, then under their alternatives. */

import type { ReportDocument } from '../core/model/report-document.ts'
import { scenarioLibrary } from '../hosts/node/scenarios.ts'
import { endOf } from './explore/run-app.ts'
import { matrix } from './matrix/matrix.ts'
import { type MatrixReport, matrixDocument, matrixRun } from './matrix/matrix-report.ts'
import type { SubjectWorld } from './subject/outcome.ts'
import { BEGINNING, type JudgeServer, variantsOf, withOwnServer } from './subject/own-worlds.ts'
import { ASKED_NOTHING, isUnasked, judgedSubject, type Subject, type SubjectEnd } from './subject/subject-of.ts'
import type { SubjectOptions } from './subject.ts'

export type { MatrixReport }

interface MatrixRunOptions extends SubjectOptions {
  suiteWithinMs: number
  scenario: string
  assumptions: readonly string[]
  pairs: boolean
  /** Judge over HTTPS. */
  tls: boolean
  sample: MatrixReport['sample']
}

export async function runMatrix(options: MatrixRunOptions): Promise<ReportDocument<MatrixReport>> {
  const { assumptions, pairs, sample, signal, ended, suiteWithinMs, tls } = options
  const subject = judgedSubject(options)
  const base = scenarioLibrary().find(options.scenario)
  const variant = variantsOf(base)
  const needs = { worlds: subject.jobs, tls, isGated: subject.merchant !== undefined }
  const report = await withOwnServer(needs, (server) =>
    matrix({
      suite: subject.name,
      server,
      world: (choices) => ({
        ...variant(Object.fromEntries(choices.map(({ assumption, alternative }) => [assumption, alternative]))),
        ...(subject.merchant && {
          clock: { mode: 'frozen', ...(base.clock.startUs === null && { start: BEGINNING }) },
        }),
      }),
      run: (world) => runIn(subject, world, { server, withinMs: suiteWithinMs }),
      assumptions,
      pairs,
      sample,
      jobs: subject.jobs,
      signal,
      ended: (one) => {
        if (one.verdict !== 'skipped') ended(matrixRun(one))
      },
    }),
  )
  return matrixDocument(report, subject.command)
}

/** A run that tried nothing is not green, whatever a suite's exit code. */
async function runIn(
  subject: Subject,
  world: SubjectWorld,
  given: { server: JudgeServer; withinMs: number },
): Promise<SubjectEnd> {
  const end = await endOf(subject, world, given)
  const isJudged = subject.merchant !== undefined || end.verdict === 'unjudged' || end.isLate
  if (isJudged || !(await isUnasked(world.control))) return end
  return { verdict: 'unjudged', said: `${ASKED_NOTHING}\n${end.said}`.trim() }
}
