/** `mfano compare`: recorded traffic with the real service against mfano. */
import { readFileSync } from 'node:fs'
import { cpus } from 'node:os'
import type { ControlBody } from '../../../client/control.ts'
import { whyUnreadable } from '../../../hosts/node/file-access.ts'
import { silentLog } from '../../../hosts/node/log.ts'
import { scenarioLibrary } from '../../../hosts/node/scenarios.ts'
import { settingsOf } from '../../../hosts/node/settings.ts'
import { startSimulator } from '../../../hosts/node/simulator.ts'
import type { CompareReport } from '../../../judge/compare/compare-report.ts'
import { compare } from '../../../judge/compare/comparison.ts'
import { HarUnreadable, type Recorded, readHar } from '../../../judge/traffic/har.ts'
import { Secrets } from '../../../judge/traffic/secrets.ts'
import { paymentsService } from '../../../service/service.ts'
import { CLEAN, type Command, CommandFailed, jsonFlag, PROBLEMS, USAGE } from '../command.ts'
import { type Variant, variantsOf } from '../scenario-variants.ts'
import { compareText } from './compare-text.ts'

const WORLDS_PER_CPU = 2
/** The addresses in recorded requests are those of somebody's real app. */
const UNTOLD = [{ name: 'nobody is told', on: 'any', then: { drop: true } }]
/** Simulated time begins no earlier. */
const EARLIEST_MS = 0

export const compareCommand: Command = {
  name: 'compare',
  words: 'TRAFFIC.har',
  names: ['files'],
  summary:
    'Asks mfano what the real service was asked in a HAR file, tells by operation what differs, and finds the assumptions that make differences go. Exit code 0: nothing differs; 1: something does; 2: nothing could be compared.',
  flags: [
    {
      name: 'scenario',
      value: 'name|file',
      help: 'What its worlds begin with.',
      names: 'scenarios',
      byDefault: 'default',
    },
    jsonFlag,
  ],
  examples: ['mfano compare traffic.har', 'mfano compare traffic.har --json | jq -r .patch'],
  run: async (given, output) => {
    const recorded = read(given.words[0] ?? '')
    const secrets = new Secrets()
    learn(recorded, secrets)
    const variant = variantsOf(scenarioLibrary(paymentsService).find(given.get('scenario') ?? 'default'))
    const simulator = await startSimulator(settingsOf({ port: '0', data: ':memory:', log: 'off' }), silentLog)
    const interruption = new AbortController()
    const interrupted = () => interruption.abort(new CommandFailed('It was interrupted.', '', { exitCode: USAGE }))
    process.once('SIGINT', interrupted).once('SIGTERM', interrupted)
    try {
      const report = await compare({
        url: simulator.baseUrl,
        world: (choices, startMs) => worldOf(variant(choices, UNTOLD), startMs),
        recorded,
        ends: new Set([...paymentsService.kinds].flatMap(({ ends }) => ends)),
        secrets,
        jobs: WORLDS_PER_CPU * cpus().length,
        signal: interruption.signal,
      })
      output.out(given.has('json') ? `${JSON.stringify(report, null, 2)}\n` : compareText(report, output))
      return exitCode(report)
    } finally {
      process.off('SIGINT', interrupted).off('SIGTERM', interrupted)
      await simulator.close()
    }
  },
}

function read(file: string): Recorded[] {
  try {
    return readHar(readFileSync(file, 'utf8'))
  } catch (error) {
    const hint = error instanceof HarUnreadable ? `it is no traffic: ${error.message}` : whyUnreadable(error)
    throw new CommandFailed(`${file} cannot be read:`, hint, { code: 'TRAFFIC_UNREADABLE', exitCode: USAGE })
  }
}

/** What is secret in somebody else's file is never told either. */
function learn(recorded: readonly Recorded[], secrets: Secrets): void {
  for (const { headers, path, body, answer, mediaType } of recorded) {
    for (const [name, value] of Object.entries(headers)) secrets.header(name, value)
    secrets.path(path)
    secrets.body(body, headers['content-type'] ?? '')
    secrets.body(answer, mediaType)
  }
}

/** Nobody is told of anything, and time stands still: states come when an answer shows them. */
function worldOf(variant: Variant, startMs: number): ControlBody<'POST', '/worlds'> {
  return { ...variant, clock: { mode: 'frozen', start: new Date(Math.max(startMs, EARLIEST_MS)).toISOString() } }
}

function exitCode({ compared, operations }: CompareReport): number {
  if (compared === 0) return USAGE
  return operations.some(({ differences }) => differences.length > 0) ? PROBLEMS : CLEAN
}
