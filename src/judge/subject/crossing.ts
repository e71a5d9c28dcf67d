/** The gate of a judge's mfano: finds the run that a request or a callback belongs to. */
import type { Gate, Post, PostResult, Send } from '../../core/host.ts'

/** A request on its way. */
export interface PassingRequest {
  method: string
  path: string
  answer(): Response | Promise<Response>
  over(): Promise<void>
}

/** One run's side of the gate. */
interface Lane {
  request(passing: PassingRequest): Promise<Response>
  callback(post: Post, send: Send): Promise<PostResult>
}

/** Lanes by world and by the ports that an app listens on. */
export class Crossing implements Gate {
  readonly #byWorld = new Map<string, Lane>()
  readonly #byPort = new Map<string, Lane>()

  serve(world: string, lane: Lane): void {
    this.#byWorld.set(world, lane)
  }

  listen(ports: readonly number[], lane: Lane): void {
    for (const port of ports) this.#byPort.set(String(port), lane)
  }

  close(lane: Lane): void {
    for (const lanes of [this.#byWorld, this.#byPort])
      for (const [name, one] of lanes) if (one === lane) lanes.delete(name)
  }

  request: Gate['request'] = (request, answer, over) => {
    const [, world = 'default', path = '/'] = /^\w+:\/\/[^/]+(?:\/w\/([^/?]+))?(.*)$/.exec(request.url) ?? []
    const lane = path.startsWith('/_mfano') ? undefined : this.#byWorld.get(world)
    return lane ? lane.request({ method: request.method, path, answer, over }) : answer()
  }

  callback: Gate['callback'] = (post, send) => {
    const lane = this.#byPort.get(URL.parse(post.url)?.port ?? '')
    return lane ? lane.callback(post, send) : send(post)
  }
}
