/** Runs a simulator as a process: reads settings, announces readiness, and shuts down in order. */
import { keysIn } from '../../../core/model/must.ts'
import { printable } from '../../../core/model/one-line.ts'
import type { Log } from '../../../hosts/node/log.ts'
import { openTracing } from '../../../hosts/node/open-tracing.ts'
import { packageVersion } from '../../../hosts/node/package.ts'
import { openLog, type Settings, startFailure } from '../../../hosts/node/settings.ts'
import { afterRealMs, everyRealMs, unguessable } from '../../../hosts/node/wall.ts'
import type { AnswerAgent } from '../../../server/front.ts'
import { CLEAN } from '../command.ts'
import { readyLine, readyNotice } from './banner.ts'
import { deferFetch } from './defer-fetch.ts'
import { holdHeapDown } from './hold-heap-down.ts'
import type { SettingsRead } from './read-settings.ts'

const FAILED = 1
/** Milliseconds for an orderly shutdown. Committed data also survives a hard one. */
const CLOSE_WITHIN_MS = 1_800
const signals = { SIGINT: 130, SIGTERM: 143 }
const ORPHAN_CHECK_MS = 100

export async function runSandbox({ settings, warnings }: SettingsRead, json: boolean): Promise<number> {
  const log = await openLog(settings, process.stdout.hasColors?.() ?? false)
  process.on('exit', () => log.flush())

  let close: (() => Promise<void>) | undefined
  let stopping = false
  const stop = async (signal: keyof typeof signals) => {
    // A second signal means now; so does one before there is anything to close.
    if (stopping || close === undefined) process.exit(signals[signal])
    stopping = true
    afterRealMs(CLOSE_WITHIN_MS, () => {
      log.warn(`not closed within ${CLOSE_WITHIN_MS} ms, leaving`)
      process.exit(0)
    })
    try {
      await close()
      process.exit(0)
    } catch (err) {
      log.error('closing failed', { err })
      process.exit(FAILED)
    }
  }
  // From the beginning: the first process of a container gets no default handling of signals.
  for (const signal of keysIn(signals)) process.on(signal, () => void stop(signal))
  if (process.env.npm_lifecycle_event !== undefined) whenOrphaned(() => void stop('SIGTERM'))

  const simulator = await start(settings, log)
  if (simulator === undefined) return FAILED
  close = simulator.close
  holdHeapDown()
  const { data, adminToken } = settings
  const ready = { ...simulator, version: packageVersion(), guarded: adminToken !== undefined, data, warnings }
  const readable = !json && settings.log !== 'json'
  process.stdout.write(readable ? readyNotice(ready) : readyLine(ready))
  if (!readable) for (const warning of warnings) log.warn(warning)
  return CLEAN
}

async function start(settings: Settings, log: Log) {
  try {
    deferFetch()
    const tracing = await openTracing(process.env, packageVersion(), log)
    const { startSimulator } = await import('../../../hosts/node/simulator.ts')
    const idSeed = Number.parseInt(unguessable().slice(0, 8), 16)
    const simulator = await startSimulator(settings, log, { ownProcess: true, agents, tracing, idSeed })
    return { ...simulator, close: () => simulator.close() }
  } catch (error) {
    process.stderr.write(`mfano: ${printable(startFailure(error, settings))}\n`)
    // Something that was opened before the failure may still hold the process.
    process.exit(FAILED)
  }
}

/**
 * `npm start` signals only its shell, which dies without telling mfano. Without this check mfano would keep running
 * unseen and hold the port. (`exec` in the script would help on Unix but break Windows.)
 */
function whenOrphaned(act: () => void): void {
  const parent = process.ppid
  const stop = everyRealMs(ORPHAN_CHECK_MS, () => {
    if (process.ppid === parent) return
    stop()
    act()
  })
}

/** Loaded with the first agent request, because most processes get none. */
const agents: AnswerAgent = async (request, backend) =>
  (await import('../../mcp/http.ts')).answerAgent(request, backend)
