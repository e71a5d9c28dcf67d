/** The process around a simulator: settings in, a notice when it is ready, an orderly end. */

import { type Log, openLog } from '../hosts/node/log/log.ts'
import { packageVersion } from '../hosts/node/package.ts'
import type { Settings } from '../hosts/node/settings.ts'
import { afterRealMs, everyRealMs } from '../hosts/node/wall.ts'
import { readyLine, readyNotice } from './banner.ts'

/** Exit codes: bad settings, and what went wrong afterwards. */
const BAD_SETTINGS = 2
const FAILED = 1
/** How long an orderly end may take, in milliseconds; what is committed survives a disorderly one too. */
const CLOSE_WITHIN_MS = 1_800
const signals = { SIGINT: 130, SIGTERM: 143 }
/** How often to look whether the shell of `npm start` is still there, in milliseconds. */
const ORPHAN_CHECK_MS = 100

/** Runs mfano until it is told to stop, or the command that was asked for. */
export async function main(): Promise<void> {
  const [first = 'start', ...rest] = process.argv.slice(2)
  const starts = first === 'start' || (first.startsWith('-') && !['-h', '--help'].includes(first))
  if (!starts) return runTool([first, ...rest])
  const { readSettings } = await import('../hosts/node/settings.ts')
  const terminal = process.stdout.isTTY === true
  const reading = readSettings(process.argv.slice(2), process.env, terminal)
  if (reading.help !== undefined) process.stdout.write(reading.help)
  else if (reading.version) process.stdout.write(`mfano ${packageVersion()}, Node.js ${process.versions.node}\n`)
  else if (reading.error !== undefined) fail(`${reading.error}\nmfano start --help lists every setting.`, BAD_SETTINGS)
  else await run(reading.settings, terminal, reading.json)
}

/** Any command but the start. Its code is only read when it is asked for, so that the server starts no later. */
async function runTool(typed: readonly string[]): Promise<void> {
  const [{ runCommand }, { processOutput }] = await Promise.all([import('./run.ts'), import('./output.ts')])
  process.exitCode = await runCommand(typed, processOutput())
}

async function run(settings: Settings, terminal: boolean, json: boolean): Promise<void> {
  // The reader of our output may go away, as in `mfano | head`; that is no reason to stop.
  process.stdout.on('error', () => {})
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
  for (const signal of Object.keys(signals) as (keyof typeof signals)[]) process.on(signal, () => void stop(signal))
  if (process.env.npm_lifecycle_event !== undefined) whenOrphaned(() => void stop('SIGTERM'))

  const simulator = await start(settings, log)
  if (simulator === undefined) return
  close = simulator.close
  const ready = { ...simulator, version: packageVersion(), guarded: settings.adminToken !== undefined }
  const readable = !json && (settings.log === 'pretty' || (settings.log === 'off' && terminal))
  process.stdout.write(readable ? readyNotice(ready) : readyLine(ready))
}

async function start(settings: Settings, log: Log) {
  try {
    const { startSimulator } = await import('../hosts/node/simulator.ts')
    const simulator = await startSimulator(settings, log, { ownProcess: true })
    return { ...simulator, close: () => simulator.close() }
  } catch (error) {
    fail(explain(error, settings), FAILED)
    // Something that was opened before the failure may still hold the process.
    process.exit()
  }
}

/**
 * `npm start` passes a signal on to its shell, which dies of it without telling us: mfano would go on, unseen, and
 * keep the port. (`exec` in the script would do on Unix, and break Windows.)
 */
function whenOrphaned(act: () => void): void {
  const parent = process.ppid
  const stop = everyRealMs(ORPHAN_CHECK_MS, () => {
    if (process.ppid === parent) return
    stop()
    act()
  })
}

/** What a failed start says: the reason and what to do, and a stack only when we do not know better. */
export function explain(error: unknown, { host, port, data }: Pick<Settings, 'host' | 'port' | 'data'>): string {
  if (!(error instanceof Error)) return String(error)
  const { code = '', hint, syscall } = error as { code?: string; hint?: unknown; syscall?: string }
  if (error.name === 'ScenarioError') return error.message
  if (typeof hint === 'string') return `${error.message}\n${hint}`
  if (code === 'EADDRINUSE')
    return `Port ${port} of ${host} is in use. Stop what listens there, or choose another port: --port ${port === 9090 ? 9091 : 9090} (--port 0 takes any free one).`
  if (code === 'EACCES' && syscall === 'listen')
    return `Port ${port} is reserved for the administrator. Choose one from 1024 on: --port 8080.`
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `This machine has no address ${host}. Choose one that it has: --host 127.0.0.1, or --host 0.0.0.0 for all of them.`
  if (['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST', 'ENOSPC', 'EDQUOT'].includes(code))
    return `The data directory ${data} cannot be used (${error.message}). Choose another: --data ./data, or --data :memory: to keep nothing.`
  return `mfano could not start, and does not know why:\n${error.stack ?? error.message}`
}

function fail(message: string, exitCode: number): void {
  process.stderr.write(`mfano: ${message}\n`)
  process.exitCode = exitCode
}
