/** Rows that wait for others are as if each had been written at once. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { deleteRows, insertRows, type RowWriter, type Sql, updateRows } from '../../../src/core/sql.ts'
import { openSqlite } from '../../../src/hosts/node/sqlite.ts'

const ids = fc.array(fc.integer({ min: 1, max: 30 }), { maxLength: 30 })
const part = fc.record({
  adds: fc.nat(120),
  /** Through a writer, a few of the rows that there are or were: some of them twice. */
  renames: ids,
  removes: ids,
  raises: fc.boolean(),
  rollsBack: fc.boolean(),
  reads: fc.boolean(),
  /** And once more, in a part of its own. */
  nested: fc.boolean(),
})
type Part = typeof part extends fc.Arbitrary<infer One> ? One : never

function table(portOf = (sql: Sql): Sql => sql) {
  const sql = openSqlite(':memory:')
  sql.exec(
    'CREATE TABLE one (id INTEGER PRIMARY KEY, n INTEGER NOT NULL DEFAULT 0); CREATE TABLE other AS SELECT * FROM one',
  )
  const port = portOf(sql)
  const [one, other] = ['one', 'other'].map((name) => insertRows(port, name, ['id'])) as [RowWriter, RowWriter]
  const add = (id: number) => {
    one.run(id)
    if (id % 2 === 0) other.run(id)
  }
  return { sql, add, rename: updateRows(port, 'one', ['n'], 'id'), remove: deleteRows(port, 'one', ['id', 'n']) }
}

/** What was read on the way, and what is there in the end. */
function found(parts: readonly Part[], portOf?: (sql: Sql) => Sql) {
  const { sql, add, rename, remove } = table(portOf)
  const read = () => ['one', 'other'].map((name) => sql.prepare(`SELECT count(*), sum(id + n) FROM ${name}`).get())
  const all: unknown[] = []
  let id = 0
  sql.transaction(() => {
    for (const { adds, renames, removes, raises, rollsBack, reads, nested } of parts) {
      const work = () => {
        for (let i = 0; i < adds; i++) add(++id)
        for (const [i, one] of renames.entries()) rename.run(i, one)
        if (reads) all.push(read())
        for (const one of removes) remove.run(one, 0)
        if (raises) sql.exec('UPDATE one SET n = n + 1 WHERE id % 3 = 0')
      }
      const inPart = () =>
        sql.transaction(() => {
          work()
          if (nested) sql.transaction(work)
          if (rollsBack) throw new Error('planned')
        })
      if (rollsBack) expect(inPart).toThrow('planned')
      else inPart()
    }
  })
  all.push(read())
  sql.close()
  return all
}

it('shows and keeps the same rows, whatever is read, changed or rolled back between them', () => {
  fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
      expect(found(parts)).toEqual(found(parts, ({ rowWriter: _, ...oneByOne }) => oneByOne))
    }),
  )
})

it('forgets a row that could not be written, with the work that is rolled back', () => {
  const { sql, add } = table()
  const again = () => {
    add(1)
    throw new Error('planned')
  }
  sql.transaction(() => {
    add(1)
    expect(() => sql.transaction(again)).toThrow('planned')
  })
  expect(sql.prepare('SELECT id FROM one').all()).toEqual([{ id: 1 }])
  expect(() => add(1)).toThrow('UNIQUE constraint failed')
  sql.close()
})
