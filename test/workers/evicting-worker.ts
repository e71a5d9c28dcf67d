/** The worker, with a door by which a test takes an object's memory from it, as the platform does at any time. */
import unsafe from 'workerd:unsafe'
import type { Bindings } from '../../src/hosts/workers/bindings.ts'
import worker from '../../src/worker.ts'

// The classes of the objects.
export * from '../../src/worker.ts'

export default {
  /** `POST /evict/{world}`: puts away an object that is idle. `POST /abort`: ends all, whatever they are at. */
  async fetch(request: Request, env: Bindings): Promise<Response> {
    const [, deed, world = ''] = new URL(request.url).pathname.split('/')
    if (deed === 'evict') await unsafe.evict(env.WORLDS.get(env.WORLDS.idFromName(world)))
    else if (deed === 'abort') await unsafe.abortAllDurableObjects()
    else return worker.fetch(request, env)
    return new Response('done')
  },
}
