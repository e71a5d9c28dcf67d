/** Copies of worlds, to try something without doing it. */
import { type Host, orClosed } from '../host.ts'
import { releaseBytes } from '../model/release-bytes.ts'
import { World } from '../world.ts'
import { resumeAs, takeImage } from '../world-image.ts'
import type { WorldFactoryOptions } from './world-factory.ts'

/** Larger worlds are refused: a copy takes memory and stops all other work for a moment. */
const COPY_MAX_BYTES = 64 * 1024 ** 2

/** In memory, with a stopped clock; close it. Refuses large worlds. `version`: mfano's. */
export function detachedCopy(
  world: World,
  host: Host,
  {
    databases,
    service,
    observer,
    version,
  }: Pick<WorldFactoryOptions, 'databases' | 'service' | 'observer'> & {
    version: string
  },
): World {
  const { id, core } = world
  const { scenario } = core
  const taken = takeImage(world, version, {}, COPY_MAX_BYTES)
  const sql = databases.draft(taken.image)
  releaseBytes(taken.image)
  return orClosed(sql, () => {
    resumeAs(sql, taken, { id, scenario, clock: { mode: 'frozen' }, sent: false, record: false }, host)
    return new World({
      id,
      service,
      sql,
      host,
      observer: { happened: () => {}, error: (error, doing) => observer(id).error(error, doing) },
      loadScenario: () => scenario,
    })
  })
}
