import type { buildConnector } from 'undici'

type Connector = buildConnector.connector

/**
 * Knows to which origins a connection stands, so that one that was never made can be told from an answer that did not
 * come. Costs nothing per request.
 */
export function followConnections(connector: Connector): { connect: Connector; isOpen(origin: string): boolean } {
  const open = new Map<string, number>()
  const count = (origin: string, change: number) => {
    const now = (open.get(origin) ?? 0) + change
    if (now > 0) open.set(origin, now)
    else open.delete(origin)
  }
  return {
    isOpen: (origin) => open.has(origin),
    connect: (options, callback) =>
      connector(options, (...result) => {
        const [, socket] = result
        const { protocol, hostname, port } = options
        if (socket) {
          const { origin } = new URL(`${protocol}//${hostname}:${port}`)
          count(origin, 1)
          socket.once('close', () => count(origin, -1))
        }
        callback(...result)
      }),
  }
}
