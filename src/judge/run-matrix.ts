/** Runs a suite or an app under the default assumptions, then under their alternatives. */

import type { ReportDocument } from '../core/model/report-document.ts'
import { scenarioLibrary } from '../hosts/node/scenarios.ts'
import { runApp } from './explore/run-app.ts'
import { type MatrixResult, matrix } from './matrix/matrix.ts'
import { type MatrixReport, matrixDocument, matrixRun } from './matrix/matrix-report.ts'
import type { SubjectWorld } from './subject/outcome.ts'
import { type JudgeServer, variantsOf, withOwnServer } from './subject/own-worlds.ts'
import { ASKED_NOTHING, endOfSuite, isUnasked, judgedSubject, type Subject } from './subject/subject-of.ts'
import type { SubjectOptions } from './subject.ts'

const FROZEN = { mode: 'frozen', start: '2025-01-24T16:28:00' } as const

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
        ...(subject.merchant && { clock: clockOf(base.clock.startUs !== null) }),
      }),
      run: (world) => runIn(subject, world, server, suiteWithinMs),
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

function clockOf(hasOwnStart: boolean) {
  const { start, mode } = FROZEN
  return hasOwnStart ? { mode } : { mode, start }
}

async function runIn(
  { merchant, patience, suite }: Subject,
  world: SubjectWorld,
  server: JudgeServer,
  withinMs: number,
): Promise<MatrixResult> {
  if (!merchant) {
    const end = await endOfSuite({ suite }, world, withinMs)
    // A suite that tried nothing is not green, whatever its exit code.
    const isUntried = end.verdict !== 'unjudged' && !end.isLate && (await isUnasked(world.control))
    return isUntried ? { verdict: 'unjudged', said: `${ASKED_NOTHING}\n${end.said}`.trim() } : end
  }
  const { findings, unjudged } = await runApp(merchant, world, { server, patience })
  if (findings.length > 0) return { verdict: 'red', said: findings.map(({ text }) => text).join('\n') }
  if (unjudged !== undefined) return { verdict: 'unjudged', said: unjudged }
  if (await isUnasked(world.control)) return { verdict: 'unjudged', said: 'It asked its world nothing.' }
  return { verdict: 'green', said: '' }
}
