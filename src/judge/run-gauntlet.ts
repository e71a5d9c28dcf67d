import type { ReportDocument } from '../inspect/report-document.ts'
import { readMerchantFile } from './app/merchant-file.ts'
import { type GauntletOptions, gauntlet } from './strategies/gauntlet.ts'
import { type GauntletReport, gauntletDocument } from './strategies/gauntlet-document.ts'
import { jobsOf, WORLDS_PER_CPU } from './subject.ts'

interface GauntletRun extends Omit<GauntletOptions, 'jobs'> {
  jobs: number | undefined
  /** Advice fails the run, as a finding does. */
  adviceCounts: boolean
  /** Report what does not come each time, but do not fail because of it. */
  allowUnstable?: boolean
}

export async function runGauntlet(options: GauntletRun): Promise<ReportDocument<GauntletReport>> {
  const jobs = jobsOf(options.jobs, WORLDS_PER_CPU)
  const found = await gauntlet({ ...options, jobs }, readMerchantFile(options.file))
  const findings = options.adviceCounts ? [...found.findings, ...found.warnings] : found.findings
  return gauntletDocument({ ...found, findings }, options)
}
