/** Serves a replayed world on this machine. */
import { packWorld } from '../../../core/world-file.ts'
import { takeImage } from '../../../core/world-image.ts'
import { silentLog } from '../../../hosts/node/log.ts'
import { packageVersion } from '../../../hosts/node/package.ts'
import { settingsOf } from '../../../hosts/node/settings.ts'
import { type RunningSimulator, startSimulator } from '../../../hosts/node/simulator.ts'
import type { Replay } from '../../../server/replay.ts'

/** A world that is served. */
export interface Served {
  baseUrl: string
  close(): Promise<void>
}

/** Serves it under the id that it had, with its clock standing. */
export async function serveWorld(replay: Replay, port: string): Promise<Served> {
  const simulator = await startSimulator(settingsOf({ port, data: ':memory:', log: 'off' }), silentLog)
  try {
    return { baseUrl: await putWorld(replay, simulator), close: () => simulator.close() }
  } catch (error) {
    await simulator.close()
    throw error
  }
}

/** Puts it as it is now into a simulator, under the id that it had, with its clock standing; gives its address. */
export async function putWorld({ world }: Replay, simulator: RunningSimulator): Promise<string> {
  const { clock } = world.core
  const nowUs = clock.now()
  clock.resume(nowUs)
  clock.set({ mode: 'frozen', nowUs })
  await simulator.worlds.putFile(world.id, await packWorld(takeImage(world, packageVersion())))
  return world.id === 'default' ? simulator.baseUrl : `${simulator.baseUrl}/w/${world.id}`
}
