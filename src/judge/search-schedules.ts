import { availableParallelism } from 'node:os'
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

/** More than one, because a run sometimes waits for its app; with more still, each takes more of the processor. */
export const RUNS_PER_CPU = 2
const PATIENCE = { readyWithinMs: 60_000, restWithinMs: 20_000 }

interface SearchOptions
  extends Pick<ExplorerOptions, 'withinMs' | 'seed' | 'schedules' | 'findingsMax' | 'tls' | 'onlyReplay' | 'signal'> {
  file: string
  jobs: number | undefined
  out: string | undefined
  replay: string | undefined
  /** Report a finding that does not repeat every time, but do not fail because of it. */
  allowUnstable?: boolean
  found?(point: ReportPoint): void
  ended?(run: ReportRun): void
}

export async function searchSchedules(options: SearchOptions): Promise<ReportDocument<ExploreReport>> {
  const { file, out, replay, found = () => {}, ended = () => {}, allowUnstable, ...rest } = options
  const merchant = readMerchantFile(file)
  const explored = await runExplorer({
    ...rest,
    ...PATIENCE,
    merchant,
    jobs: options.jobs ?? RUNS_PER_CPU * availableParallelism(),
    replay: replay === undefined ? [] : readSchedules(replay),
    capsules: out ?? capsuleFolder(),
    found: (finding) => found(findingPoint(finding)),
    replayed: (one) => ended(replayedRun(one)),
  })
  const files = out === undefined ? undefined : await writeFindings(out, merchant.name, explored)
  return exploreDocument(explored, files, { allowUnstable, command: `mfano explore ${file} --seed ${options.seed}` })
}
