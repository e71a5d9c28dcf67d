/** The host of worlds in a Node process: real time, timers, and the network. */
import type { SecureContext } from 'node:tls'
import type { Host } from '../../../core/host.ts'
import { isLoopback } from '../../../core/model/callback.ts'
import { connectionsFrom, inContainer } from '../callbacks/post.ts'
import { lackOfDescriptors } from '../storage/storage-errors.ts'
import { alarmRealMs, atNextTurn, steadyNowUs } from '../wall.ts'

export type RealTime = Pick<Host, 'wallUs' | 'alarm'>

const processTime: RealTime = {
  wallUs: steadyNowUs,
  alarm: alarmRealMs,
}

/** `trust`: the authorities that receivers may have certificates of; undefined where these are Node's. */
export function nodeHost({
  callbackHost,
  realTime = processTime,
  trust,
}: {
  callbackHost?: string | undefined
  realTime?: RealTime | undefined
  trust?: () => Promise<SecureContext | undefined>
}): Host & { listens(baseUrl: string, protocols: readonly string[]): void } {
  const place = { container: inContainer(), callbackHost }
  const { promise: ownBaseUrl, resolve } = Promise.withResolvers<string>()
  let here: { address: URL; protocols: readonly string[] } | undefined
  return {
    ...realTime,
    defer: atNextTurn,
    connections: () => connectionsFrom(place, realTime, trust),
    ownBaseUrl: () => ownBaseUrl,
    isHere: (address) => here !== undefined && callbackHost === undefined && isSame(address, here),
    listens: (baseUrl, protocols) => {
      here = { address: new URL(baseUrl), protocols }
      resolve(baseUrl)
    },
    // Loaded when somebody looks, as it takes TLS along.
    reach: {
      place,
      probe: async (...given) => (await import('../callbacks/probe.ts')).probe(...given, await trust?.()),
    },
    lack: lackOfDescriptors,
  }
}

function isSame(one: URL, { address: other, protocols }: { address: URL; protocols: readonly string[] }): boolean {
  if (!protocols.includes(one.protocol) || one.port !== other.port) return false
  return one.hostname === other.hostname || (one.hostname === 'localhost' && isLoopback(other.hostname))
}
