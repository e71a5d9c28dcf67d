/** Addresses of inboxes: in a copy of a world, one of the original's is the copy's own. */
import type { Host } from '../host.ts'
import { INBOX_NAME, inboxAddress } from '../model/inbox-address.ts'
import { DEFAULT_WORLD } from '../model/world-name.ts'

const INBOX_PATH = '/_mfano/inbox/'

/** A world, as far as addresses of inboxes can be its own. */
export interface Copy {
  id: string
  /** Of the worlds that it was copied of. */
  formerIds: readonly string[]
}

/**
 * Where a callback goes that is for an inbox of a world which this one was copied of: to the inbox of that name of its
 * own. Undefined for any other address. The host does not matter, because the copy may have come from elsewhere.
 * @param base where this server answers; the server of the address when nobody knows
 */
export function ownInbox(url: string, { id, formerIds }: Copy, base: string | undefined): URL | undefined {
  const inbox = inboxAddress(url)
  if (!inbox || !formerIds.includes(inbox.world ?? DEFAULT_WORLD)) return undefined
  return URL.parse(`${base ?? inbox.root}/w/${id}${inbox.path}`) ?? undefined
}

/**
 * The name of a world's own inbox that an address leads to without any network, and without asking for anything by its
 * query; undefined for any other address.
 */
export function inboxHere(url: string, world: string, host: Pick<Host, 'isHere'>): string | undefined {
  // Most callbacks go to apps.
  const inbox = url.includes(INBOX_PATH) ? inboxAddress(url) : undefined
  if (!inbox || (inbox.world ?? DEFAULT_WORLD) !== world) return undefined
  const root = URL.parse(inbox.root)
  if (root?.pathname !== '/' || !host.isHere?.(root)) return undefined
  const name = inbox.path.slice(INBOX_PATH.length)
  return INBOX_NAME.test(name) ? name : undefined
}
