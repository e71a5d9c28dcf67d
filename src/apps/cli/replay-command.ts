import { readFileSync } from 'node:fs'
import { plainTime, withPlainTimes, type Zone } from '../../core/model/calendar.ts'
import { errorOf, must } from '../../core/model/must.ts'
import { parseInstant } from '../../core/model/time.ts'
import { fileOf } from '../../core/world-image.ts'
import { whyUnreadable } from '../../hosts/node/file-access.ts'
import { silentLog } from '../../hosts/node/log.ts'
import { packageVersion } from '../../hosts/node/package.ts'
import { scenarioLibrary } from '../../hosts/node/scenarios.ts'
import { settingsOf } from '../../hosts/node/settings.ts'
import { type RunningSimulator, startSimulator } from '../../hosts/node/simulator.ts'
import { openSqliteCopy } from '../../hosts/node/sqlite.ts'
import { BadCapsule, unpackCapsule } from '../../server/capsule.ts'
import { type RepeatedCapsule, Replay } from '../../server/replay.ts'
import {
  type Arguments,
  CLEAN,
  CommandFailed,
  jsonFlag,
  PROBLEMS,
  type TopCommand,
  USAGE,
  UsageError,
} from './command.ts'
import type { Output } from './output.ts'
import { portValue, wholeValue } from './typed-values.ts'
import { count } from './words.ts'

export const replayCommand: TopCommand = {
  words: 'FILE.capsule',
  names: ['files'],
  about: 'It needs no network, repeats every byte and prints the events.',
  exits: {
    0: 'same result',
    1: 'another result',
    2: 'the capsule cannot be used',
  },
  flags: [
    {
      name: 'until',
      value: 'n',
      help: 'Stop before event n and serve the world from there.',
      ...wholeValue(1),
      expected: 'the number of an event, from 1',
    },
    { name: 'serve', help: 'Serve the world after the last event.' },
    {
      name: 'port',
      value: 'port',
      help: 'Port to serve it on. 0 takes any free port.',
      ...portValue,
      byDefault: '0',
    },
    jsonFlag,
  ],
  examples: ['mfano replay paid-twice.capsule', 'mfano replay paid-twice.capsule --until 14'],
  run: async (given, output) => {
    const [file = ''] = given.words
    const replay = await openCapsule(file)
    try {
      const until = untilOf(given, replay)
      const events = await repeat(replay, until)
      const differences = until === undefined ? await replay.differences() : []
      const identical = until === undefined ? differences.length === 0 : null
      const served =
        identical === null || given.has('serve') ? await serveWorld(replay, given.get('port') ?? '0') : undefined
      const { baseUrl } = served ?? {}
      const report = { ...replay.capsule.identity, events, identical, differences, ...(baseUrl && { baseUrl }) }
      output.out(
        given.has('json')
          ? `${JSON.stringify(report, null, 2)}\n`
          : printReplay(report, output, replay.world.core.scenario.zone),
      )
      if (served) await interrupted().then(() => served.close())
      return differences.length > 0 ? PROBLEMS : CLEAN
    } catch (error) {
      throw error instanceof BadCapsule ? badCapsule(file, error) : error
    } finally {
      replay.close()
    }
  },
}

function interrupted(): Promise<void> {
  return new Promise((resolve) => process.once('SIGINT', resolve).once('SIGTERM', resolve))
}

async function repeat(replay: Replay, until = Number.POSITIVE_INFINITY): Promise<RepeatedCapsule[]> {
  const events: RepeatedCapsule[] = []
  while (replay.events.done < until - 1) {
    const event = await replay.next()
    if (!event) break
    events.push(event)
  }
  return events
}

function untilOf(given: Arguments, replay: Replay): number | undefined {
  const until = given.number('until')
  const { all } = replay.events
  if (until === undefined || until <= all) return until
  throw new UsageError(`--until: expected the number of an event, 1 to ${all} here, got "${until}".`)
}

interface Report {
  world: string
  version: string
  why: string | null
  events: RepeatedCapsule[]
  identical: boolean | null
  differences: string[]
  baseUrl?: string
}

function printReplay(
  { world, version, why, events, identical, differences, baseUrl }: Report,
  output: Output,
  zone: Zone,
): string {
  const { paint } = output
  const lines = events.map(
    ({ event, at, what }) =>
      `${String(event).padStart(5)}  ${paint('dim', plainTime(must(parseInstant(at)), zone))}  ${what}\n`,
  )
  const ours = packageVersion()
  const verdict =
    identical === null
      ? ''
      : identical
        ? `${paint('green', 'Identical')}: ${count(events.length, 'event')}, every id, time and callback is the same.\n`
        : `${paint('red', 'The result differs.')}${version === ours ? '' : ` It was recorded by mfano ${version}; this is ${ours}.`}\n${differences.map((line) => `  ${line}\n`).join('')}`
  const served =
    baseUrl === undefined
      ? ''
      : `Serving the world at ${baseUrl}, with a frozen clock. Dashboard: ${baseUrl}/_mfano/
Press Ctrl-C to stop.
`
  return withPlainTimes(
    `World ${world}${why === null ? '' : `: ${why}`}
${lines.join('')}${verdict}${served}`,
    zone,
  )
}

export async function openCapsule(file: string): Promise<Replay> {
  try {
    const capsule = await unpackCapsule(read(file))
    return Replay.begin(capsule, { library: scenarioLibrary(), database: openSqliteCopy })
  } catch (error) {
    throw error instanceof CommandFailed ? error : badCapsule(file, error)
  }
}

/** A capsule comes from elsewhere, so whatever fails in it is no failure of the app and none of mfano. */
function badCapsule(file: string, error: unknown): CommandFailed {
  return new CommandFailed(`${file} is no capsule that can be replayed: ${errorOf(error).message}.`, '', {
    code: 'BAD_CAPSULE',
    exitCode: USAGE,
  })
}

function read(file: string): Uint8Array {
  try {
    return readFileSync(file)
  } catch (error) {
    throw new CommandFailed(`${file} cannot be read:`, `${whyUnreadable(error)}.`, { code: 'NO_FILE', exitCode: USAGE })
  }
}

interface Served {
  baseUrl: string
  close(): Promise<void>
}

async function serveWorld(replay: Replay, port: string): Promise<Served> {
  const simulator = await startSimulator(settingsOf({ port, data: ':memory:', log: 'off' }), silentLog)
  try {
    return { baseUrl: await putWorld(replay, simulator), close: () => simulator.close() }
  } catch (error) {
    await simulator.close()
    throw error
  }
}

async function putWorld({ world }: Replay, simulator: RunningSimulator): Promise<string> {
  const { clock } = world.core
  const nowUs = clock.now()
  clock.resume(nowUs)
  clock.set({ mode: 'frozen', nowUs })
  await simulator.worlds.putFile(world.id, (await fileOf(world, packageVersion())).file)
  return world.id === 'default' ? simulator.baseUrl : `${simulator.baseUrl}/w/${world.id}`
}
