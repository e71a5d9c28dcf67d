/** Starts an in-memory mfano on a free port for a judge, and stops it afterwards. */
import { silentLog } from '../../hosts/node/log.ts'
import { settingsOf } from '../../hosts/node/settings.ts'
import { type RunningSimulator, startSimulator } from '../../hosts/node/simulator.ts'

export async function withOwnServer<Result>(
  worlds: number,
  work: (simulator: RunningSimulator) => Promise<Result>,
  { tls }: { tls: boolean } = { tls: false },
): Promise<Result> {
  const settings = settingsOf({ port: '0', data: ':memory:', log: 'off', tls: String(tls) })
  const openWorlds = Math.max(settings.openWorlds, worlds + 1)
  const simulator = await startSimulator({ ...settings, openWorlds }, silentLog, { keepsBelow: true })
  try {
    return await work(simulator)
  } finally {
    await simulator.close()
  }
}
