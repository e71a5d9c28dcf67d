/** The worker in front of all worlds: hands each request to the object of its world. */
import { DEFAULT_WORLD, isName } from '../../world/names.ts'
import type { Bindings } from './bindings.ts'
import { worldOf } from './world-object.ts'

export { DirectoryObject } from './directory-object.ts'
export { WorldObject } from './world-object.ts'

export default {
  fetch(request: Request, { WORLDS }: Bindings): Promise<Response> {
    const id = worldOf(new URL(request.url))
    // What no world can be called is for the default one to refuse, so that no object is made of it.
    return WORLDS.get(WORLDS.idFromName(isName(id) ? id : DEFAULT_WORLD)).fetch(request)
  },
}
