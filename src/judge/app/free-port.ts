import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Below the ephemeral range. The app binds its port some time after it was found free, so a port of that range could be
 * assigned to another process in between.
 */
const FIRST = 20_000
const COUNT = 10_000
/** Distance between the first ports of two judging processes, so that they seldom try the same one. */
const APART = 101

/**
 * By port, what keeps it from all other judges of this machine: its namesake of UDP. An app binds its port some time after
 * it was found free, and another judge's app would then answer for it. The system frees it with the process.
 */
const held = new Map<number, Socket>()
let next = process.pid * APART

export async function freePort(): Promise<number> {
  for (let tried = 0; tried < COUNT; tried++) {
    const port = FIRST + (next++ % COUNT)
    if (held.has(port)) continue
    const socket = createSocket('udp4')
    held.set(port, socket)
    if ((await isHeldFor(socket, port)) && (await isFree(port))) return port
    returnPort(port)
  }
  throw new Error(`No port from ${FIRST} to ${FIRST + COUNT - 1} is free for the app.`)
}

export function returnPort(port: number): void {
  held.get(port)?.close()
  held.delete(port)
}

/** False where another judge holds it. Where there is no UDP, nobody does. */
function isHeldFor(socket: Socket, port: number): Promise<boolean> {
  socket.bind({ port, address: '127.0.0.1', exclusive: true }, () => socket.unref())
  return once(socket, 'listening').then(
    () => true,
    ({ code }) => code !== 'EADDRINUSE',
  )
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1')
  const isListening = await once(server, 'listening').then(
    () => true,
    () => false,
  )
  await new Promise((resolve) => server.close(resolve))
  return isListening
}
