/** Whether callbacks are found by their payments. */
import type { Sql } from '../../src/core/sql.ts'

/** Callbacks that are about a payment and cannot be found from its row, or that are and are about another. */
export function unfoundCallbacks(sql: Sql): string[] {
  const odd = sql
    .prepare<{ what: string }>(
      `SELECT 'callback ' || id || ' names ' || coalesce(previous_id, 'none') || ' before it, and not ' || coalesce(previous, 'none') AS what
       FROM (SELECT id, previous_id, CASE WHEN payment_seq IS NOT NULL THEN lag(id) OVER (PARTITION BY payment_seq ORDER BY id) END AS previous
         FROM callback)
       WHERE previous_id IS NOT previous
       UNION ALL
       SELECT 'payment ' || seq || ' names callback ' || coalesce(last_callback_id, 'none') || ', and not ' || coalesce(newest.id, 'none')
       FROM payment LEFT JOIN (SELECT payment_seq, max(id) AS id FROM callback GROUP BY payment_seq) AS newest
         ON newest.payment_seq = payment.seq
       WHERE last_callback_id IS NOT newest.id
       UNION ALL
       SELECT 'callback ' || id || ' is about payment ' || payment_seq || ', which is not there'
       FROM callback WHERE payment_seq NOT IN (SELECT seq FROM payment)`,
    )
    .all()
  return odd.map(({ what }) => what)
}
