/** A disk that is full, as SQLite meets it: for tests that have the database at hand. */
import type { Sql } from '../../src/store/sql.ts'

/** From now on nothing finds room that needs another page; what fits into the pages that there are still does. */
export function fillDisk(sql: Sql): void {
  sql.exec('PRAGMA max_page_count = 1')
}

/** There is room again. */
export function makeRoom(sql: Sql): void {
  sql.exec('PRAGMA max_page_count = 1000000')
}

/** A text that no page has room for: whatever is stored with it needs another one. */
export const LONG = 'x'.repeat(9_000)
