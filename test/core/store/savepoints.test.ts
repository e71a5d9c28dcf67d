import { expect, test } from 'vitest'
import type { Sql } from '../../../src/core/sql.ts'
import { openSqlite } from '../../../src/hosts/node/sqlite.ts'
import fc from '../../support/fast-check.ts'

type Act =
  | { do: 'add' | 'change'; text: string }
  | { do: 'read' | 'refused' }
  | { do: 'attempt'; acts: Act[]; fails: boolean }

const text = fc.constantFrom('a', "it's", 'ü', '')
const { act } = fc.letrec<{ act: Act }>((tie) => ({
  act: fc.oneof(
    { withCrossShrink: true, maxDepth: 4 },
    fc.record({ do: fc.constantFrom('add' as const, 'change' as const), text }),
    fc.record({ do: fc.constantFrom('read' as const, 'refused' as const) }),
    fc.record({
      do: fc.constant('attempt' as const),
      acts: fc.array(tie('act'), { maxLength: 10 }),
      fails: fc.boolean(),
    }),
  ),
}))

test('a part of a transaction that fails is rolled back alone, and a transaction that fails as a whole', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ acts: fc.array(act, { maxLength: 20 }), fails: fc.boolean() }), { maxLength: 4 }),
      (transactions) => {
        const world = new Both(openSqlite(':memory:'))
        for (const one of transactions) world.carryOut({ do: 'attempt', ...one })
        world.carryOut({ do: 'read' })
        world.sql.close()
      },
    ),
    { numRuns: 200 },
  )
})

/** The same rows in SQLite and in an array. */
class Both {
  readonly sql: Sql
  readonly #add
  readonly #change
  readonly #read
  #rows: string[] = []
  #n = 0

  constructor(sql: Sql) {
    this.sql = sql
    sql.exec('CREATE TABLE t (n INTEGER PRIMARY KEY, text TEXT NOT NULL)')
    this.#add = sql.prepare('INSERT INTO t (n, text) VALUES (?, ?)')
    this.#change = sql.prepare('UPDATE t SET text = ? || text')
    this.#read = sql.prepare<{ row: string }>("SELECT n || ' ' || text AS row FROM t ORDER BY n")
  }

  carryOut(act: Act): void {
    if (act.do === 'attempt') this.#attempt(act)
    else if (act.do === 'add') {
      const n = ++this.#n
      this.#add.run(n, act.text)
      this.#rows.push(`${n} ${act.text}`)
    } else if (act.do === 'change') {
      this.#change.run(act.text)
      this.#rows = this.#rows.map((row) => row.replace(' ', ` ${act.text}`))
    } else if (act.do === 'read') expect(this.#read.all().map(({ row }) => row)).toEqual(this.#rows)
    else expect(() => this.#add.run(0, null)).toThrow('NOT NULL')
  }

  #attempt({ acts, fails }: Extract<Act, { do: 'attempt' }>): void {
    const before = [...this.#rows]
    const work = () => {
      for (const one of acts) this.carryOut(one)
      if (fails) throw new Error('rolled back')
    }
    if (!fails) this.sql.transaction(work)
    else {
      expect(() => this.sql.transaction(work)).toThrow('rolled back')
      this.#rows = before
    }
  }
}
