import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openSqlite } from '../../src/hosts/node/sqlite.ts'
import { Moments } from '../../src/model/moments.ts'
import { Callbacks } from '../../src/store/callback-table.ts'
import { migrate, migrations, NewerDatabase, SCHEMA_VERSION } from '../../src/store/migrate.ts'
import { UndoLog } from '../../src/store/undo.ts'

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

it('finds the callbacks of a payment in a world of before, which had an index of them', () => {
  const sql = openSqlite(':memory:')
  sql.exec(
    "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL); INSERT INTO meta VALUES ('schema_version', '19')",
  )
  for (const migration of migrations.slice(0, 19)) sql.exec(migration)
  const payment = sql.prepare(
    `INSERT INTO payment (seq, kind, id, organisation_id, currency, amount_minor, status, details, created_at_us, updated_at_us)
     VALUES (?, 'till', 1, 1, 'KES', 5, 'SUCCESS', '{}', 1, 1)`,
  )
  for (const seq of [1, 2, 3, 4]) payment.run(seq)
  const callback = sql.prepare(
    `INSERT INTO callback (id, uid, payment_seq, topic, url, body, state, attempts, created_at_us)
     VALUES (?, 'u', ?, 'till', 'http://shop.example/', '{}', 'pending', 0, 1)`,
  )
  // Of payments that lie between each other, of none, and of one that is not there.
  const told = [2, 1, null, 2, 4, 2, null, 1, 99]
  for (const [at, seq] of told.entries()) callback.run(10 * (at + 1), seq)
  migrate(sql)
  const pairs = (text: string) => sql.prepare<Record<string, number | null>>(text).all().map(Object.values)
  expect(pairs('SELECT seq, last_callback_id FROM payment ORDER BY seq')).toEqual([
    [1, 80],
    [2, 60],
    [3, null],
    [4, 50],
  ])
  expect(pairs('SELECT id, previous_id FROM callback WHERE previous_id IS NOT NULL ORDER BY id')).toEqual([
    [40, 10],
    [60, 40],
    [80, 20],
  ])
  expect(pairs('SELECT payment_seq FROM callback ORDER BY id').flat()).toEqual(told)
  const callbacks = new Callbacks(sql, new UndoLog())
  expect([1, 2, 3, 4].map((seq) => callbacks.ofPayment(seq).map(({ id }) => id))).toEqual([
    [20, 80],
    [10, 40, 60],
    [],
    [50],
  ])
  sql.close()
})
