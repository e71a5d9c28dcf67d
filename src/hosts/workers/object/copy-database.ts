/** Copies a world's database row by row, where its bytes are not available. */
import type { Sql, SqlValue } from '../../../core/sql.ts'

const ROWS_READ = 500

const NOT_OURS = '\\_%'

interface Thing {
  type: 'table' | 'index'
  name: string
  sql: string
}

/** Replaces the world's tables, or changes nothing when it throws. */
export function copyDatabase(from: Sql, to: Sql): void {
  const things = thingsOf(from)
  const tables = things.filter(({ type }) => type === 'table')
  to.transaction(() => {
    to.exec('PRAGMA defer_foreign_keys = ON')
    emptyDatabase(to)
    for (const { sql } of tables) to.exec(sql)
    for (const { name } of tables) copyRows(from, to, name)
    for (const { type, sql } of things) if (type === 'index') to.exec(sql)
  })
}

export function emptyDatabase(sql: Sql): void {
  sql.transaction(() => {
    sql.exec('PRAGMA defer_foreign_keys = ON')
    for (const { type, name } of thingsOf(sql)) if (type === 'table') sql.exec(`DROP TABLE ${name}`)
  })
}

function thingsOf(sql: Sql): Thing[] {
  return sql
    .prepare<Thing>(
      `SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND type IN ('table', 'index')
         AND tbl_name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND tbl_name NOT LIKE '${NOT_OURS}' ESCAPE '\\' ORDER BY rowid`,
    )
    .all()
}

function copyRows(from: Sql, to: Sql, table: string): void {
  const columns = from.prepare<{ name: string }>('SELECT name FROM pragma_table_info(?) ORDER BY cid').all(table)
  const names = columns.map(({ name }) => name)
  const read = from.prepare<Record<string, SqlValue>>(`SELECT * FROM ${table} LIMIT ${ROWS_READ} OFFSET ?`)
  const write = to.prepare(`INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`)
  for (let at = 0; ; at += ROWS_READ) {
    const rows = read.all(at)
    for (const row of rows) write.run(...names.map((name) => row[name] ?? null))
    if (rows.length < ROWS_READ) return
  }
}
