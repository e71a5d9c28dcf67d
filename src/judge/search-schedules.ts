/** Searches for the order of events that makes an app's books wrong. */
import { availableParallelism } from 'node:os'
import type { ReportDocument, ReportPoint, ReportRun } from '../core/model/report-document.ts'
import { AppFailed } from './app/app-process.ts'
import { readMerchantFile } from './app/merchant-file.ts'
import { type ExploreReport, exploreDocument, findingPoint, replayedRun } from './explore/explore-document.ts'
import { runExplorer } from './explore/explorer.ts'
import { readSchedules, writeFinding } from './explore/finding-files.ts'
import { capsuleFolder } from './keep-capsule.ts'
import { Unusable } from './subject.ts'

/** Most of the time a run waits for its app, so that there may be more of them than processors. */
export const RUNS_PER_CPU = 3
/** Real milliseconds. */
const PATIENCE = { readyWithinMs: 60_000, restWithinMs: 20_000 }
/** Many enough that time ends it. */
const SCHEDULES_MAX = 1_000_000

interface SearchOptions {
  /** A merchant file. */
  file: string
  /** Real milliseconds for all of it. */
  withinMs: number
  seed: number
  /** The most schedules, and the most findings. */
  schedules: number | undefined
  findingsMax: number
  /** Runs at a time; by the number of processors without. */
  jobs: number | undefined
  /** A folder for what is found: a schedule, a scenario, a capsule and a page each. */
  out: string | undefined
  /** A folder with schedules of earlier findings, which are run first. */
  replay: string | undefined
  onlyReplay?: boolean
  /** What its schedule does not show each time is told, and is no failure. */
  allowUnstable?: boolean
  signal: AbortSignal
  /** Told of each finding once it is certain. */
  found?(point: ReportPoint): void
  /** Told of each earlier one that was tried again. */
  ended?(run: ReportRun): void
}

export async function searchSchedules(options: SearchOptions): Promise<ReportDocument<ExploreReport>> {
  const {
    file,
    out,
    replay,
    found = () => {},
    ended = () => {},
    schedules = SCHEDULES_MAX,
    allowUnstable,
    ...rest
  } = options
  const merchant = readMerchantFile(file)
  const explored = await runExplorer({
    ...rest,
    ...PATIENCE,
    merchant,
    schedules,
    jobs: options.jobs ?? RUNS_PER_CPU * availableParallelism(),
    replay: replay === undefined ? [] : readSchedules(replay),
    capsules: out ?? capsuleFolder(),
    found: (finding) => found(findingPoint(finding)),
    replayed: (one) => ended(replayedRun(one)),
  }).catch((error) => {
    if (!(error instanceof AppFailed)) throw error
    throw new Unusable(error.message, { code: 'APP_FAILED' })
  })
  const files = [...explored.findings, ...explored.unshrunk].map((finding, i) =>
    out === undefined ? undefined : writeFinding(out, merchant.name, i + 1, finding),
  )
  return exploreDocument(explored, files, { allowUnstable })
}
