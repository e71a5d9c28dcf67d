/** Ports for apps under test: free now, and not such as the system hands out to others a moment later. */
import { createServer } from 'node:net'

/**
 * Where they are taken from: below what systems hand out to whoever connects, or listens on port 0. The app binds its
 * port some time after it was found free; one of the system's own would be somebody else's by then now and again.
 */
const FIRST = 20_000
const COUNT = 10_000
/** Two processes begin far from each other, and so seldom ask for the same. */
const APART = 101

/** Ports that were given out: two apps that run beside each other never get the same. */
const given = new Set<number>()
let next = process.pid * APART

/** A port that nobody of this process has, and nobody listens on. Give it back with `returnPort`. */
export async function freePort(): Promise<number> {
  for (let tried = 0; tried < COUNT; tried++) {
    const port = FIRST + (next++ % COUNT)
    if (given.has(port)) continue
    given.add(port)
    if (await isFree(port)) return port
    given.delete(port)
  }
  throw new Error(`No port from ${FIRST} to ${FIRST + COUNT - 1} is free for the app.`)
}

/** Its app has ended. */
export function returnPort(port: number): void {
  given.delete(port)
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  const listening = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true))
  })
  await new Promise((resolve) => server.close(resolve))
  return listening
}
