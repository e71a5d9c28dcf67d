/** Tells the port of a server that a judge opened. */
import type { Server } from 'node:net'

/** Throws where the server does not listen on one. */
export function portOf(server: Pick<Server, 'address'>): number {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server does not listen on a port.')
  return address.port
}
