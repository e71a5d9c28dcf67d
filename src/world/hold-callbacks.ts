/** Holds the callbacks of a world that came as a file, before anything of it is sent. */
import {
  type CallbackRoutes,
  callbackRoutes,
  isOwnInbox,
  keepCallbackRoutes,
  originOf,
} from '../engine/callback-routes.ts'
import { openStates } from '../lifecycle/lifecycle.ts'
import { Refusal } from '../model/refusal.ts'
import { LANE } from '../store/agenda-table.ts'
import { Meta } from '../store/meta-table.ts'
import type { Sql } from '../store/sql.ts'

/**
 * Nothing is sent to the addresses that are in a file until somebody says where that goes now: no callback that waits in
 * it, and none that is yet to be written. Inboxes of its own worlds came along, and are told as before.
 * @param formerIds worlds whose inboxes are its own
 * @param spokenOf addresses that must be among them
 */
export function holdCallbacks(draft: Sql, formerIds: readonly string[], spokenOf: readonly string[]): void {
  const meta = new Meta(draft)
  const before = callbackRoutes({ meta })
  const own = { inboxesOf: formerIds }
  const urls = addressesIn(draft).filter((url) => !isOwnInbox(own, url))
  const held = [...new Set([...(before?.held ?? []), ...urls.map(originOf)])].sort()
  const unknown = spokenOf.find((address) => !held.includes(originOf(address)))
  if (unknown !== undefined) throw badAddress(unknown, held)
  if (held.length === 0) return
  keepCallbackRoutes({ meta }, { ...own, held, rewritten: before?.rewritten ?? [] } satisfies CallbackRoutes)
  const waiting = waitingIn(draft).filter(({ url }) => !isOwnInbox(own, url) && held.includes(originOf(url)))
  const hold = draft.prepare(
    `UPDATE callback SET due_at_us = NULL, due_seq = NULL, due_event = NULL,
       state = CASE WHEN state = 'pending' THEN 'held' ELSE state END WHERE id = ?`,
  )
  const forget = draft.prepare(`DELETE FROM agenda WHERE lane = ${LANE.deliveries} AND subject = ?`)
  for (const { id } of waiting) {
    hold.run(id)
    forget.run(id)
  }
}

function badAddress(address: string, held: readonly string[]): Refusal {
  const there = held.length === 0 ? 'has none' : `has ${held.join(', ')}`
  return new Refusal('INVALID_FIELD', `callbacks: the file has no address at ${originOf(address)}; it ${there}.`, {
    message: 'Invalid field',
  })
}

/** Where something waits to be sent, or may be one day. */
function addressesIn(draft: Sql): string[] {
  const open = openStates.map((state) => `'${state}'`).join(', ')
  return draft
    .prepare<{ url: string }>(
      `SELECT url FROM callback WHERE state IN ('pending', 'held')
       UNION SELECT doc ->> '$.callbackUrl' FROM payment WHERE due_at_us IS NOT NULL OR status IN (${open})
       UNION SELECT collection_callback_url FROM organisation`,
    )
    .all()
    .map(({ url }) => url)
    .filter((url) => url !== null)
}

/** Callbacks of which something is due, copies and what was asked for by hand among it. */
function waitingIn(draft: Sql): { id: number; url: string }[] {
  return draft
    .prepare<{ id: number; url: string }>(
      `SELECT id, url FROM callback WHERE due_at_us IS NOT NULL OR state IN ('pending', 'held')
         OR id IN (SELECT subject FROM agenda WHERE lane = ${LANE.deliveries})`,
    )
    .all()
}
