/** The host of worlds in a Node process: real time, timers, and the network. */
import type { SecureContext } from 'node:tls'
import type { Host } from '../../../core/host.ts'
import { isLoopback, type Place } from '../../../core/model/callback.ts'
import { connectionsFrom, inContainer } from '../callbacks/post.ts'
import { lackOfDescriptors } from '../storage/storage-errors.ts'
import { afterRealMs, alarmRealMs, atNextTurn, steadyNowUs } from '../wall.ts'

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
  const place: Place = { container: inContainer(), callbackHost }
  const { promise: ownBaseUrl, resolve } = Promise.withResolvers<string>()
  let spoken: readonly string[] = []
  return {
    ...realTime,
    defer: atNextTurn,
    connections: () => connectionsFrom(place, realTime, trust),
    ownBaseUrl: () => ownBaseUrl,
    isHere: (address) => place.own !== undefined && spoken.includes(address.protocol) && isSame(address, place.own),
    listens: (baseUrl, protocols) => {
      place.own = new URL(baseUrl)
      spoken = protocols
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

function isSame(one: URL, other: URL): boolean {
  if (one.port !== other.port) return false
  return one.hostname === other.hostname || (one.hostname === 'localhost' && isLoopback(other.hostname))
}

const LOOKED_UP_MS = 1000

/**
 * The host that replaces localhost in callback URLs. One name is taken as it is, because it may become known later. Of
 * several, it is the first that resolves now.
 */
export async function callbackHostOf(setting: string | undefined): Promise<string | undefined> {
  const names = setting?.split(',').map((name) => name.trim()) ?? []
  if (names.length < 2) return names[0]
  const { lookup } = await import('node:dns/promises')
  const late = new Promise<boolean>((resolve) => afterRealMs(LOOKED_UP_MS, () => resolve(false)))
  const resolves = (name: string) =>
    lookup(name).then(
      () => true,
      () => false,
    )
  const known = await Promise.all(names.map((name) => Promise.race([resolves(name), late])))
  return names.find((_, i) => known[i])
}
