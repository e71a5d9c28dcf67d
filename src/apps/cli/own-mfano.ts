/** Work of a command that goes on until it is done, or Ctrl-C ends it. */
import { silentLog } from '../../hosts/node/log.ts'
import { settingsOf } from '../../hosts/node/settings.ts'
import { type RunningSimulator, startSimulator } from '../../hosts/node/simulator.ts'

/** @param reason what the work fails with when it is interrupted */
export async function untilInterrupted<T>(work: (signal: AbortSignal) => Promise<T>, reason?: Error): Promise<T> {
  const interruption = new AbortController()
  const interrupted = () => interruption.abort(reason)
  process.once('SIGINT', interrupted).once('SIGTERM', interrupted)
  try {
    return await work(interruption.signal)
  } finally {
    process.off('SIGINT', interrupted).off('SIGTERM', interrupted)
  }
}

/** Works in a mfano of its own, at a free port and in memory. `worlds`: so many are open at once. */
export async function inOwnMfano<T>(
  worlds: number,
  work: (simulator: RunningSimulator, signal: AbortSignal) => Promise<T>,
  reason?: Error,
): Promise<T> {
  const settings = settingsOf({ port: '0', data: ':memory:', log: 'off' })
  const openWorlds = Math.max(settings.openWorlds, worlds)
  const simulator = await startSimulator({ ...settings, openWorlds }, silentLog)
  try {
    return await untilInterrupted((signal) => work(simulator, signal), reason)
  } finally {
    await simulator.close()
  }
}
