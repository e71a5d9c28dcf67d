import { DEFAULT_WORLD, isWorldName } from '../core/new-world.ts'
import type { Bindings } from '../hosts/workers/bindings.ts'
import { WorldObjectBase, worldOf } from '../hosts/workers/world-object.ts'
import type { AnswerAgent } from '../server/front-ports.ts'
import { answerAgent } from './mcp/mcp-server.ts'

export { DirectoryObject } from '../hosts/workers/directory-object.ts'

export class WorldObject extends WorldObjectBase {
  protected override answerAgent(...asked: Parameters<AnswerAgent>): Promise<Response> {
    return answerAgent(...asked)
  }
}

export default {
  fetch(request: Request, { WORLDS }: Bindings): Promise<Response> {
    const id = worldOf(new URL(request.url))
    // Names that no world can have go to the default one, which refuses them: no object is made of them.
    return WORLDS.get(WORLDS.idFromName(isWorldName(id) ? id : DEFAULT_WORLD)).fetch(request)
  },
}
