/** The rows of a world's tables, so that two worlds can be compared. */
import type { Sql } from './sql.ts'

export const COMPARED = [
  'organisation',
  'payment',
  'transfer',
  'agenda',
  'callback',
  'attempt',
  'journal',
  'inbox',
  'counter',
] as const
export type ComparedTable = (typeof COMPARED)[number]

export function rowsOf(sql: Sql, table: ComparedTable): string[] {
  return sql
    .prepare(`SELECT * FROM ${table} ORDER BY 1, 2`)
    .all()
    .map((row) => JSON.stringify(row))
}
