/** Addresses in a world's database, with the callbacks that go there. */
import type { Draft } from '../host.ts'
import { LANE } from '../model/due.ts'
import type { Sql } from '../sql.ts'

/** `open`: the names of states in which a payment is under way. */
export async function addressesIn(ask: Draft['ask'], open: readonly string[]): Promise<string[]> {
  const rows = await ask<{ url: string | null }>(
    `SELECT url FROM callback WHERE state IN ('pending', 'held')
     UNION SELECT asked ->> '$.callbackUrl' FROM payment
       WHERE due_at_us IS NOT NULL OR status IN (${open.map((state) => `'${state}'`).join(', ')})
     UNION SELECT collection_callback_url FROM organisation`,
  )
  return rows.flatMap(({ url }) => url ?? [])
}

export function waitingIn(sql: Sql): { id: number; url: string }[] {
  return sql
    .prepare<{ id: number; url: string }>(
      `SELECT id, url FROM callback WHERE due_at_us IS NOT NULL OR state IN ('pending', 'held')
         OR id IN (SELECT subject FROM agenda WHERE lane = ${LANE.deliveries})`,
    )
    .all()
}

export function holdBack(sql: Sql, ids: readonly number[]): void {
  const hold = sql.prepare(
    `UPDATE callback SET due_at_us = NULL, due_seq = NULL, due_event = NULL,
       state = CASE WHEN state = 'pending' THEN 'held' ELSE state END WHERE id = ?`,
  )
  const forget = sql.prepare(`DELETE FROM agenda WHERE lane = ${LANE.deliveries} AND subject = ?`)
  for (const id of ids) {
    hold.run(id)
    forget.run(id)
  }
}
