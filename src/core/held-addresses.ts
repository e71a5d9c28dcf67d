/** Addresses that an imported world file brought: which callbacks are held, and which go elsewhere. */
import type { Core } from './core.ts'
import { type CallbackRoutes, callbackRoutes, route } from './engine/file-addresses.ts'
import { originOf } from './model/inbox-address.ts'

export interface FileAddress {
  /** Scheme, host and port. */
  address: string
  /** Callbacks that are stored and held. */
  waiting: number
  /** Open payments that may still create one. */
  coming: number
}

export interface FileAddresses {
  held: FileAddress[]
  rewritten: { from: string; to: string }[]
}

export interface FileCallbacks {
  all: boolean
  rewritten: readonly { from: string; to: string }[]
}
export const ALL_AS_THEY_ARE: FileCallbacks = { all: true, rewritten: [] }

export function* fileAddresses({ store }: Pick<Core, 'store'>): Generator<void, FileAddresses> {
  const routes = callbackRoutes(store)
  if (!routes) return { held: [], rewritten: [] }
  const waiting = tally(routes, store.callbacks.heldBack())
  const coming = tally(routes, yield* store.payments.toBeTold())
  const held = routes.held.map((address) => ({
    address,
    waiting: waiting.get(address) ?? 0,
    coming: coming.get(address) ?? 0,
  }))
  return { held, rewritten: routes.rewritten.map(({ from, to }) => ({ from, to })) }
}

function tally(routes: CallbackRoutes, all: Iterable<{ url: string; times?: number }>): Map<string, number> {
  const times = new Map<string, number>()
  for (const one of all) {
    if (!route(routes, one.url).held) continue
    const address = originOf(one.url)
    times.set(address, (times.get(address) ?? 0) + (one.times ?? 1))
  }
  return times
}
