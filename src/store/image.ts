import { migrate } from './migrate.ts'
import type { Sql } from './sql.ts'

/** How many bytes a database has. */
export function bytesOf(sql: Sql): number {
  const pages = sql.prepare<{ page_count: number }>('PRAGMA page_count').get()?.page_count ?? 0
  return pages * (sql.prepare<{ page_size: number }>('PRAGMA page_size').get()?.page_size ?? 0)
}

/**
 * Brings a database that came from elsewhere to the present shape, and says in words what is wrong with it: damage, or
 * tables that are not a world's. Throws `NewerDatabase`, and SQLite's own error for what is no database at all.
 * @param expected the shape of a world's database
 */
export function adopt(sql: Sql, expected: readonly string[]): string | undefined {
  const [damage] = sql.prepare<{ quick_check: string }>('PRAGMA quick_check(1)').all()
  if (damage?.quick_check !== 'ok') return `its database is damaged: ${damage?.quick_check}`
  migrate(sql)
  const found = shapeOf(sql)
  const extra = found.find((thing) => !expected.includes(thing))
  if (extra !== undefined) return `its database has a ${extra}, and no world has one`
  const missing = expected.find((thing) => !found.includes(thing))
  return missing === undefined ? undefined : `its database has no ${missing}`
}

/** `table payment`, `index payment_uuid` and so on; what SQLite adds by itself aside. */
export function shapeOf(sql: Sql): string[] {
  return sql
    .prepare<{ thing: string }>(
      "SELECT type || ' ' || name AS thing FROM sqlite_schema WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\'",
    )
    .all()
    .map(({ thing }) => thing)
}
