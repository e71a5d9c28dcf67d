/** Addresses of inboxes. */

const INBOX = /(?:\/w\/([^/]+))?(\/_mfano\/inbox\/[^/]+)$/

export const INBOX_NAME = /^[\w.-]{1,64}$/

export interface InboxAddress {
  root: string
  world: string | undefined
  path: string
}

export function inboxAddress(url: string): InboxAddress | undefined {
  const target = URL.parse(url)
  const match = target && INBOX.exec(target.pathname)
  if (!match) return undefined
  const root = target.origin + target.pathname.slice(0, match.index)
  return { root, world: match[1], path: `${match[2]}${target.search}` }
}

export function originOf(url: string): string {
  return URL.parse(url)?.origin ?? url
}
