/** Runs a suite or an app under the default assumptions, then under their alternatives. */

import type { ReportDocument } from '../inspect/report-document.ts'
import { openRuns } from './explore/subject-runs.ts'
import { type MatrixOptions, matrix } from './matrix/matrix.ts'
import { type MatrixReport, matrixDocument } from './matrix/matrix-report.ts'
import { judgedSubject } from './subject/subject-of.ts'

export type { MatrixReport }

export async function runMatrix(options: MatrixOptions): Promise<ReportDocument<MatrixReport>> {
  const { tls, signal } = options
  const subject = judgedSubject(options)
  const runs = await openRuns(subject, { tls, isByBooks: false, signal })
  const report = await matrix(options, subject, runs).finally(() => runs.close())
  return matrixDocument(report, subject.command)
}
