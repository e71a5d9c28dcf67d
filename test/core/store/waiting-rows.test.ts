/** Rows that wait for others are as if each had been written at once. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { deleteRows, insertRows, type RowWriter, updateRows } from '../../../src/core/sql.ts'
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

function table() {
  const sql = openSqlite(':memory:')
  for (const name of ['one', 'other'])
    sql.exec(`CREATE TABLE ${name} (id INTEGER PRIMARY KEY, n INTEGER NOT NULL DEFAULT 0)`)
  const [one, other] = ['one', 'other'].map((name) => insertRows(sql, name, ['id'])) as [RowWriter, RowWriter]
  const add = (id: number) => {
    one.run(id)
    if (id % 2 === 0) other.run(id)
  }
  const read = () => ['one', 'other'].map((of) => sql.prepare(`SELECT count(*) n, total(id + n) sum FROM ${of}`).get())
  const raise = () => sql.exec('UPDATE one SET n = n + 1 WHERE id % 3 = 0')
  const [rename, remove] = [updateRows(sql, 'one', ['n'], 'id').run, deleteRows(sql, 'one', ['id', 'n']).run]
  return { sql, add, rename, remove, raise, read, inPart: sql.transaction }
}

/** The same without a database. */
function maps(): Omit<ReturnType<typeof table>, 'sql'> {
  let [one, other] = [new Map<number, number>(), new Map<number, number>()]
  const sum = (rows: Map<number, number>) => [...rows].reduce((total, [id, n]) => total + id + n, 0)
  return {
    add(id) {
      for (const rows of id % 2 === 0 ? [one, other] : [one]) rows.set(id, 0)
    },
    rename: (n, id) => one.has(Number(id)) && one.set(Number(id), Number(n)),
    remove: (id) => one.get(Number(id)) === 0 && one.delete(Number(id)),
    raise() {
      for (const [id, n] of one) if (id % 3 === 0) one.set(id, n + 1)
    },
    read: () => [one, other].map((rows) => ({ n: rows.size, sum: sum(rows) })),
    inPart(work) {
      const before = [new Map(one), new Map(other)] as const
      try {
        return work()
      } catch (error) {
        ;[one, other] = before
        throw error
      }
    },
  }
}

function found(parts: readonly Part[], { add, rename, remove, raise, read, inPart }: ReturnType<typeof maps>) {
  const all: unknown[] = []
  let id = 0
  inPart(() => {
    for (const { adds, renames, removes, raises, rollsBack, reads, nested } of parts) {
      const work = () => {
        for (let i = 0; i < adds; i++) add(++id)
        for (const [i, one] of renames.entries()) rename(i, one)
        if (reads) all.push(read())
        for (const one of removes) remove(one, 0)
        if (raises) raise()
      }
      const whole = () =>
        inPart(() => {
          work()
          if (nested) inPart(work)
          if (rollsBack) throw new Error('planned')
        })
      if (rollsBack) expect(whole).toThrow('planned')
      else whole()
    }
  })
  return [...all, read()]
}

it('shows and keeps the same rows, whatever is read, changed or rolled back between them', () => {
  fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
      expect(found(parts, table())).toEqual(found(parts, maps()))
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
})
