/** The worker in front of all worlds: hands each request to the object of its world. */
import { DEFAULT_WORLD } from '../../world/names.ts'
import type { Bindings } from './bindings.ts'

export { WorldObject } from './world-object.ts'

export default {
  fetch(request: Request, { WORLDS }: Bindings): Promise<Response> {
    const id = /^\/w\/([^/]+)/.exec(new URL(request.url).pathname)?.[1] ?? DEFAULT_WORLD
    return WORLDS.get(WORLDS.idFromName(id)).fetch(request)
  },
}
