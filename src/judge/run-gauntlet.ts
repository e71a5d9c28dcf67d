/** Runs an app or a suite under every scenario that can affect it, and compares its books with the ledger. */

import type { ReportDocument } from '../core/model/report-document.ts'
import type { Dimension } from '../inspect/coverage.ts'
import type { Ran } from './explore/run-app.ts'
import type { RunnerOptions } from './explore/schedule-runner.ts'
import { ScheduleRunners } from './explore/schedule-runners.ts'
import { Turns } from './explore/schedules.ts'
import { singlesOf } from './explore/singles.ts'
import { leftIn } from './explore/world-left.ts'
import { type GauntletRunner, gauntlet } from './gauntlet/gauntlet.ts'
import { gauntletDocument, scenarioRun } from './gauntlet/gauntlet-document.ts'
import { type GauntletReport, readBaseline, withoutKnown, writeBaseline } from './gauntlet/gauntlet-report.ts'
import { knownTargets, readTrials } from './gauntlet/trials.ts'
import { keepCapsule } from './keep-capsule.ts'
import { inNewWorld, openServer } from './subject/own-worlds.ts'
import { judgedSubject, runSuite, type Subject } from './subject/subject-of.ts'
import { type Patience, type SubjectOptions, WORLDS_PER_CPU } from './subject.ts'

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
  const found = await gauntlet({
    merchant: name,
    command,
    base,
    trials,
    isNamed: options.scenarios.length > 0 || options.scenarioFolder !== undefined,
    operations: knownTargets(),
    open: (signal) => {
      const given = { seed: SEED, jobs, tls: options.tls, signal }
      return merchant ? openApp({ ...patience, ...given, merchant }, isWhole) : openSuite(subject, given)
    },
    withinMs: options.withinMs ?? (isWhole ? WITHIN_MS : undefined),
    jobs,
    full: options.full,
    least: options.least,
    signal: options.signal,
    ended: (result) => {
      if (result.verdict !== 'skipped') options.ended(scenarioRun(result))
    },
  })
  const findings = options.adviceCounts ? [...found.findings, ...found.warnings] : found.findings
  const report = withoutKnown({ ...found, findings }, known)
  if (options.baselineOut !== undefined) writeBaseline(options.baselineOut, report)
  return gauntletDocument(report, options)
}

/** `isWhole`: under every single choice, too. */
async function openApp(options: RunnerOptions, isWhole: boolean): Promise<GauntletRunner> {
  const runners = await ScheduleRunners.open(options)
  const turns = new Turns(options.jobs)
  return {
    // The sooner a finding is told, the better.
    run: (choices, recording) =>
      turns.take(() => runners.run(choices, recording), { first: recording.patience !== undefined }),
    async learn(ordinary, isClean) {
      runners.ordinaryDayWas(ordinary)
      if (!isWhole || !isClean) return []
      await runners.trustReset()
      return singlesOf(ordinary, options.merchant)
    },
    close: () => runners.close(),
  }
}

/** A suite under scenarios. It makes its own choices. */
async function openSuite(
  { name: subject, suite }: Subject,
  { seed, jobs, tls, signal }: Omit<RunnerOptions, 'merchant' | keyof Patience>,
): Promise<GauntletRunner> {
  const server = await openServer({ worlds: jobs, tls, isGated: false })
  const turns = new Turns(jobs)
  let asked: Ran['asked']
  return {
    run: (choices, { world, capsuleIn, name }) =>
      turns.take(() =>
        inNewWorld(server, { ...world, seed, record: capsuleIn !== undefined || undefined }, async (made) => {
          const outcome = await runSuite(suite, { ...made, signal, asked })
          const [first] = outcome.findings
          const ask = () => made.control.open('GET', '/capsule', { query: { why: first?.text ?? '' } })
          const capsule = first && capsuleIn && (await keepCapsule(ask, `${subject}-${name}`, capsuleIn))
          const none = { happened: [], payments: [], requests: [], told: [], about: new Map() }
          const findings = outcome.findings.map((one) => ({ ...one, ...(capsule && { capsule }) }))
          return { ...outcome, ...none, choices, findings, left: await leftIn(made.control, outcome.findings) }
        }),
      ),
    async learn(ordinary) {
      asked = ordinary.asked
      return []
    },
    close: () => server.close(),
  }
}
