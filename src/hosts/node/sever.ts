/** How the connection of one request is ended. */
import type { HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { Sever } from '../../http/env.ts'

/** The means to end the connection of one request, which the HTTP adapter itself never does. */
export function severer({ incoming, outgoing }: HttpBindings): Sever {
  const { socket } = incoming
  return async (how, part) => {
    if (part) {
      outgoing.writeHead(part.status, { ...part.headers, 'content-length': part.length })
      outgoing.flushHeaders()
      await new Promise<void>((written) => {
        outgoing.write(part.bytes, () => written())
      })
    }
    if (how === 'reset') socket.resetAndDestroy()
    else socket.destroy()
    return RESPONSE_ALREADY_SENT
  }
}
