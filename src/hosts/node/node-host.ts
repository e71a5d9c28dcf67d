/** The outside of a world in a Node process. */
import { performance } from 'node:perf_hooks'
import type { Host } from '../../world/host.ts'
import { hashPassword } from './password.ts'
import { inContainer } from './place.ts'
import { connectionsFrom } from './post.ts'
import { probe } from './probe.ts'

/** What a Node process hands to the worlds: real time, timers, and the network. */
export function nodeHost(options: { callbackHost?: string | undefined }): Host & { listens(baseUrl: string): void } {
  const place = { container: inContainer(), callbackHost: options.callbackHost }
  const { promise: ownBaseUrl, resolve: listens } = Promise.withResolvers<string>()
  return {
    wallUs: () => Math.floor((performance.timeOrigin + performance.now()) * 1000),
    defer: (work) => {
      setImmediate(work)
    },
    alarm: (afterMs, ring) => {
      const timer = setTimeout(ring, afterMs)
      return () => clearTimeout(timer)
    },
    connections: () => connectionsFrom(place),
    ownBaseUrl: () => ownBaseUrl,
    listens,
    reach: { place, probe },
    hashPassword,
  }
}
