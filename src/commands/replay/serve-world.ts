/** Serves a replayed world on this machine. */
import { silentLog } from '../../hosts/node/log/log.ts'
import { packageVersion } from '../../hosts/node/package.ts'
import { settingsOf } from '../../hosts/node/settings.ts'
import { startSimulator } from '../../hosts/node/simulator.ts'
import type { Replay } from '../../server/capsule/replay.ts'
import { packWorld } from '../../world/world-file.ts'
import { take } from '../../world/world-image.ts'

/** A world that is served. */
export interface Served {
  baseUrl: string
  close(): Promise<void>
}

/** Serves it under the id that it had, with its clock standing. */
export async function serveWorld({ world }: Replay, port: string): Promise<Served> {
  const { clock } = world.core
  const nowUs = clock.now()
  clock.resume(nowUs)
  clock.set({ mode: 'frozen', nowUs })
  const file = await packWorld(take(world, packageVersion()))
  const simulator = await startSimulator(settingsOf({ port, data: ':memory:', log: 'off' }), silentLog)
  try {
    await simulator.worlds.putFile(world.id, file)
  } catch (error) {
    await simulator.close()
    throw error
  }
  const baseUrl = world.id === 'default' ? simulator.baseUrl : `${simulator.baseUrl}/w/${world.id}`
  return { baseUrl, close: () => simulator.close() }
}
