import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openSqlite } from '../../src/hosts/node/sqlite.ts'
import { Moments } from '../../src/model/moments.ts'
import { migrate, migrations, NewerDatabase, SCHEMA_VERSION } from '../../src/store/migrate.ts'

const dump = join(import.meta.dirname, 'schema.sql')

it('adds up to the schema that is written down, so that a change of shape shows in a review', () => {
  const sql = openSqlite(':memory:')
  migrate(sql)
  const statements = sql
    .prepare<{ sql: string }>('SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name')
    .all()
  const schema = `${statements.map((row) => `${row.sql};`).join('\n\n')}\n`
  if (process.env['UPDATE_SCHEMA'] === '1') writeFileSync(dump, schema)
  expect(schema, 'after a new migration: UPDATE_SCHEMA=1 npm test -- test/store').toBe(readFileSync(dump, 'utf8'))
  sql.close()
})

it('migrates once and then leaves the database alone', () => {
  const sql = openSqlite(':memory:')
  migrate(sql)
  sql.exec("INSERT INTO counter (name, value) VALUES ('kept', 7)")
  migrate(sql)
  expect(sql.prepare('SELECT value FROM counter').all()).toEqual([{ value: 7 }])
  sql.close()
})

it('refuses a database that a newer program wrote, and does not touch it', () => {
  const sql = openSqlite(':memory:')
  sql.exec(
    `CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL); INSERT INTO meta VALUES ('schema_version', '${SCHEMA_VERSION + 1}')`,
  )
  expect(() => migrate(sql)).toThrow(NewerDatabase)
  expect(sql.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all()).toEqual([{ name: 'meta' }])
  sql.close()
})

it('reads who brought about what in a world of before as codes', () => {
  const sql = openSqlite(':memory:')
  sql.exec(
    "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL); INSERT INTO meta VALUES ('schema_version', '7')",
  )
  for (const migration of migrations.slice(0, 7)) sql.exec(migration)
  const moment = (event: string, by: string) => ({ atUs: 1, event, status: 'SUCCESS', by })
  const history = [
    moment('open', 'request'),
    moment('twice', 'plan, but the second time was refused: INSUFFICIENT_FUNDS'),
    moment('revise', 'plan, but the wallet no longer holds it'),
  ]
  sql
    .prepare(
      `INSERT INTO payment (seq, kind, id, uuid, organisation_id, currency, amount_minor, status, request, details, plan,
         history, created_at_us, updated_at_us) VALUES (1, 'till', 1, 'u', 1, 'KES', 5, 'SUCCESS', '{}', '{}', '{}', ?, 1, 1)`,
    )
    .run(JSON.stringify(history))
  migrate(sql)
  const [row] = sql.prepare<{ history: string }>('SELECT history FROM payment').all()
  expect(Moments.stored(row?.history ?? '').all.slice(1)).toEqual([
    { ...moment('twice', 'plan'), detail: 'INSUFFICIENT_FUNDS' },
    { ...moment('revise', 'plan'), detail: 'wallet_exhausted' },
  ])
  sql.close()
})
