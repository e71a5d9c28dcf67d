/** Addresses of inboxes. */

/** `/w/shop/_mfano/inbox/payroll`; without a world it is the default one's. */
const INBOX = /(?:\/w\/([^/]+))?(\/_mfano\/inbox\/[^/]+)$/

/** Names that inboxes may have. */
export const INBOX_NAME = /^[\w.-]{1,64}$/

/** An inbox, taken apart: `root` is the base URL of its server, `path` stands behind that of its world. */
export interface InboxAddress {
  root: string
  /** Undefined: the default one. */
  world: string | undefined
  path: string
}

/** The inbox that an address is of; undefined where it is of none. */
export function inboxAddress(url: string): InboxAddress | undefined {
  const target = URL.parse(url)
  const match = target && INBOX.exec(target.pathname)
  if (!match) return undefined
  const root = target.origin + target.pathname.slice(0, match.index)
  return { root, world: match[1], path: `${match[2]}${target.search}` }
}

/** The scheme, host and port of an address; the address itself where it has none. */
export function originOf(url: string): string {
  return URL.parse(url)?.origin ?? url
}
