/** `mfano replay --against`: a live app in the place of the recorded one. */
import type { ControlBody } from '../../../client/control.ts'
import { controlOf } from '../../../client/control.ts'
import { asJson } from '../../../core/model/as-json.ts'
import { maskBody } from '../../../core/model/mask.ts'
import { formatInstant } from '../../../core/model/time.ts'
import type { World } from '../../../core/world.ts'
import type { RunningSimulator } from '../../../hosts/node/simulator.ts'
import { type Against, against, type LiveWorld } from '../../../judge/against.ts'
import { NeverQuiet } from '../../../judge/app/restless.ts'
import { AppFailed, AppProcess, type Surroundings } from '../../../judge/app-process.ts'
import { againstSchedule } from '../../../judge/explore/against-schedule.ts'
import { type Explored, scheduleIn } from '../../../judge/explore/schedule-note.ts'
import { BooksUnreadable } from '../../../judge/fetch-books.ts'
import { judgeBooks } from '../../../judge/judge-books.ts'
import type { Merchant } from '../../../judge/merchant-file.ts'
import { booksOf } from '../../../judge/run-merchant.ts'
import type { Replay } from '../../../server/replay.ts'
import { type Arguments, CLEAN, CommandFailed, PROBLEMS, USAGE } from '../command.ts'
import type { Output } from '../output.ts'
import { inOwnMfano, untilInterrupted } from '../own-mfano.ts'
import { readMerchant } from '../suite-flags.ts'
import { count } from '../words.ts'
import { putWorld } from './serve-world.ts'

/** Real milliseconds. */
const PATIENCE = { ready: 60_000, rest: 120_000 }
const LISTED = 1000

/** Gives the exit code. */
export async function againstApp(
  replay: Replay,
  file: string,
  given: Pick<Arguments, 'has'>,
  output: Output,
): Promise<number> {
  const { entries } = replay.capsule
  if (!entries.some((entry) => 'note' in entry))
    throw unusable('It holds nothing that was asked of an app.', 'A gauntlet notes that, where MFANO_CAPSULES is set.')
  const schedule = scheduleIn(entries)
  const came = await (schedule ? explored(replay, file, schedule) : ledThrough(replay, file))
  const { otherwise, findings, unjudged } = came
  const told = findings.map(({ code, text }) => ({ code, text }))
  const report = {
    identical: otherwise === undefined,
    ...(otherwise && { otherwise }),
    findings: told,
    ...(unjudged !== undefined && { unjudged }),
  }
  output.out(given.has('json') ? `${JSON.stringify(report, null, 2)}\n` : inWords(came, entries.length, output))
  return findings.length > 0 ? PROBLEMS : unjudged === undefined ? CLEAN : USAGE
}

function inWords({ otherwise, findings, unjudged }: Against, events: number, { paint }: Output): string {
  const done = otherwise
    ? `Event ${otherwise.event}: the app does otherwise.\n  ${otherwise.text}\n`
    : `The app does all that it did: ${events} events.\n`
  if (findings.length === 0 && unjudged !== undefined) return `${done}${paint('red', 'Not judged')}: ${unjudged}\n`
  if (findings.length === 0) return `${done}${paint('green', 'The bug is gone')}: its books agree with the ledger.\n`
  const list = findings.map(({ code, text }) => `  ${code}: ${text}\n`).join('')
  return `${done}${paint('red', 'The bug is still there')}: ${count(findings.length, 'finding')}.\n${list}`
}

async function ledThrough(replay: Replay, file: string): Promise<Against> {
  const merchant = readMerchant(file)
  return inOwnMfano(1, (simulator, signal) => led(replay, merchant, simulator, signal), interruption())
}

async function led(
  replay: Replay,
  merchant: Merchant,
  simulator: RunningSimulator,
  signal: AbortSignal,
): Promise<Against> {
  const { entries } = replay.capsule
  let app: AppProcess | undefined
  try {
    const made = await worldOf(replay, simulator)
    const control = controlOf(made.baseUrl)
    const world = simulator.worlds.get(made.id)
    const live = liveWorld(world, replay, world.core.store.journal.page({ limit: 1, newestFirst: true })[0]?.seq)
    app = await AppProcess.start(merchant, made, { withinMs: PATIENCE.ready, signal })
    const run = { merchant, app, control, signal, patienceMs: PATIENCE.rest, acts: [] }
    const otherwise = await against(run, live, entries)
    const books = await booksOf(app, merchant, signal)
    await app.stop()
    return { otherwise, ...(await judgeBooks({ control }, books)) }
  } catch (error) {
    const event = entries.length
    if (error instanceof NeverQuiet)
      return {
        otherwise: { event, text: error.message },
        findings: [{ code: 'never_quiet', text: error.message, requests: [] }],
      }
    if (error instanceof BooksUnreadable)
      return { otherwise: { event, text: error.message }, findings: [], unjudged: error.message }
    if (error instanceof AppFailed) throw unusable(error.message, '')
    throw error
  } finally {
    await app?.stop()
  }
}

/** As the recorded one began: from nothing, or as the image of another has it. An app that was there then begins anew. */
async function worldOf(replay: Replay, simulator: RunningSimulator): Promise<Surroundings & { id: string }> {
  const { identity, origin, recording } = replay.capsule
  if (recording.image !== undefined) {
    const { credentials } = simulator
    return { id: identity.world, credentials, baseUrl: await putWorld(replay, simulator) }
  }
  const body = {
    ...(identity.world !== 'default' && { id: identity.world }),
    scenario: recording.scenario.source,
    parameters: recording.scenario.parameters ?? {},
    seed: origin.seed,
    clock: { mode: 'frozen', start: `${formatInstant(recording.beganUs)}Z` },
  } as ControlBody<'POST', '/worlds'>
  return controlOf(simulator.baseUrl)('POST', '/worlds', { body })
}

/** Carries out its schedule with another app: what was held, lost, made up or killed between app and world is so once more. */
async function explored(replay: Replay, file: string, schedule: Explored): Promise<Against> {
  const { entries, origin } = replay.capsule
  const options = { merchant: readMerchant(file), seed: origin.seed, jobs: 1 }
  const patience = { readyWithinMs: PATIENCE.ready, restWithinMs: PATIENCE.rest }
  try {
    return await untilInterrupted(
      (signal) =>
        againstSchedule({ ...options, ...patience, signal }, schedule, entries, (world) => liveWorld(world, replay)),
      interruption(),
    )
  } catch (error) {
    if (error instanceof AppFailed) throw unusable(error.message, '')
    throw error
  }
}

/** `since`: the last request that came before anything was asked of the app. */
function liveWorld(world: World, replay: Replay, since = 0): LiveWorld {
  const { store, clock } = world.core
  return {
    advance: async (toUs) => void (await world.advance(toUs)),
    nowUs: () => clock.now(),
    perform: async ({ command }) => void (await world.perform(replay.commandOf(command) as never).catch(() => {})),
    requestsAfter: (seq) => store.journal.page({ after: Math.max(seq, since), limit: LISTED }),
    answerTo: (callbackId, attempt) =>
      store.callbacks.attemptsOf(callbackId).find(({ number }) => number === attempt)?.status,
    shown: ({ method, path, body }) => ({ method, path, body: body === null ? null : asJson(maskBody(body)) }),
  }
}

function interruption(): CommandFailed {
  return new CommandFailed('Interrupted.', '', { exitCode: USAGE })
}

function unusable(message: string, hint: string): CommandFailed {
  return new CommandFailed(message, hint, { code: 'CANNOT_BE_LED', exitCode: USAGE })
}
