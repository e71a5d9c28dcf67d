/** The gate of an explorer's mfano: finds the run that a request or a callback belongs to. */
import type { Gate } from '../../core/host.ts'
import type { ScheduleLane } from './lane.ts'

/** Lanes by world and by the ports that an app listens on. */
export class Crossing implements Gate {
  readonly #byWorld = new Map<string, ScheduleLane>()
  readonly #byPort = new Map<string, ScheduleLane>()

  serve(world: string, lane: ScheduleLane): void {
    this.#byWorld.set(world, lane)
  }

  listen(ports: readonly number[], lane: ScheduleLane): void {
    for (const port of ports) this.#byPort.set(String(port), lane)
  }

  close(lane: ScheduleLane): void {
    for (const lanes of [this.#byWorld, this.#byPort])
      for (const [name, one] of lanes) if (one === lane) lanes.delete(name)
  }

  request: Gate['request'] = (request, answer, over) => {
    const [, world = '', path = '/'] = /^\w+:\/\/[^/]+\/w\/([^/?]+)(.*)$/.exec(request.url) ?? []
    const lane = path.startsWith('/_mfano') ? undefined : this.#byWorld.get(world)
    return lane ? lane.request({ method: request.method, path, answer, over }) : answer()
  }

  callback: Gate['callback'] = (post, send) => {
    const lane = this.#byPort.get(URL.parse(post.url)?.port ?? '')
    return lane ? lane.callback(post, send) : send(post)
  }
}
