/** Holds the callbacks of a world that came as a file, so that an import cannot POST to somebody's server. */
import { type CallbackRoutes, callbackRoutes, isOwnInbox, keepCallbackRoutes } from '../engine/file-addresses.ts'
import { originOf } from '../model/inbox-address.ts'
import { Refusal } from '../model/refusal.ts'
import type { Sql } from '../sql.ts'
import { holdBack, waitingIn } from '../store/addresses.ts'
import { Meta } from '../store/meta-table.ts'

export interface Hold {
  /** All addresses in the file. */
  found: readonly string[]
  /** Addresses that must be among them. */
  spokenOf: readonly string[]
}

/**
 * Holds waiting and future callbacks until somebody confirms the address. The world's own inboxes came with it and are
 * not held.
 * @param formerIds worlds whose inboxes are its own
 */
export function holdCallbacks(draft: Sql, formerIds: readonly string[], { found, spokenOf }: Hold): void {
  const meta = new Meta(draft)
  const before = callbackRoutes({ meta })
  const own = { inboxesOf: formerIds }
  const urls = found.filter((url) => !isOwnInbox(own, url))
  const held = [...new Set([...(before?.held ?? []), ...urls.map(originOf)])].sort()
  const unknown = spokenOf.find((address) => !held.includes(originOf(address)))
  if (unknown !== undefined) throw badAddress(unknown, held)
  if (held.length === 0) return
  keepCallbackRoutes({ meta }, { ...own, held, rewritten: before?.rewritten ?? [] } satisfies CallbackRoutes)
  const waiting = waitingIn(draft).filter(({ url }) => !isOwnInbox(own, url) && held.includes(originOf(url)))
  holdBack(
    draft,
    waiting.map(({ id }) => id),
  )
}

function badAddress(address: string, held: readonly string[]): Refusal {
  const there = held.length === 0 ? 'has none' : `has ${held.join(', ')}`
  return new Refusal('INVALID_FIELD', `callbacks: the file has no address at ${originOf(address)}; it ${there}.`)
}
