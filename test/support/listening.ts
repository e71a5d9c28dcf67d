/** Servers of a test, each gone with it. */
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo, Server, Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** What takes the end of a server: of the test that is running, unless another way is given. */
type Gone = (close: () => Promise<void>) => unknown

/** Listens at a free port of the loopback, and gives the port. */
export async function listening(server: Server, gone: Gone = onTestFinished): Promise<number> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
  })
  gone(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((closed) => server.close(closed))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

/** An HTTP server; gives its address. */
export async function serving(answer: RequestListener, gone?: Gone): Promise<string> {
  return `http://127.0.0.1:${await listening(createServer(answer), gone)}`
}
