/** The host of worlds in a Node process: real time, timers, and the network. */
import type { Host } from '../../../core/host.ts'
import { isLoopback } from '../../../core/model/attempt.ts'
import { inContainer } from '../callbacks/place.ts'
import { connectionsFrom } from '../callbacks/post.ts'
import { alarmRealMs, atNextTurn, steadyNowUs } from '../wall.ts'
import { lackOfDescriptors } from './descriptors.ts'
import { hashPassword, verifyPassword } from './password.ts'

export type RealTime = Pick<Host, 'wallUs' | 'alarm'>

const processTime: RealTime = {
  wallUs: steadyNowUs,
  alarm: alarmRealMs,
}

export function nodeHost({
  callbackHost,
  realTime = processTime,
}: {
  callbackHost?: string | undefined
  realTime?: RealTime | undefined
}): Host & { listens(baseUrl: string): void } {
  const place = { container: inContainer(), callbackHost }
  const { promise: ownBaseUrl, resolve } = Promise.withResolvers<string>()
  let here: URL | undefined
  return {
    ...realTime,
    defer: atNextTurn,
    connections: () => connectionsFrom(place, realTime),
    ownBaseUrl: () => ownBaseUrl,
    isHere: (address) => here !== undefined && callbackHost === undefined && isSame(address, here),
    listens: (baseUrl) => {
      here = new URL(baseUrl)
      resolve(baseUrl)
    },
    // Loaded when somebody looks, as it takes TLS along.
    reach: { place, probe: async (...given) => (await import('../callbacks/probe.ts')).probe(...given) },
    lack: lackOfDescriptors,
    hashPassword,
    verifyPassword,
  }
}

function isSame(one: URL, other: URL): boolean {
  if (one.protocol !== other.protocol || one.port !== other.port) return false
  return one.hostname === other.hostname || (one.hostname === 'localhost' && isLoopback(other.hostname))
}
