import { expect, it } from 'vitest'
import { ensureSchema } from '../../../src/core/schema.ts'
import { Agenda } from '../../../src/core/store/agenda-table.ts'
import { Counters, UndoLog } from '../../../src/core/store/counter-table.ts'
import { openSqlite } from '../../../src/hosts/node/sqlite.ts'

it('finds what is due for one payment without reading what is due for others', () => {
  const sql = openSqlite(':memory:')
  ensureSchema(sql)
  const texts: string[] = []
  const prepare: typeof sql.prepare = (text) => {
    texts.push(text)
    return sql.prepare(text)
  }
  new Agenda({ ...sql, prepare }, new Counters(sql, new UndoLog()))
  const ofOne = texts.filter((text) => text.includes('subject = ?'))
  const plans = ofOne.map((text) => {
    const values = Array.from(text.matchAll(/\?/g), () => 1)
    return sql.prepare<{ detail: string }>(`EXPLAIN QUERY PLAN ${text}`).all(...values)[0]?.detail
  })
  expect(plans).toEqual(Array(2).fill('SEARCH agenda USING INDEX agenda_subject (lane=? AND subject=?)'))
})
