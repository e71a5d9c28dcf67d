import Database from 'better-sqlite3'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { SqlValue } from '../../../src/core/sql.ts'
import { RowInsert } from '../../../src/hosts/node/storage/row-insert.ts'

// Rows are handed to SQLite many at once: nobody sees that in what is stored.

const number = fc.oneof(fc.integer(), fc.maxSafeInteger(), fc.double({ noNaN: true }), fc.constant(0.1))
/** Values of a column, row by row: a series up to some row, and what comes behind it. */
const column = fc.record({
  first: fc.oneof(number, fc.constantFrom(null, '', "it's ?", 'ü')),
  rise: fc.oneof(fc.integer({ min: -3, max: 3 }), fc.double({ noNaN: true, noDefaultInfinity: true })),
  holdsFor: fc.oneof(fc.constant(1_000), fc.nat(200)),
  others: fc.array(fc.oneof(number, fc.constantFrom(null, 'b')), { minLength: 1, maxLength: 5 }),
})
type Column = typeof column extends fc.Arbitrary<infer T> ? T : never

function valueAt({ first, rise, holdsFor, others }: Column, i: number): SqlValue {
  if (i >= holdsFor) return others[i % others.length] as SqlValue
  return typeof first === 'number' ? first + i * rise : first
}

/** A column of whole numbers, one of texts, and one that takes whatever comes. */
const TABLE = "CREATE TABLE t (n INTEGER PRIMARY KEY, word TEXT DEFAULT '?', i INTEGER, s TEXT, any_value)"

test('rows that are written together are stored as if each had been written by itself', () => {
  fc.assert(
    fc.property(
      fc.tuple(column, column, column),
      fc.array(fc.constantFrom(1, 7, 20, 60, 130), { minLength: 1, maxLength: 4 }),
      (columns, batches) => {
        const [together, oneByOne] = [new Database(':memory:'), new Database(':memory:')]
        for (const db of [together, oneByOne]) db.exec(TABLE)
        const into = 'INSERT INTO t (word, n, i, s, any_value)'
        const row = "('what''s ?', ?, ?, ?, ?)"
        const rows = new RowInsert((text) => together.prepare(text), into, row)
        const plain = oneByOne.prepare(`${into} VALUES ${row}`)
        let n = 0
        for (const size of batches) {
          const batch = Array.from({ length: size }, (_, i) => {
            const values = columns.map((one) => valueAt(one, n + i))
            return [n + i + 1, ...values]
          })
          n += size
          rows.write(batch)
          for (const values of batch) plain.run(...values)
        }
        const all = 'SELECT n, word, i, typeof(i), s, typeof(s), any_value, typeof(any_value) FROM t ORDER BY n'
        expect(together.prepare(all).raw().all()).toEqual(oneByOne.prepare(all).raw().all())
      },
    ),
    { numRuns: 200 },
  )
})
