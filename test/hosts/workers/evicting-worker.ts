/** The worker, with a door by which a test takes an object's memory from it, as the platform does at any time. */
import unsafe from 'workerd:unsafe'
import worker, { WorldObject as WorldOfApps } from '../../../src/apps/worker.ts'
import type { Bindings, ObjectState } from '../../../src/hosts/workers/bindings.ts'
import { directoryOf } from '../../../src/hosts/workers/object/object-worlds.ts'

export { DirectoryObject } from '../../../src/apps/worker.ts'

/** How often an object of a world came to life. */
let lives = 0

export class WorldObject extends WorldOfApps {
  constructor(ctx: ObjectState, env: Bindings) {
    super(ctx, env)
    lives++
  }
}

export default {
  /**
   * `POST /abort`: ends all objects, whatever they are at.
   * `POST /begin/{world}`: puts a world on the list and makes none, as an object that was ended between the two.
   * `POST /lives`: how often an object of a world came to life.
   */
  async fetch(request: Request, env: Bindings): Promise<Response> {
    const [, deed, world = ''] = new URL(request.url).pathname.split('/')
    if (deed === 'abort') await unsafe.abortAllDurableObjects()
    else if (deed === 'begin') await directoryOf(env).add(world)
    else if (deed === 'lives') return new Response(String(lives))
    else return worker.fetch(request, env)
    return new Response('done')
  },
}
