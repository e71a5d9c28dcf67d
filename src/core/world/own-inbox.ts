/** Redirects inbox addresses of a copied world, so that a copy does not write to its original's inboxes. */
import type { Host } from '../host.ts'
import { INBOX_NAME, inboxAddress } from '../model/inbox-address.ts'
import { DEFAULT_WORLD } from '../model/world-name.ts'

const INBOX_PATH = '/_mfano/inbox/'

export interface Copy {
  id: string
  formerIds: readonly string[]
}

/**
 * The copy's inbox of the same name; undefined for other addresses. Ignores the host, because the copy may run
 * elsewhere.
 * @param base where this server answers; the server of the address when nobody knows
 */
export function ownInbox(url: string, { id, formerIds }: Copy, base: string | undefined): URL | undefined {
  const inbox = inboxAddress(url)
  if (!inbox || !formerIds.includes(inbox.world ?? DEFAULT_WORLD)) return undefined
  return URL.parse(`${base ?? inbox.root}/w/${id}${inbox.path}`) ?? undefined
}

/** The name of an own inbox that needs no network and sets nothing by its query; otherwise undefined. */
export function inboxHere(url: string, world: string, host: Pick<Host, 'isHere'>): string | undefined {
  // Most callbacks go to apps.
  const inbox = url.includes(INBOX_PATH) ? inboxAddress(url) : undefined
  if (!inbox || (inbox.world ?? DEFAULT_WORLD) !== world) return undefined
  const root = URL.parse(inbox.root)
  if (root?.pathname !== '/' || !host.isHere?.(root)) return undefined
  const name = inbox.path.slice(INBOX_PATH.length)
  return INBOX_NAME.test(name) ? name : undefined
}
