/** Copies of worlds in which something is tried that is not to happen. */
import { type Host, orClosed } from '../host.ts'
import { releaseBytes } from '../model/release-bytes.ts'
import { World } from '../world.ts'
import { resumeAs, take } from '../world-image.ts'
import type { WorldFactoryOptions } from './world-factory.ts'

/** What is copied just to be looked at takes memory and a moment of everybody's time. */
const COPY_MAX_BYTES = 64 * 1024 ** 2

/**
 * A copy of a world as it is now, in memory and known to nobody, whose clock stands; to be closed. Refuses worlds that
 * are too large to be copied just to see what would happen. `version`: of this mfano.
 */
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
  const taken = take(world, version, {}, COPY_MAX_BYTES)
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
