/** Finds free ports for apps under test, outside the range that systems assign by themselves. */
import { createServer } from 'node:net'
import { threadId } from 'node:worker_threads'

/**
 * Below the ephemeral range. The app binds its port some time after it was found free, so a port of that range could be
 * assigned to another process in between.
 */
const FIRST = 20_000
const COUNT = 10_000
/** Distance between the first ports of two judging processes or threads, so that they seldom try the same one. */
const APART = 101
const THREADS_APART = 1_500

/** Ports in use by this thread, so that two parallel apps never get the same. */
const given = new Set<number>()
let next = process.pid * APART + threadId * THREADS_APART

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
