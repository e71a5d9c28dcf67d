/** `mfano explore`: searches for the order of events that makes an app's books wrong. */
import { cpus } from 'node:os'
import { parseDuration } from '../../../core/model/time.ts'
import { AppFailed } from '../../../judge/app-process.ts'
import { type Explored, explore } from '../../../judge/explore/explorer.ts'
import { readSchedules, ScheduleFileError, writeFinding } from '../../../judge/explore/finding-files.ts'
import { capsuleFolder } from '../../../judge/keep-capsule.ts'
import type { Merchant } from '../../../judge/merchant-file.ts'
import {
  type Arguments,
  CLEAN,
  type Command,
  CommandFailed,
  jsonFlag,
  PROBLEMS,
  USAGE,
  UsageError,
} from '../command.ts'
import type { Output } from '../output.ts'
import { untilInterrupted } from '../own-mfano.ts'
import { readMerchant } from '../suite-flags.ts'
import { durationValue, wholeValue } from '../typed-values.ts'
import { documentOf, findingText, replayedLine, summaryText } from './explore-text.ts'

/** Most of the time a run waits for its app, so there are more of them than processors. */
const RUNS_PER_CPU = 3
const READY_WITHIN_MS = 60_000
const REST_WITHIN_MS = 20_000
/** Many enough that time ends it. */
const SCHEDULES_MAX = 1_000_000

export const exploreCommand: Command = {
  name: 'explore',
  words: 'MERCHANT.yaml',
  names: ['files'],
  summary:
    "Searches for the order of events that makes an app's books wrong: how payments end, what becomes of answers and callbacks, crashes and restarts. Exit code 0: no findings; 1: findings; 2: it could not be judged.",
  flags: [
    { name: 'within', value: 'time', help: 'How long to search, in real time.', byDefault: '60s', ...durationValue },
    {
      name: 'schedules',
      value: 'n',
      help: 'How many schedules to run at the most.',
      ...wholeValue(1),
    },
    { name: 'seed', value: 'n', help: 'Another seed is another search.', byDefault: '1', ...wholeValue(1) },
    {
      name: 'out',
      value: 'folder',
      help: 'Write each finding there: a schedule, a scenario and a page.',
      names: 'files',
    },
    {
      name: 'replay',
      value: 'folder',
      help: 'Run the schedules that --out wrote there before any other.',
      names: 'files',
    },
    { name: 'findings', value: 'n', help: 'Stop with so many.', byDefault: '6', ...wholeValue(1) },
    { name: 'only-replay', help: 'Run only those.' },
    {
      name: 'jobs',
      value: 'n',
      help: `Runs at a time. Default: ${RUNS_PER_CPU} for each processor.`,
      ...wholeValue(1),
    },
    jsonFlag,
  ],
  examples: ['mfano explore merchant.yaml', 'mfano explore merchant.yaml --within 30s --seed 7 --out found'],
  run: async (given, output) => {
    const explored = await searched(given, output, readMerchant(given.words[0] as string))
    const folder = given.get('out')
    const files = [...explored.findings, ...explored.unshrunk].map((finding, i) =>
      folder === undefined ? undefined : writeFinding(folder, explored.merchant, i + 1, finding),
    )
    if (given.has('json')) output.out(`${JSON.stringify(documentOf(explored, files), null, 2)}\n`)
    else output.out(summaryText(explored, files, output))
    return exitCode(explored)
  },
}

/** Until its time is over, or Ctrl-C ends it. */
async function searched(given: Arguments, output: Output, merchant: Merchant): Promise<Explored> {
  const quiet = given.has('json')
  try {
    return await untilInterrupted((signal) =>
      explore({
        merchant,
        seed: given.number('seed') as number,
        jobs: given.number('jobs') ?? RUNS_PER_CPU * cpus().length,
        withinMs: (parseDuration(given.get('within') ?? '') as number) / 1000,
        schedules: given.number('schedules') ?? SCHEDULES_MAX,
        findingsMax: given.number('findings') as number,
        replay: schedulesOf(given.get('replay')),
        capsules: given.get('out') ?? capsuleFolder(),
        onlyReplay: given.has('only-replay'),
        readyWithinMs: READY_WITHIN_MS,
        restWithinMs: REST_WITHIN_MS,
        signal,
        found: (finding) => {
          if (!quiet) output.out(findingText(finding, output))
        },
        replayed: (one) => {
          if (!quiet) output.out(replayedLine(one, output))
        },
      }),
    )
  } catch (error) {
    if (!(error instanceof AppFailed)) throw error
    throw new CommandFailed(error.message, '', { code: 'APP_FAILED', exitCode: USAGE })
  }
}

function schedulesOf(folder: string | undefined) {
  if (folder === undefined) return []
  try {
    return readSchedules(folder)
  } catch (error) {
    if (!(error instanceof ScheduleFileError)) throw error
    throw new UsageError(`--replay: ${error.message}`)
  }
}

/** Findings say more than a search that did not come to its end. */
function exitCode({ findings, unjudged, interrupted }: Explored): number {
  if (findings.length > 0) return PROBLEMS
  return unjudged !== undefined || interrupted ? USAGE : CLEAN
}
