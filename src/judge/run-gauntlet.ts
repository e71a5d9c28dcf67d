/** Runs an app or a suite under every scenario that can make a difference, and compares its books with the ledger. */

import type { ReportDocument } from '../core/model/report-document.ts'
import type { Dimension } from '../inspect/coverage.ts'
import { readBaseline, withoutKnown, writeBaseline } from './gauntlet/baseline.ts'
import { gauntlet } from './gauntlet/gauntlet.ts'
import { gauntletDocument, scenarioRun } from './gauntlet/gauntlet-document.ts'
import type { GauntletReport } from './gauntlet/gauntlet-report.ts'
import { knownTargets, readTrials } from './gauntlet/trials.ts'
import { withOwnServer } from './subject/own-server.ts'
import { runMerchant } from './subject/run-merchant.ts'
import { runSuite } from './subject/run-suite.ts'
import { judgedSubject } from './subject/subject-of.ts'
import { type SubjectOptions, WORLDS_PER_CPU } from './subject.ts'

interface GauntletRun extends SubjectOptions {
  /** Only these, and those of a folder; every shipped scenario where there are none. */
  scenarios: readonly string[]
  scenarioFolder: string | undefined
  /** Run all of them, also those that can make no difference. */
  full: boolean
  /** Percentages that are to be exercised. */
  least: Partial<Record<Dimension, number>>
  /** Advice counts like a finding. */
  adviceCounts: boolean
  /** Files with known findings: to read, and to write. */
  baseline: string | undefined
  baselineOut: string | undefined
}

export async function runGauntlet(options: GauntletRun): Promise<ReportDocument<GauntletReport>> {
  const known = options.baseline === undefined ? [] : readBaseline(options.baseline)
  const { name, command, merchant, patience, suite, ...subject } = judgedSubject(options, WORLDS_PER_CPU)
  const { base, trials } = readTrials(options.scenarios, options.scenarioFolder)
  // Books at one address are those of one run at a time.
  const jobs = !merchant && options.books !== undefined ? 1 : subject.jobs
  const found = await withOwnServer(jobs, ({ baseUrl }) =>
    gauntlet({
      merchant: name,
      command,
      url: baseUrl,
      base,
      trials,
      operations: knownTargets(),
      run: (world) => (merchant ? runMerchant(merchant, world, patience) : runSuite(suite, world)),
      jobs,
      full: options.full,
      least: options.least,
      signal: options.signal,
      ended: (result) => {
        if (result.verdict !== 'skipped') options.ended(scenarioRun(result))
      },
    }),
  )
  const findings = options.adviceCounts ? [...found.findings, ...found.warnings] : found.findings
  const report = withoutKnown({ ...found, findings }, known)
  if (options.baselineOut !== undefined) writeBaseline(options.baselineOut, report)
  return gauntletDocument(report)
}
