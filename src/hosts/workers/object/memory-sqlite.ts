/**
 * SQLite in memory, for databases that are prepared, copied or inspected, because a Durable Object has only one
 * database.
 */
import loadSqlite, { type Database, type Statement as Prepared } from 'sql.js'
import wasm from 'sql.js/dist/sql-wasm-browser.wasm'
import { once } from '../../../core/model/must.ts'
import type { Sql, SqlValue, Statement } from '../../../core/sql.ts'

export interface MemorySqlite {
  open(image?: Uint8Array): Sql
}

/** Compiled to WebAssembly; loaded once per isolate. */
export const memorySqlite = once<MemorySqlite>(async () => {
  const sqlite = await loadSqlite({
    instantiateWasm: (imports, done) => {
      void WebAssembly.instantiate(wasm, imports).then(done)
      return {}
    },
  })
  return { open: (image) => port(new sqlite.Database(image)) }
})

function port(db: Database): Sql {
  db.exec('PRAGMA foreign_keys = ON')
  /** sql.js closes a database when it exports the bytes, which ends all prepared statements, and opens it again. */
  let opened = 0
  let depth = 0
  const prepare = <Row>(text: string): Statement<Row> => {
    let known: { statement: Prepared; opened: number } | undefined
    const bound = (values: SqlValue[]) => {
      if (known?.opened !== opened) known = { statement: db.prepare(text), opened }
      known.statement.bind(values)
      return known.statement
    }
    const all = (values: SqlValue[], most = Number.POSITIVE_INFINITY) => {
      const statement = bound(values)
      const rows: Row[] = []
      try {
        while (rows.length < most && statement.step()) rows.push(statement.getAsObject() as Row)
      } finally {
        statement.reset()
      }
      return rows
    }
    return {
      get: (...values) => all(values, 1)[0],
      all: (...values) => all(values),
      run: (...values) => {
        all(values)
      },
    }
  }
  const exec = (script: string) => {
    db.exec(script)
  }
  return {
    prepare,
    exec,
    transaction: (work) => {
      const [begin, end, back] =
        depth === 0
          ? ['BEGIN', 'COMMIT', 'ROLLBACK']
          : [`SAVEPOINT s${depth}`, `RELEASE s${depth}`, `ROLLBACK TO s${depth}; RELEASE s${depth}`]
      exec(begin)
      depth++
      try {
        const value = work()
        exec(end)
        return value
      } catch (error) {
        exec(back)
        throw error
      } finally {
        depth--
      }
    },
    serialize: () => {
      const image = db.export()
      opened++
      exec('PRAGMA foreign_keys = ON')
      return image
    },
    close: () => db.close(),
  }
}
