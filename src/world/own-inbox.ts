/** Addresses of inboxes: in a copy of a world, one of the original's is the copy's own. */
import { inboxAddress } from '../callbacks/inbox-address.ts'
import { DEFAULT_WORLD } from './names.ts'

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
