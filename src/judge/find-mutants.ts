/** Finds wrong answers of the service that an app or a suite does not notice: each run changes one answer. */

import type { Coverage } from '../inspect/coverage.ts'
import type { ReportDocument } from '../inspect/report-document.ts'
import { openRuns } from './explore/subject-runs.ts'
import { type MutantsOptions, mutants } from './mutants/mutants.ts'
import { type MutantsReport, mutantsDocument } from './mutants/mutants-report.ts'
import { judgedSubject } from './subject/subject-of.ts'

/** `coverage` holds what was exercised and which fields were read. It is null if no unchanged run ended. */
export async function findMutants(
  options: MutantsOptions,
): Promise<ReportDocument<Omit<MutantsReport, 'coverage'>> & { coverage: Coverage | null }> {
  const { seed, signal, least, tls } = options
  const subject = judgedSubject(options)
  const runs = await openRuns(subject, { seed, tls, isByBooks: false, signal })
  const { coverage, ...report } = await mutants(options, subject, runs).finally(() => runs.close())
  return { ...mutantsDocument(report, least, subject.command), coverage }
}
