/** Both edges of a simulator in somebody's hands: who decides when what passes between a world and its app goes through. */
import type { HttpBindings } from '@hono/node-server'
import type { Gate, Host, Post } from '../../../core/host.ts'

type Fetch = (request: Request, bindings: object) => Response | Promise<Response>

/** Has every request pass a gate. */
export function guarded(answer: Fetch, gate: Gate | undefined): Fetch {
  if (!gate) return answer
  return (request, bindings) =>
    gate.request(
      request,
      () => answer(request, bindings),
      () => overOf(bindings as HttpBindings),
    )
}

function overOf({ outgoing }: HttpBindings): Promise<void> {
  return new Promise((resolve) => {
    if (outgoing.closed) resolve()
    else outgoing.once('close', resolve)
  })
}

/** Has every callback pass a gate, those to an inbox of this process among them. */
export function guardedHost<H extends Host>(host: H, gate: Gate | undefined): H {
  if (!gate) return host
  const connections = () => {
    const { send, close } = host.connections()
    return { send: (post: Post) => gate.callback(post, send), close }
  }
  return { ...host, connections, isHere: () => false }
}
