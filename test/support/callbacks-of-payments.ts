/** Whether callbacks are found by their payments. */
import type { Sql } from '../../src/core/sql.ts'

/** Callbacks that are about a payment and cannot be found from its row, or that are and are about another. */
export function unfoundCallbacks(sql: Sql): string[] {
  const odd = sql
    .prepare<{ what: string }>(
      `SELECT 'callback ' || id || ' names ' || coalesce(previousId, 'none') || ' before it, and not ' || coalesce(previous, 'none') AS what
       FROM (SELECT id, previousId, CASE WHEN paymentSeq IS NOT NULL THEN lag(id) OVER (PARTITION BY paymentSeq ORDER BY id) END AS previous
         FROM callback)
       WHERE previousId IS NOT previous
       UNION ALL
       SELECT 'payment ' || seq || ' names callback ' || coalesce(lastCallbackId, 'none') || ', and not ' || coalesce(newest.id, 'none')
       FROM payment LEFT JOIN (SELECT paymentSeq, max(id) AS id FROM callback GROUP BY paymentSeq) AS newest
         ON newest.paymentSeq = payment.seq
       WHERE lastCallbackId IS NOT newest.id
       UNION ALL
       SELECT 'callback ' || id || ' is about payment ' || paymentSeq || ', which is not there'
       FROM callback WHERE paymentSeq NOT IN (SELECT seq FROM payment)`,
    )
    .all()
  return odd.map(({ what }) => what)
}
