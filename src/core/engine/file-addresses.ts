/**
 * Where the callbacks of a world go that came as a file: an address in it belongs to somebody elsewhere, and is told
 * nothing before an operator has said where that goes now.
 */
import { inboxAddress, originOf } from '../model/inbox-address.ts'
import type { Meta } from '../store/meta-table.ts'

const KEY = 'callback-routes'

/** What was said of the addresses of a file, by their origins: `https://shop.example`. */
export interface CallbackRoutes {
  /** Nothing goes there. */
  held: readonly string[]
  /** What was for one goes to another: the beginning of an address, in the place of an origin. */
  rewritten: readonly { from: string; to: string }[]
  /** Worlds whose inboxes are this one's own: their addresses are nobody else's. */
  inboxesOf: readonly string[]
}

/** What was said; undefined where no file ever brought an address. */
export function callbackRoutes({ meta }: { meta: Meta }): CallbackRoutes | undefined {
  return meta.get<CallbackRoutes>(KEY)
}

export function keepCallbackRoutes({ meta }: { meta: Meta }, routes: CallbackRoutes): void {
  meta.set(KEY, routes)
}

/** Where a callback for an address goes, and whether it has to wait until somebody says so. */
export function route(routes: CallbackRoutes | undefined, url: string): { url: string; held: boolean } {
  if (!routes || isOwnInbox(routes, url)) return { url, held: false }
  const origin = originOf(url)
  const to = routes.rewritten.find(({ from }) => from === origin)?.to
  if (to !== undefined) return { url: to.replace(/\/$/, '') + url.slice(origin.length), held: false }
  return { url, held: routes.held.includes(origin) }
}

/** Whether an address is that of an inbox which came along. */
export function isOwnInbox({ inboxesOf }: Pick<CallbackRoutes, 'inboxesOf'>, url: string): boolean {
  const inbox = inboxAddress(url)
  return inbox !== undefined && inboxesOf.includes(inbox.world ?? 'default')
}
