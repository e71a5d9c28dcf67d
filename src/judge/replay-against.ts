/** Replays a recording with a live app: finds the first difference, and judges the app's books afterwards. */
import { controlOf } from '../client/control.ts'
import { asJson } from '../core/model/json.ts'
import { maskBody } from '../core/model/mask.ts'
import type { RecordedEntry } from '../core/recording.ts'
import type { World } from '../core/world.ts'
import type { RunningSimulator } from '../hosts/node/simulator.ts'
import { isAppEnd } from './app/app-findings.ts'
import { AppFailed } from './app/app-process.ts'
import { readMerchantFile } from './app/merchant-file.ts'
import { PATIENT } from './explore/app-rest.ts'
import { runOnStage } from './explore/run-app.ts'
import { scheduleIn } from './explore/schedule-note.ts'
import { Stage } from './explore/stage.ts'
import { type Against, type LiveWorld, type Otherwise, otherwiseThan } from './replay/against.ts'
import { type OwnWorld, withOwnServer } from './subject/own-worlds.ts'
import { Unusable } from './subject.ts'

const PATIENCE = { readyWithinMs: 60_000, restWithinMs: 120_000 }
const LISTED = 1000

interface ReplayOptions {
  file: string
  entries: readonly RecordedEntry[]
  /** Makes the world in which the recording began. */
  begin(simulator: RunningSimulator): Promise<Pick<OwnWorld, 'id' | 'baseUrl' | 'credentials'>>
  signal: AbortSignal
}

/** The same is held, lost, made up or killed between app and world once more. */
export async function replayAgainst({ file, entries, begin, signal }: ReplayOptions): Promise<Against> {
  const schedule = scheduleIn(entries)
  if (!schedule)
    throw unusable('It holds nothing that was asked of an app.', 'A gauntlet notes that, where MFANO_CAPSULES is set.')
  const given = { ...PATIENCE, merchant: readMerchantFile(file), signal }
  const { explored: choices, kinds } = schedule
  return withOwnServer({ worlds: 1, isGated: true }, async (server) => {
    const made = await begin(server.simulator)
    const control = controlOf(made.baseUrl, { fetch: server.simulator.fetch })
    // A world may go on from another, in which requests had come.
    const { journal } = server.simulator.worlds.get(made.id).core.store
    const since = journal.page({ limit: 1, newestFirst: true })[0]?.seq
    const stage = await Stage.open({ ...given, server }, { ...made, control, env: {} }).catch((error) => {
      throw error instanceof AppFailed ? unusable(error.message) : error
    })
    let otherwise: Otherwise | undefined
    const inspect = (world: World) => {
      otherwise = otherwiseThan(entries, liveWorld(world, since))
    }
    try {
      const { unjudged, findings } = await runOnStage(stage, { ...given, choices, kinds, pace: PATIENT, inspect })
      const ended = findings.find(({ code }) => isAppEnd(code))
      const why = unjudged ?? ended?.text
      if (why !== undefined) otherwise = { event: entries.length, text: why }
      return { otherwise, findings, ...(unjudged !== undefined && { unjudged }) }
    } finally {
      await stage.close()
    }
  })
}

/** `since` is the sequence number of the last request before the first act. */
function liveWorld({ core: { store } }: World, since = 0): LiveWorld {
  return {
    requests: () => store.journal.page({ after: since, limit: LISTED }),
    answerTo: (callbackId, attempt) =>
      store.callbacks.attemptsOf(callbackId).find(({ number }) => number === attempt)?.status,
    shown: ({ method, path, body }) => ({ method, path, body: body === null ? null : asJson(maskBody(body)) }),
  }
}

function unusable(message: string, hint = ''): Unusable {
  return new Unusable(message, { code: 'CANNOT_BE_LED', hint })
}
