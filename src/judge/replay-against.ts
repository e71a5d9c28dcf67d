/** Replays a recording with a live app: finds the first difference, and judges the app's books afterwards. */
import { controlOf } from '../client/control.ts'
import { asJson } from '../core/model/json.ts'
import { maskBody } from '../core/model/mask.ts'
import { errorOf } from '../core/model/must.ts'
import type { RecordedEntry } from '../core/recording.ts'
import type { World } from '../core/world.ts'
import type { RunningSimulator } from '../hosts/node/simulator.ts'
import { isAppEnd } from './app/app-findings.ts'
import { AppFailed, AppProcess, type Surroundings } from './app/app-process.ts'
import { hasJoined, NOT_JOINED } from './app/following.ts'
import { type Merchant, readMerchantFile } from './app/merchant-file.ts'
import { NeverQuiet } from './app/restless.ts'
import { type ScheduleNote, scheduleIn } from './explore/schedule-note.ts'
import { type RunnerOptions, ScheduleRunner } from './explore/schedule-runner.ts'
import { BooksUnreadable } from './fetch-books.ts'
import { type Against, against, type LiveWorld, type Otherwise, otherwiseThan } from './replay/against.ts'
import { judgeBooks, ownFinding } from './subject/outcome.ts'
import { withOwnServer } from './subject/own-worlds.ts'
import { booksOf } from './subject/run-merchant.ts'
import { Unusable } from './subject.ts'

const PATIENCE = { readyWithinMs: 60_000, restWithinMs: 120_000 }
const LISTED = 1000

type CommandEntry = Extract<RecordedEntry, { command: unknown }>

interface ReplayOptions {
  file: string
  entries: readonly RecordedEntry[]
  seed: number
  begin(simulator: RunningSimulator): Promise<Surroundings & { id: string }>
  commandOf(command: CommandEntry['command']): unknown
  signal: AbortSignal
}

export async function replayAgainst(options: ReplayOptions): Promise<Against> {
  const { file, entries, seed, signal } = options
  if (!entries.some((entry) => 'note' in entry))
    throw unusable('It holds nothing that was asked of an app.', 'A gauntlet notes that, where MFANO_CAPSULES is set.')
  const merchant = readMerchantFile(file)
  const schedule = scheduleIn(entries)
  try {
    // The same is held, lost, made up or killed between app and world once more.
    if (schedule)
      return await againstSchedule({ ...PATIENCE, merchant, seed, jobs: 1, signal }, schedule, entries, (world) =>
        liveWorld(world, options),
      )
    return await withOwnServer(1, (simulator) => ledThrough(merchant, simulator, options))
  } catch (error) {
    if (error instanceof AppFailed) throw unusable(error.message)
    throw error
  }
}

/** For a recording whose app ran before it began, so the app is started from scratch. */
async function ledThrough(merchant: Merchant, simulator: RunningSimulator, options: ReplayOptions): Promise<Against> {
  const { entries, signal } = options
  const made = await options.begin(simulator)
  const control = controlOf(made.baseUrl)
  const world = simulator.worlds.get(made.id)
  const live = liveWorld(world, options, world.core.store.journal.page({ limit: 1, newestFirst: true })[0]?.seq)
  const app = await AppProcess.start(merchant, made, { withinMs: PATIENCE.readyWithinMs, signal })
  try {
    if (merchant.follows && !(await hasJoined(control, signal, merchant.processes.length)))
      throw AppFailed.saying('not_ready', NOT_JOINED, app.said)
    const run = { merchant, app, control, signal, patienceMs: PATIENCE.restWithinMs, acts: [] }
    const otherwise = await against(run, live, entries)
    const books = await booksOf(app, merchant, signal)
    await app.stop()
    return { otherwise, ...(await judgeBooks({ control }, books)) }
  } catch (error) {
    const otherwise = { event: entries.length, text: errorOf(error).message }
    if (error instanceof NeverQuiet) return { otherwise, findings: [ownFinding('never_quiet', error.message)] }
    if (error instanceof BooksUnreadable) return { otherwise, findings: [], unjudged: error.message }
    throw error
  } finally {
    await app.stop()
  }
}

/** `since` is the sequence number of the last request before the first act. */
function liveWorld(world: World, { commandOf }: ReplayOptions, since = 0): LiveWorld {
  const { store, clock } = world.core
  return {
    advance: async (toUs) => void (await world.advance(toUs)),
    nowUs: () => clock.now(),
    perform: async ({ command }) => void (await world.perform(commandOf(command) as never).catch(() => {})),
    requestsAfter: (seq) => store.journal.page({ after: Math.max(seq, since), limit: LISTED }),
    answerTo: (callbackId, attempt) =>
      store.callbacks.attemptsOf(callbackId).find(({ number }) => number === attempt)?.status,
    shown: ({ method, path, body }) => ({ method, path, body: body === null ? null : asJson(maskBody(body)) }),
  }
}

function unusable(message: string, hint = ''): Unusable {
  return new Unusable(message, { code: 'CANNOT_BE_LED', hint })
}

// Runs a schedule with a live app, in the place of the app that it was recorded with, finds where it first does
// otherwise, and judges it.

async function againstSchedule(
  options: RunnerOptions,
  { explored, kinds }: ScheduleNote,
  entries: readonly RecordedEntry[],
  live: (world: World) => Pick<LiveWorld, 'requestsAfter' | 'answerTo' | 'shown'>,
): Promise<Against> {
  const runner = await ScheduleRunner.open(options, { kinds })
  try {
    let otherwise: Otherwise | undefined
    const inspect = (world: World) => {
      otherwise = otherwiseThan(entries, live(world))
    }
    const { unjudged, findings } = await runner.run(explored, { inspect, patience: 'patient' })
    const ended = findings.find(({ code }) => isAppEnd(code))
    const why = unjudged ?? ended?.text
    if (why !== undefined) otherwise = { event: entries.length, text: why }
    return { otherwise, findings, ...(unjudged !== undefined && { unjudged }) }
  } finally {
    await runner.close()
  }
}
