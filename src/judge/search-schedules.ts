import type { ReportDocument, ReportPoint } from '../inspect/report-document.ts'
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
import type { JudgeOptions } from './subject.ts'

interface SearchOptions
  extends JudgeOptions,
    Pick<ExplorerOptions, 'withinMs' | 'seed' | 'schedules' | 'findingsMax' | 'onlyReplay'> {
  file: string
  out: string | undefined
  replay: string | undefined
  /** Report a finding that does not repeat every time, but do not fail because of it. */
  allowUnstable: boolean
  found(point: ReportPoint): void
}

export async function searchSchedules(options: SearchOptions): Promise<ReportDocument<ExploreReport>> {
  const { file, out, replay, found, ended, allowUnstable, ...rest } = options
  const merchant = readMerchantFile(file)
  const explored = await runExplorer({
    ...rest,
    merchant,
    replay: replay === undefined ? [] : readSchedules(replay),
    capsules: out ?? capsuleFolder(),
    found: (finding) => found(findingPoint(finding, out)),
    replayed: (one) => ended(replayedRun(one)),
  })
  if (out !== undefined) writeFindings(out, explored)
  return exploreDocument(explored, { allowUnstable, command: `mfano explore ${file} --seed ${options.seed}` })
}
