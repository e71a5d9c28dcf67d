import { expect, it } from 'vitest'
import type { JournalEntry } from '../../../src/core/model/journal.ts'
import { Store } from '../../../src/core/store/store.ts'
import { openSqlite } from '../../../src/hosts/node/sqlite.ts'

const entry: JournalEntry = {
  ...{ requestId: 'req_1', operation: 'getToken', method: 'POST', path: '/', organisationId: null, requestHeaders: {} },
  ...{ requestBody: null, status: 200, responseBody: null, rule: null, notes: null, paymentSeq: null },
  ...{ seq: 0, atUs: 0 },
}

it('reads no further than a stretch goes, from either end', () => {
  const sql = openSqlite(':memory:')
  let read = 0
  const counted: typeof sql = {
    ...sql,
    prepare: (text) => {
      const statement = sql.prepare<never>(text)
      return {
        ...statement,
        all: (...values) => {
          const rows = statement.all(...values)
          if (text.includes('FROM journal ')) read += rows.length
          return rows
        },
      }
    },
  }
  const { journal } = new Store(counted)
  for (let seq = 1; seq <= 5_000; seq++) journal.insert({ ...entry, seq, atUs: seq })
  journal.flush()
  const numbers = (options: Parameters<typeof journal.page>[0]) => {
    read = 0
    return journal.page(options).map(({ seq }) => seq)
  }
  const ROWS_AT_ONCE = 16
  expect(numbers({ limit: 10, newestFirst: true, after: 4_997 })).toEqual([5_000, 4_999, 4_998])
  expect(read).toBeLessThanOrEqual(ROWS_AT_ONCE)
  expect(numbers({ limit: 10, before: 4 })).toEqual([1, 2, 3])
  expect(read).toBeLessThanOrEqual(ROWS_AT_ONCE)
  expect(numbers({ limit: 2, newestFirst: true, after: 4_990, before: 4_995 })).toEqual([4_994, 4_993])
})
