import type { ReportDocument } from '../inspect/report-document.ts'
import { readMerchantFile } from './app/merchant-file.ts'
import { type GauntletOptions, gauntlet } from './strategies/gauntlet.ts'
import { type GauntletReport, gauntletDocument } from './strategies/gauntlet-document.ts'

interface GauntletRun extends GauntletOptions {
  /** Advice fails the run, as a finding does. */
  adviceCounts: boolean
  /** Report what does not come each time, but do not fail because of it. */
  allowUnstable?: boolean
}

export async function runGauntlet(options: GauntletRun): Promise<ReportDocument<GauntletReport>> {
  const found = await gauntlet(options, readMerchantFile(options.file))
  const findings = options.adviceCounts ? [...found.findings, ...found.warnings] : found.findings
  return gauntletDocument({ ...found, findings }, options)
}
