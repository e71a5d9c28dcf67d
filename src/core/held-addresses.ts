/** Addresses that a world file brought: what is held for each, and what goes elsewhere. */
import type { Core } from './core.ts'
import { type CallbackRoutes, callbackRoutes, route } from './engine/file-addresses.ts'
import { originOf } from './model/inbox-address.ts'

/** What was held for an address of a file, and where it goes now. */
export interface FileAddress {
  /** Scheme, host and port. */
  address: string
  /** Callbacks that were written and wait. */
  waiting: number
  /** Payments that may still write one. */
  coming: number
}

/** What nobody has spoken of yet, and what was said of the others. */
export interface FileAddresses {
  held: FileAddress[]
  /** What was for one address goes to another. */
  rewritten: { from: string; to: string }[]
}

/** What becomes of the callbacks to addresses of a file: all go as they are, or none but those that are rewritten. */
export interface FileCallbacks {
  all: boolean
  rewritten: readonly { from: string; to: string }[]
}
export const ALL_AS_THEY_ARE: FileCallbacks = { all: true, rewritten: [] }

/** The addresses of a file, with what is due to each. */
export function fileAddresses({ store }: Pick<Core, 'store'>): FileAddresses {
  const routes = callbackRoutes(store)
  if (!routes) return { held: [], rewritten: [] }
  const waiting = tally(routes, store.callbacks.heldBack())
  const coming = tally(routes, store.payments.toBeTold())
  const held = routes.held.map((address) => ({
    address,
    waiting: waiting.get(address) ?? 0,
    coming: coming.get(address) ?? 0,
  }))
  return { held, rewritten: routes.rewritten.map(({ from, to }) => ({ from, to })) }
}

/** How many go to each address that is held. */
function tally(routes: CallbackRoutes, all: Iterable<{ url: string; times?: number }>): Map<string, number> {
  const times = new Map<string, number>()
  for (const one of all) {
    if (!route(routes, one.url).held) continue
    const address = originOf(one.url)
    times.set(address, (times.get(address) ?? 0) + (one.times ?? 1))
  }
  return times
}
