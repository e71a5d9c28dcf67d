import { expect, test } from 'vitest'
import { imageOf, openSqliteCopy, port, type SqliteConnection } from '../../../src/hosts/node/sqlite.ts'
import { SpareConnections } from '../../../src/hosts/node/storage/files.ts'

// A world in memory may get the connection of one that is gone. Nobody sees that in what it holds.

/** Rows of tables with and without a rowid, and of two of which one refers to the other. */
interface Content {
  meta: string[]
  organisations: number
  requests: number
  text: string
}

function write(connection: SqliteConnection, { meta, organisations, requests, text: written }: Content): void {
  const sql = port(connection, { close: () => {} })
  sql.transaction(() => {
    for (const key of meta)
      sql.prepare('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)').run(`k ${key}`, written)
    for (let n = 1; n <= organisations; n++) {
      const columns = 'id, uuid, name, phoneNumber, email, uniqueReference, parentId, createdAtUs, updatedAtUs'
      sql
        .prepare(`INSERT OR REPLACE INTO organisation (${columns}) VALUES (?, ?, ?, '', '', '', ?, ?, 0)`)
        .run(n, `o-${n}`, written.slice(0, 200), n === 1 ? null : n - 1, 2 ** 50 + n)
      sql.prepare('INSERT OR REPLACE INTO credential VALUES (?, ?, ?, 0)').run(`key-${n}`, n, written.slice(0, 200))
    }
    for (let n = 1; n <= requests; n++)
      sql
        .prepare(
          `INSERT OR REPLACE INTO journal (seq, requestId, atUs, method, path, requestHeaders, status, paymentSeq)
           VALUES (?, '', ?, '', ?, '{}', 200, ?)`,
        )
        .run(n, n, written, n % 2 ? n : null)
  })
  sql.close()
}

function contents({ db }: SqliteConnection): Record<string, unknown[]> {
  const names = db.prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all()
  return Object.fromEntries(names.map((name) => [name, db.prepare(`SELECT * FROM ${name}`).all()]))
}

const empty = openSqliteCopy().serialize()

/** For connections of an image that came before. */
function spareFor(image: Uint8Array): SpareConnections {
  const spare = new SpareConnections()
  spare.open(image).db.close()
  return spare
}

test('not even free pages hold what stood there before', () => {
  const spare = spareFor(empty)
  const connection = spare.open(empty)
  write(connection, { meta: ['a'], organisations: 10, requests: 20, text: 'a secret of before '.repeat(400) })
  expect(Buffer.from(imageOf(connection)).includes('a secret')).toBe(true)
  // Some of it the world itself removed.
  connection.db.exec('DELETE FROM journal WHERE seq > 10; DELETE FROM credential WHERE organisationId > 5')
  spare.giveBack(connection)
  const next = spare.open(empty)
  expect(next).toBe(connection)
  expect(Buffer.from(imageOf(next)).includes('a secret')).toBe(false)
  // Of many rows with foreign keys SQLite leaves parts, so that another connection is opened.
  write(next, { meta: [], organisations: 11, requests: 0, text: 'a secret' })
  spare.giveBack(next)
  const other = spare.open(empty)
  expect([other === next, next.db.open]).toEqual([false, false])
  expect(Buffer.from(imageOf(other)).includes('a secret')).toBe(false)
  other.db.close()
})

test('a large one, one more than are needed, and one from elsewhere, is closed', () => {
  const spare = spareFor(empty)
  // What a file from elsewhere was opened with serves no other world.
  const foreign = spare.open(empty.slice())
  spare.giveBack(foreign)
  expect(foreign.db.open).toBe(false)
  const large = spare.open(empty)
  write(large, { meta: ['a'], organisations: 0, requests: 1, text: 'x'.repeat(400_000) })
  spare.giveBack(large)
  expect(large.db.open).toBe(false)
  const many = Array.from({ length: 10 }, () => spare.open(empty))
  for (const one of many) spare.giveBack(one)
  expect(many.map(({ db }) => db.open)).toEqual([...Array(8).fill(true), false, false])
  for (const { db } of many) db.close()
})

test('who was at work with the world before reaches nothing of the next', () => {
  const spare = spareFor(empty)
  const connection = spare.open(empty)
  const before = port(connection, { close: () => spare.giveBack(connection) })
  const read = before.prepare('SELECT * FROM meta')
  read.all()
  before.close()
  // Closing again gives nothing back once more.
  const next = spare.open(empty)
  before.close()
  expect(spare.open(empty)).not.toBe(next)
  for (const work of [
    () => read.all(),
    () => before.exec("INSERT INTO meta VALUES ('k', 'v')"),
    () => before.transaction(() => {}),
    () => before.serialize(),
    () => before.prepare('DELETE FROM meta').run(),
  ])
    expect(work).toThrow('Service unavailable')
  expect(contents(next)['meta']).toHaveLength(1)
})
