/** Lets a gate see every request and callback between worlds and their app. */
import type { HttpBindings } from '@hono/node-server'
import type { Gate, Host, Post } from '../../../core/host.ts'

type Fetch = (request: Request, bindings: object) => Response | Promise<Response>

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

export function guardedHost<H extends Host>(host: H, gate: Gate | undefined): H {
  if (!gate) return host
  const connections = () => {
    const { send, close } = host.connections()
    return { send: (post: Post) => gate.callback(post, send), close }
  }
  return { ...host, connections, isHere: () => false }
}
