/** How long a world has been there, and how much happened in it; read also while it is closed. */
import { must } from '../model/must.ts'
import type { InstantUs } from '../model/time.ts'
import type { Sql } from '../sql.ts'

export interface WorldHistory {
  /** In simulated time: a world begins with its first organisation. */
  beganUs: InstantUs
  payments: number
}

/** Payments are numbered from 1 and never deleted, so that none is counted. */
export function worldHistoryIn(sql: Sql): WorldHistory {
  const text = `SELECT (SELECT min(created_at_us) FROM organisation) AS beganUs,
    coalesce((SELECT max(seq) FROM payment), 0) AS payments`
  return must(sql.prepare<WorldHistory>(text).get())
}
