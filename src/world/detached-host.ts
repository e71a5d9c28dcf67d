/** The outside of a world that nobody sees: no real time passes in it, and nothing leaves it. */
import type { PostResult } from './delivery.ts'
import type { Host } from './host.ts'

/** Alarms ring at once, and every callback gets the same answer. `wallUs`: real time, in which it stands. */
export function detachedHost(wallUs: number, answer: PostResult = { status: 200, body: '', tookMs: 0 }): Host {
  let nowUs = wallUs
  return {
    wallUs: () => nowUs,
    defer: (work) => queueMicrotask(work),
    alarm: (afterMs, ring) => {
      let cancelled = false
      queueMicrotask(() => {
        if (cancelled) return
        nowUs += afterMs * 1000
        ring()
      })
      return () => {
        cancelled = true
      }
    },
    connections: () => ({ send: async () => answer, close: () => {} }),
    hashPassword: async (password) => password,
    verifyPassword: async (password, hashed) => password === hashed,
  }
}
