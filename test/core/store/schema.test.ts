import { expect, it } from 'vitest'
import { ensureSchema, OtherSchema, SCHEMA_VERSION } from '../../../src/core/schema.ts'
import { openSqlite } from '../../../src/hosts/node/sqlite.ts'

it('makes the tables once and then leaves the database alone', () => {
  const sql = openSqlite(':memory:')
  ensureSchema(sql)
  sql.exec("INSERT INTO counter (name, value) VALUES ('kept', 7)")
  ensureSchema(sql)
  expect(sql.prepare('SELECT value FROM counter').all()).toEqual([{ value: 7 }])
  sql.close()
})

it.each([SCHEMA_VERSION - 1, SCHEMA_VERSION + 1])(
  'refuses a database of version %d, and does not touch it',
  (version) => {
    const sql = openSqlite(':memory:')
    sql.exec(
      `CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL); INSERT INTO meta VALUES ('schema_version', '${version}')`,
    )
    expect(() => ensureSchema(sql)).toThrow(OtherSchema)
    expect(sql.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all()).toEqual([{ name: 'meta' }])
    sql.close()
  },
)
