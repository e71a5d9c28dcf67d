/** A mfano that a judge starts for its own worlds: in memory, on a free port, and gone when the judge is done. */
import { silentLog } from '../../hosts/node/log.ts'
import { settingsOf } from '../../hosts/node/settings.ts'
import { type RunningSimulator, startSimulator } from '../../hosts/node/simulator.ts'

/** `worlds`: so many are open at a time. `tls`: it speaks HTTPS too. */
export async function withOwnServer<Result>(
  worlds: number,
  work: (simulator: RunningSimulator) => Promise<Result>,
  { tls }: { tls: boolean } = { tls: false },
): Promise<Result> {
  const settings = settingsOf({ port: '0', data: ':memory:', log: 'off', tls: String(tls) })
  const openWorlds = Math.max(settings.openWorlds, worlds + 1)
  const simulator = await startSimulator({ ...settings, openWorlds }, silentLog)
  try {
    return await work(simulator)
  } finally {
    await simulator.close()
  }
}
