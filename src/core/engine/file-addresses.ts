/**
 * Routes callbacks of an imported world. An address in its file may be a stranger's, so nothing is sent before an
 * operator confirms it.
 */
import { inboxAddress, originOf } from '../model/inbox-address.ts'
import type { Meta } from '../store/meta-table.ts'

const KEY = 'callback-routes'

/** Decisions about addresses of the file, by origin: `https://shop.example`. */
export interface CallbackRoutes {
  held: readonly string[]
  rewritten: readonly { from: string; to: string }[]
  /** Former worlds whose inboxes belong to this world. */
  inboxesOf: readonly string[]
}

export function callbackRoutes({ meta }: { meta: Meta }): CallbackRoutes | undefined {
  return meta.get<CallbackRoutes>(KEY)
}

export function keepCallbackRoutes({ meta }: { meta: Meta }, routes: CallbackRoutes): void {
  meta.set(KEY, routes)
}

export function route(routes: CallbackRoutes | undefined, url: string): { url: string; held: boolean } {
  if (!routes || isOwnInbox(routes, url)) return { url, held: false }
  const origin = originOf(url)
  const to = routes.rewritten.find(({ from }) => from === origin)?.to
  if (to !== undefined) return { url: to.replace(/\/$/, '') + url.slice(origin.length), held: false }
  return { url, held: routes.held.includes(origin) }
}

export function isOwnInbox({ inboxesOf }: Pick<CallbackRoutes, 'inboxesOf'>, url: string): boolean {
  const inbox = inboxAddress(url)
  return inbox !== undefined && inboxesOf.includes(inbox.world ?? 'default')
}
