/** What is written waits until its tables are read, so of each statement it must be known which those are. */

import { expect, it } from 'vitest'
import { LANE } from '../../../src/core/model/due.ts'
import type { Sql } from '../../../src/core/sql.ts'
import { Store } from '../../../src/core/store/store.ts'
import { openSqlite } from '../../../src/hosts/node/sqlite.ts'
import { tablesOf } from '../../../src/hosts/node/storage/tables-of.ts'
import { atOnce } from '../../support/at-once.ts'

/** The tables that SQLite opens for a statement, by its own program for it. */
function openedBy(sql: Sql, text: string): string[] {
  const roots = new Map(
    sql
      .prepare<{ rootpage: number; tbl_name: string }>('SELECT rootpage, tbl_name FROM sqlite_schema')
      .all()
      .map(({ rootpage, tbl_name }) => [rootpage, tbl_name]),
  )
  const program = sql.prepare<{ opcode: string; p2: number }>(`EXPLAIN ${text.replaceAll('?', '1')}`).all()
  return program.flatMap(({ opcode, p2 }) => (/^Open(?:Read|Write)$/.test(opcode) ? (roots.get(p2) ?? []) : []))
}

it('every statement of the store names the tables that SQLite opens for it', () => {
  const database = openSqlite(':memory:')
  const texts = new Set<string>()
  const store = new Store({
    ...database,
    prepare: (text) => {
      texts.add(text)
      return database.prepare(text)
    },
    change: (into, row, change) => {
      texts.add(`${into} VALUES ${row} ${change}`)
      return database.change(into, row, change)
    },
    insertion: (into, row) => {
      texts.add(`${into} VALUES ${row}`)
      return database.insertion(into, row)
    },
  })
  const { activity, agenda, callbacks, inbox, journal, ledger, payments } = store
  payments.page({ texts: ['a'], party: 'b' }, { limit: 1 })
  payments.stuck(['PENDING'], 1, 1)
  callbacks.page({ texts: ['a'], limit: 1 })
  callbacks.page({ paymentSeq: 1, limit: 1 })
  callbacks.ofPayment(1)
  atOnce(callbacks.counting())
  inbox.names()
  inbox.page({ texts: ['a'], limit: 1 })
  journal.page({ limit: 1 })
  atOnce(ledger.auditing())
  agenda.subjects(LANE.steps)
  activity.spent(['any'], 'KES', 0, { organisationId: 1 })
  const asked = [...texts].filter((text) => /^\s*(?:SELECT|INSERT|UPDATE|DELETE)/i.test(text))
  expect(asked.length).toBeGreaterThan(50)
  const unknown = asked.flatMap((text) => {
    const known = tablesOf(text)
    return openedBy(database, text)
      .filter((table) => known.length > 0 && !known.includes(table))
      .map((table) => `${table}: ${text}`)
  })
  expect(unknown).toEqual([])
  database.close()
})

it('what is written is read at once by who reads of its table, whatever else waits', () => {
  const database = openSqlite(':memory:')
  database.exec('CREATE TABLE a (n); CREATE TABLE b (n)')
  const count = (table: string) => database.prepare<{ n: number }>(`SELECT count(*) AS n FROM ${table}`).get()?.n
  const seen = database.transaction(() =>
    database.transaction(() => {
      database.prepare('INSERT INTO a VALUES (1)').run()
      const others = count('b')
      database.prepare('INSERT INTO b VALUES (1)').run()
      return [others, count('a'), count('b'), database.prepare('SELECT 1 FROM a JOIN b USING (n)').all().length]
    }),
  )
  expect(seen).toEqual([0, 1, 1, 1])
  database.close()
})
