import { availableParallelism } from 'node:os'
import type { ReportDocument } from '../inspect/report-document.ts'
import { readMerchantFile } from './app/merchant-file.ts'
import { type GauntletOptions, gauntlet } from './gauntlet/gauntlet.ts'
import { gauntletDocument } from './gauntlet/gauntlet-document.ts'
import { type GauntletReport, readBaseline, withoutKnown, writeBaseline } from './gauntlet/gauntlet-report.ts'
import { WORLDS_PER_CPU } from './subject.ts'

interface GauntletRun extends Omit<GauntletOptions, 'jobs'> {
  jobs: number | undefined
  /** Advice fails the run, as a finding does. */
  adviceCounts: boolean
  /** Report what does not come each time, but do not fail because of it. */
  allowUnstable?: boolean
  baseline: string | undefined
  baselineOut: string | undefined
}

export async function runGauntlet(options: GauntletRun): Promise<ReportDocument<GauntletReport>> {
  const known = options.baseline === undefined ? [] : readBaseline(options.baseline)
  const jobs = options.jobs ?? WORLDS_PER_CPU * availableParallelism()
  const found = await gauntlet({ ...options, jobs }, readMerchantFile(options.file))
  const findings = options.adviceCounts ? [...found.findings, ...found.warnings] : found.findings
  const report = withoutKnown({ ...found, findings }, known)
  if (options.baselineOut !== undefined) writeBaseline(options.baselineOut, report)
  return gauntletDocument(report, options)
}
