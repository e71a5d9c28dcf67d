/** What a world has come to, row by row, so that two worlds can be compared. */
import type { Sql } from './sql.ts'
import { journalEntries } from './store/journal-table.ts'

/** Tables that the same inputs must fill with the same bytes. */
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

/** The rows of a table as JSON, in an order of their own. */
export function rowsOf(sql: Sql, table: ComparedTable): string[] {
  if (table === 'journal') return journalEntries(sql)
  return sql
    .prepare(`SELECT * FROM ${table} ORDER BY 1, 2`)
    .all()
    .map((row) => JSON.stringify(row))
}
