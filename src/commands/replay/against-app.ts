/** `mfano replay --against`: a live app in the place of the recorded one. */
import type { ControlBody } from '../../client/control.ts'
import { controlOf } from '../../client/control.ts'
import { silentLog } from '../../hosts/node/log/log.ts'
import { settingsOf } from '../../hosts/node/settings.ts'
import { startSimulator } from '../../hosts/node/simulator.ts'
import { maskBody } from '../../http/mask.ts'
import { against, type LiveWorld, type Otherwise } from '../../judge/against.ts'
import { AppFailed, AppProcess } from '../../judge/app-process.ts'
import { NeverQuiet } from '../../judge/drive.ts'
import { asJson } from '../../model/as-json.ts'
import { formatInstant } from '../../model/time.ts'
import type { Replay } from '../../server/capsule/replay.ts'
import type { World } from '../../world/world.ts'
import { type Arguments, CLEAN, CommandFailed, PROBLEMS, USAGE } from '../command.ts'
import { readMerchant } from '../gauntlet/gauntlet-command.ts'
import type { Output } from '../output.ts'

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
  const { entries, recording } = replay.capsule
  if (!entries.some((entry) => 'note' in entry))
    throw unusable('It holds nothing that was asked of an app.', 'A gauntlet notes that, where MFANO_CAPSULES is set.')
  if (recording.image !== undefined)
    throw unusable('It began in the middle of a world.', 'A live app can only be led through one from its beginning.')
  const otherwise = await ledThrough(replay, file)
  const report = { identical: otherwise === undefined, ...(otherwise && { otherwise }) }
  const { paint } = output
  const text = otherwise
    ? `${paint('red', `Event ${otherwise.event}: the app does otherwise.`)}\n  ${otherwise.text}\n`
    : `${paint('green', 'The app does all that it did')}: ${entries.length} events.\n`
  output.out(given.has('json') ? `${JSON.stringify(report, null, 2)}\n` : text)
  return otherwise ? PROBLEMS : CLEAN
}

async function ledThrough(replay: Replay, file: string): Promise<Otherwise | undefined> {
  const merchant = readMerchant(file)
  const { identity, origin, recording, entries } = replay.capsule
  const simulator = await startSimulator(settingsOf({ port: '0', data: ':memory:', log: 'off' }), silentLog)
  const interruption = new AbortController()
  const interrupted = () => interruption.abort(new CommandFailed('Interrupted.', '', { exitCode: USAGE }))
  process.once('SIGINT', interrupted).once('SIGTERM', interrupted)
  const { signal } = interruption
  let app: AppProcess | undefined
  try {
    const body = {
      ...(identity.world !== 'default' && { id: identity.world }),
      scenario: recording.scenario.source,
      parameters: recording.scenario.parameters ?? {},
      seed: origin.seed,
      clock: { mode: 'frozen', start: formatInstant(recording.beganUs) },
    } as ControlBody<'POST', '/worlds'>
    const made = await controlOf(simulator.baseUrl)('POST', '/worlds', { body })
    const control = controlOf(made.baseUrl)
    app = await AppProcess.start(merchant, made, { withinMs: PATIENCE.ready, signal })
    const run = { merchant, app, control, signal, patienceMs: PATIENCE.rest, acts: [] }
    return await against(run, liveWorld(simulator.worlds.get(made.id), replay), entries)
  } catch (error) {
    if (error instanceof NeverQuiet) return { event: entries.length, text: error.message }
    if (error instanceof AppFailed) throw unusable(error.message, '')
    throw error
  } finally {
    process.off('SIGINT', interrupted).off('SIGTERM', interrupted)
    await app?.stop()
    await simulator.close()
  }
}

function liveWorld(world: World, replay: Replay): LiveWorld {
  const { store, clock } = world.core
  return {
    advance: async (toUs) => void (await world.advance(toUs)),
    nowUs: () => clock.now(),
    perform: async ({ command }) => void (await world.perform(replay.commandOf(command) as never).catch(() => {})),
    requestsAfter: (seq) => store.journal.page({ after: seq, limit: LISTED }),
    answerTo: (callbackId, attempt) =>
      store.callbacks.attemptsOf(callbackId).find(({ number }) => number === attempt)?.status,
    shown: ({ method, path, body }) => ({ method, path, body: body === null ? null : asJson(maskBody(body)) }),
  }
}

function unusable(message: string, hint: string): CommandFailed {
  return new CommandFailed(message, hint, { code: 'CANNOT_BE_LED', exitCode: USAGE })
}
