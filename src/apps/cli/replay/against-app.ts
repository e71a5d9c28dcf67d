/** `mfano replay --against`: replays a recording with a live app. */
import { type ControlBody, controlOf } from '../../../client/control.ts'
import { formatInstant } from '../../../core/model/time.ts'
import type { RunningSimulator } from '../../../hosts/node/simulator.ts'
import { replayAgainst } from '../../../judge/replay-against.ts'
import type { Replay } from '../../../server/replay.ts'
import { type Arguments, CLEAN, PROBLEMS, USAGE } from '../command.ts'
import { untilInterrupted } from '../judging.ts'
import type { Output } from '../output.ts'
import { count } from '../words.ts'
import { putWorld } from './serve-world.ts'

type Came = Awaited<ReturnType<typeof replayAgainst>>

export async function againstApp(
  replay: Replay,
  file: string,
  given: Pick<Arguments, 'has'>,
  output: Output,
): Promise<number> {
  const { entries, origin } = replay.capsule
  const came = await untilInterrupted((signal) =>
    replayAgainst({
      file,
      entries,
      seed: origin.seed,
      begin: (simulator) => worldOf(replay, simulator),
      commandOf: (command) => replay.commandOf(command),
      signal,
    }),
  )
  const { otherwise, findings, unjudged } = came
  const report = {
    identical: otherwise === undefined,
    ...(otherwise && { otherwise }),
    findings: findings.map(({ code, text }) => ({ code, text })),
    ...(unjudged !== undefined && { unjudged }),
  }
  output.out(given.has('json') ? `${JSON.stringify(report, null, 2)}\n` : inWords(came, entries.length, output))
  return findings.length > 0 ? PROBLEMS : unjudged === undefined ? CLEAN : USAGE
}

function inWords({ otherwise, findings, unjudged }: Came, events: number, { paint }: Output): string {
  const done = otherwise
    ? `Event ${otherwise.event}: the app does otherwise.\n  ${otherwise.text}\n`
    : `The app does all that it did: ${events} events.\n`
  if (findings.length === 0 && unjudged !== undefined) return `${done}${paint('red', 'Not judged')}: ${unjudged}\n`
  if (findings.length === 0) return `${done}${paint('green', 'The bug is gone')}: its books agree with the ledger.\n`
  const list = findings.map(({ code, text }) => `  ${code}: ${text}\n`).join('')
  return `${done}${paint('red', 'The bug is still there')}: ${count(findings.length, 'finding')}.\n${list}`
}

async function worldOf(replay: Replay, simulator: RunningSimulator) {
  const { identity, origin, recording } = replay.capsule
  if (recording.image !== undefined) {
    const { credentials } = simulator
    const baseUrl = await putWorld(replay, simulator)
    // The app that is started here waits for them.
    await controlOf(baseUrl)('POST', '/callbacks/resume')
    return { id: identity.world, credentials, baseUrl }
  }
  const body: ControlBody<'POST', '/worlds'> = {
    ...(identity.world !== 'default' && { id: identity.world }),
    scenario: recording.scenario.source,
    parameters: recording.scenario.parameters ?? {},
    seed: origin.seed,
    clock: { mode: 'frozen', start: `${formatInstant(recording.beganUs)}Z` },
  }
  return controlOf(simulator.baseUrl)('POST', '/worlds', { body })
}
