/** The outside of a world in a Durable Object. */
import type { Host } from '../../world/host.ts'
import { hashPassword, verifyPassword } from '../node/password.ts'
import { sendBy } from './fetch-post.ts'

/** Real time, timers and the network of an object. What must outlive it is the object's alarm (`world-object.ts`). `ask`: see `sendBy`. */
export function workersHost(ask: typeof fetch, callbackHost: string | undefined): Host {
  const send = sendBy(ask, callbackHost)
  return {
    wallUs: () => Date.now() * 1000,
    defer: (work) => {
      setTimeout(work, 0)
    },
    alarm: (afterMs, ring) => {
      const timer = setTimeout(ring, afterMs)
      return () => clearTimeout(timer)
    },
    connections: () => ({ send, close: () => {} }),
    hashPassword,
    verifyPassword,
  }
}
