/** Runs an app or a suite under every scenario that can affect it, and compares its books with the ledger. */

import type { ReportDocument } from '../core/model/report-document.ts'
import type { Dimension } from '../inspect/coverage.ts'
import { runApp } from './explore/run-app.ts'
import { gauntlet } from './gauntlet/gauntlet.ts'
import { gauntletDocument, scenarioRun } from './gauntlet/gauntlet-document.ts'
import { type GauntletReport, readBaseline, withoutKnown, writeBaseline } from './gauntlet/gauntlet-report.ts'
import { knownTargets, readTrials } from './gauntlet/trials.ts'
import { openSingles } from './gauntlet/try-singles.ts'
import { withOwnServer } from './subject/own-worlds.ts'
import { judgedSubject, runSuite } from './subject/subject-of.ts'
import { type SubjectOptions, WORLDS_PER_CPU } from './subject.ts'

/** For an app under all scenarios and single choices. */
const WITHIN_MS = 180_000
/** Fixed, so that a run can be compared with the next. */
const SEED = 1

interface GauntletRun extends SubjectOptions {
  scenarios: readonly string[]
  scenarioFolder: string | undefined
  full: boolean
  least: Partial<Record<Dimension, number>>
  /** Advice fails the run, as a finding does. */
  adviceCounts: boolean
  /** Real milliseconds for all of it; undefined for the usual limit, which only an app under everything has. */
  withinMs?: number | undefined
  /** Report what does not come each time, but do not fail because of it. */
  allowUnstable?: boolean
  baseline: string | undefined
  baselineOut: string | undefined
  /** Judge over HTTPS. */
  tls?: boolean
}

export async function runGauntlet(options: GauntletRun): Promise<ReportDocument<GauntletReport>> {
  const known = options.baseline === undefined ? [] : readBaseline(options.baseline)
  const subject = judgedSubject(options, WORLDS_PER_CPU)
  const { name, command, merchant, patience } = subject
  const { base, trials } = readTrials(options.scenarios, options.scenarioFolder)
  // Books at one address are those of one run at a time.
  const jobs = !merchant && options.books !== undefined ? 1 : subject.jobs
  const isWhole = merchant !== undefined && options.scenarios.length === 0 && options.scenarioFolder === undefined
  const found = await withOwnServer({ worlds: jobs, tls: options.tls, isGated: merchant !== undefined }, (server) =>
    gauntlet({
      merchant: name,
      command,
      server,
      base,
      trials,
      isNamed: options.scenarios.length > 0 || options.scenarioFolder !== undefined,
      operations: knownTargets(),
      run: (world) => (merchant ? runApp(merchant, world, { server, patience }) : runSuite(subject.suite, world)),
      ...(isWhole && {
        singles: (signal) => openSingles({ ...patience, merchant, seed: SEED, jobs, signal, tls: options.tls }),
      }),
      withinMs: options.withinMs ?? (isWhole ? WITHIN_MS : undefined),
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
  return gauntletDocument(report, options)
}
