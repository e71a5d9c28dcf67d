import type { AddressInfo, Server } from 'node:net'

/** Where a server listens that was given a host and a port. */
export function listeningAt(server: Pick<Server, 'address'>): AddressInfo {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server does not listen on a port.')
  return address
}
