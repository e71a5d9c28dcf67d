import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Sql } from '../../../src/core/sql.ts'
import { openSqlite } from '../../../src/hosts/node/sqlite.ts'

// What a transaction holds back, to write it together or not at all, nobody sees: a model writes all at once, and keeps a
// copy for whatever may be taken back.

type Act =
  | { do: 'add'; table: 'one' | 'other'; text: string }
  | { do: 'change'; table: 'one' | 'other'; text: string }
  | { do: 'save'; row: number; text: string; way: 0 | 1 }
  | { do: 'read'; table: 'one' | 'other' | 'both' }
  | { do: 'attempt'; acts: Act[]; fails: boolean }

const text = fc.constantFrom('a', "it's", 'ü', '')
const table = fc.constantFrom('one' as const, 'other' as const)
const { act } = fc.letrec<{ act: Act }>((tie) => ({
  act: fc.oneof(
    { withCrossShrink: true, maxDepth: 3 },
    fc.record({ do: fc.constant('add' as const), table, text }),
    fc.record({ do: fc.constant('change' as const), table, text }),
    fc.record({ do: fc.constant('save' as const), row: fc.nat(9), text, way: fc.constantFrom(0 as const, 1 as const) }),
    fc.record({ do: fc.constant('read' as const), table: fc.oneof(table, fc.constant('both' as const)) }),
    fc.record({
      do: fc.constant('attempt' as const),
      acts: fc.array(tie('act'), { maxLength: 30 }),
      fails: fc.boolean(),
    }),
  ),
}))

test('rows that are written together are as if each had been written at once', () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(act, { maxLength: 30 }), { maxLength: 4 }),
      fc.boolean(),
      (transactions, lastFails) => {
        const world = new Both(openSqlite(':memory:'))
        for (const [i, acts] of transactions.entries())
          world.transaction(() => {
            for (const one of acts) world.carryOut(one)
            if (lastFails && i === transactions.length - 1) throw new Error('taken back')
          })
        expect(world.stored()).toEqual(world.rows)
        world.sql.close()
      },
    ),
    { numRuns: 100 },
  )
})

test('a row that cannot be stored takes back the whole transaction, and nothing of it is tried again', () => {
  const world = new Both(openSqlite(':memory:'))
  world.carryOut({ do: 'add', table: 'one', text: 'before' })
  expect(() =>
    world.sql.transaction(() => {
      for (const n of [2, 3, 3, 4]) world.sql.transaction(() => world.addOne.run(n, 'again'))
    }),
  ).toThrow('UNIQUE')
  world.carryOut({ do: 'add', table: 'one', text: 'after' })
  expect(world.stored()).toEqual(world.rows)
  world.sql.close()
})

/** The same rows in SQLite and in an array. */
class Both {
  readonly sql: Sql
  readonly addOne
  readonly #add
  readonly #change
  readonly #save
  readonly #read
  rows: string[] = []
  #n = 0

  constructor(sql: Sql) {
    this.sql = sql
    sql.exec(
      'CREATE TABLE one (n INTEGER PRIMARY KEY, text TEXT NOT NULL); CREATE TABLE other (n INTEGER PRIMARY KEY, text TEXT)',
    )
    this.addOne = sql.insertion('INSERT INTO one (n, text)', '(?, ?)')
    this.#add = { one: this.addOne, other: sql.insertion('INSERT INTO other (n, text)', '(?, ?)') }
    this.#change = {
      one: sql.prepare('UPDATE one SET text = ? || text'),
      other: sql.prepare('UPDATE other SET text = ? || text'),
    }
    // Two ways to save a row: of those for one row, the last counts.
    const save = (table: string, before: string) =>
      sql.change(
        `INSERT INTO ${table} (n, text)`,
        `(?, '${before}' || ?)`,
        'ON CONFLICT (n) DO UPDATE SET text = excluded.text',
      )
    this.#save = { one: [save('one', ''), save('one', 'b')], other: [save('other', ''), save('other', 'b')] } as const
    this.#read = sql.prepare<{ row: string }>(
      "SELECT n || ' one ' || text AS row, n FROM one UNION ALL SELECT n || ' other ' || text, n FROM other ORDER BY n",
    )
  }

  stored(): string[] {
    return this.#read.all().map(({ row }) => row)
  }

  #look(table: 'one' | 'other' | 'both'): void {
    if (table === 'both') expect(this.stored()).toEqual(this.rows)
    else {
      const rows = this.sql.prepare<{ row: string }>(`SELECT n || ' ${table} ' || text AS row FROM ${table} ORDER BY n`)
      expect(rows.all().map(({ row }) => row)).toEqual(this.rows.filter((row) => row.includes(` ${table} `)))
    }
  }

  transaction(work: () => void): void {
    const before = [...this.rows]
    try {
      this.sql.transaction(work)
    } catch (error) {
      expect((error as Error).message).toBe('taken back')
      this.rows = before
    }
  }

  carryOut(act: Act): void {
    if (act.do === 'add') {
      const n = ++this.#n
      this.#add[act.table].run(n, act.text)
      this.rows.push(`${n} ${act.table} ${act.text}`)
    } else if (act.do === 'change') {
      this.#change[act.table].run(act.text)
      const changed = ` ${act.table} `
      this.rows = this.rows.map((row) => row.replace(changed, `${changed}${act.text}`))
    } else if (act.do === 'save') {
      const at = act.row % Math.max(1, this.rows.length)
      const [n, table] = (this.rows[at]?.split(' ') ?? []) as [string?, ('one' | 'other')?]
      if (table === undefined) return
      this.#save[table][act.way].run(Number(n), act.text)
      this.rows[at] = `${n} ${table} ${act.way === 1 ? 'b' : ''}${act.text}`
    } else if (act.do === 'read') this.#look(act.table)
    else
      this.transaction(() => {
        for (const one of act.acts) this.carryOut(one)
        if (act.fails) throw new Error('taken back')
      })
  }
}
