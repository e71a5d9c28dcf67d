/** The TCP connection that a request came by, also where TLS is spoken on it. */
import type { Socket } from 'node:net'

/** The TCP connection under a TLS one; any other is its own. */
export function rawSocketOf(socket: Socket): Socket {
  const own: Socket & { _parent?: Socket | null } = socket
  return own._parent ?? socket
}
