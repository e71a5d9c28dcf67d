import type { ReportDocument, ReportPoint, ReportRun } from '../inspect/report-document.ts'
import { readMerchantFile } from './app/merchant-file.ts'
import {
  type ExploreReport,
  exploreDocument,
  findingPoint,
  readSchedules,
  replayedRun,
  writeFindings,
} from './explore/explore-document.ts'
import { type ExplorerOptions, runExplorer } from './explore/explorer.ts'
import { capsuleFolder } from './keep-capsule.ts'
import { jobsOf, PATIENCE, RUNS_PER_CPU } from './subject.ts'

interface SearchOptions
  extends Pick<ExplorerOptions, 'withinMs' | 'seed' | 'schedules' | 'findingsMax' | 'tls' | 'onlyReplay' | 'signal'> {
  file: string
  jobs: number | undefined
  out: string | undefined
  replay: string | undefined
  /** Report a finding that does not repeat every time, but do not fail because of it. */
  allowUnstable: boolean
  found(point: ReportPoint): void
  ended(run: ReportRun): void
}

export async function searchSchedules(options: SearchOptions): Promise<ReportDocument<ExploreReport>> {
  const { file, out, replay, found, ended, allowUnstable, ...rest } = options
  const merchant = readMerchantFile(file)
  const explored = await runExplorer({
    ...rest,
    ...PATIENCE,
    merchant,
    jobs: jobsOf(options.jobs, RUNS_PER_CPU),
    replay: replay === undefined ? [] : readSchedules(replay),
    capsules: out ?? capsuleFolder(),
    found: (finding) => found(findingPoint(finding, out)),
    replayed: (one) => ended(replayedRun(one)),
  })
  const files = out === undefined ? undefined : writeFindings(out, explored)
  return exploreDocument(explored, files, { allowUnstable, command: `mfano explore ${file} --seed ${options.seed}` })
}
