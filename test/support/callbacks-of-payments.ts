/** Whether callbacks belong to payments. */
import type { Sql } from '../../src/core/sql.ts'

export function unfoundCallbacks(sql: Sql): string[] {
  return sql
    .prepare<{ what: string }>(
      `SELECT 'callback ' || id || ' is about payment ' || paymentSeq || ', which is not there' AS what
       FROM callback WHERE paymentSeq NOT IN (SELECT seq FROM payment)`,
    )
    .all()
    .map(({ what }) => what)
}
