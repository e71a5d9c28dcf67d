import loadSqlite, { type Database, type Statement as Prepared } from 'sql.js'
import wasm from 'sql.js/dist/sql-wasm-browser.wasm'
import { type Databases, using } from '../../../core/host.ts'
import { once } from '../../../core/model/must.ts'
import { Refusal, worldClosed } from '../../../core/model/refusal.ts'
import { ensureSchema } from '../../../core/schema.ts'
import type { Sql, SqlValue, Statement } from '../../../core/sql.ts'
import type { ObjectStorage } from '../bindings.ts'

/** A copy, its bytes and their file are in memory together, and an object has 128 MB. */
const IMAGE_MAX_BYTES = 16 * 1024 ** 2

/** Cloudflare's limit for a value and a row. workerd alone, as on a developer's machine, does not enforce it. */
const VALUE_MAX_BYTES = 2_000_000

/**
 * Nested transactions are savepoints here too. `memory` makes the bytes of a database, which the storage does not give.
 * `committing` runs at the end of every transaction, inside of it.
 */
function storageSql(storage: ObjectStorage, memory: MemorySqlite, committing: () => void): Sql {
  let closed = false
  let depth = 0
  const rows = <Row>(text: string, values: SqlValue[]) => {
    if (closed) throw worldClosed()
    return storage.sql.exec(text, ...values).toArray() as Row[]
  }
  const sql: Sql = {
    prepare: <Row>(text: string): Statement<Row> => ({
      get: (...values) => rows<Row>(text, values)[0],
      all: (...values) => rows<Row>(text, values),
      run: (...values) => {
        rows(text, values)
      },
    }),
    exec: (script) => {
      rows(script, [])
    },
    transaction: (work) =>
      storage.transactionSync(() => {
        depth++
        try {
          const value = work()
          if (depth === 1) committing()
          return value
        } finally {
          depth--
        }
      }),
    imageMaxBytes: IMAGE_MAX_BYTES,
    valueMaxBytes: VALUE_MAX_BYTES,
    bytes: () => storage.sql.databaseSize,
    serialize: () => {
      const copy = memory.open()
      try {
        copyDatabase(sql, copy)
        return copy.serialize()
      } finally {
        copy.close()
      }
    },
    close: () => {
      closed = true
    },
  }
  return sql
}

const ROWS_READ = 500

const NOT_OURS = '\\_%'

interface Thing {
  type: 'table' | 'index'
  name: string
  sql: string
}

function copyDatabase(from: Sql, to: Sql): void {
  const things = thingsOf(from)
  const tables = things.filter(({ type }) => type === 'table')
  to.transaction(() => {
    to.exec('PRAGMA defer_foreign_keys = ON')
    emptyDatabase(to)
    for (const { sql } of tables) to.exec(sql)
    for (const { name } of tables) copyRows(from, to, name)
    for (const { type, sql } of things) if (type === 'index') to.exec(sql)
  })
}

function emptyDatabase(sql: Sql): void {
  sql.transaction(() => {
    sql.exec('PRAGMA defer_foreign_keys = ON')
    for (const { type, name } of thingsOf(sql)) if (type === 'table') sql.exec(`DROP TABLE ${name}`)
  })
}

function thingsOf(sql: Sql): Thing[] {
  return sql
    .prepare<Thing>(
      `SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND type IN ('table', 'index')
         AND tbl_name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND tbl_name NOT LIKE '${NOT_OURS}' ESCAPE '\\' ORDER BY rowid`,
    )
    .all()
}

function copyRows(from: Sql, to: Sql, table: string): void {
  const columns = from.prepare<{ name: string }>('SELECT name FROM pragma_table_info(?) ORDER BY cid').all(table)
  const names = columns.map(({ name }) => name)
  const read = from.prepare<Record<string, SqlValue>>(`SELECT * FROM ${table} LIMIT ${ROWS_READ} OFFSET ?`)
  const write = to.prepare(`INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`)
  for (let at = 0; ; at += ROWS_READ) {
    const rows = read.all(at)
    for (const row of rows) write.run(...names.map((name) => row[name] ?? null))
    if (rows.length < ROWS_READ) return
  }
}

let empty: Uint8Array | undefined

/** Drafts are in memory. `id`: the world's. `committing`: runs at the end of every transaction of the world. */
export function objectDatabases(
  id: string,
  storage: ObjectStorage,
  memory: MemorySqlite,
  committing: () => void,
): Databases {
  const open = () => storageSql(storage, memory, committing)
  const draft = (image?: Uint8Array) => {
    if (image) return memory.open(image)
    empty ??= emptyImage(memory)
    return memory.open(empty)
  }
  return {
    list: () => (isStored(open()) ? [id] : []),
    open,
    draft,
    put: (asked, image, use) =>
      storage.transactionSync(() => {
        if (asked !== id) throw elsewhere(asked, id)
        const sql = open()
        using(draft(image), (made) => copyDatabase(made, sql))
        return use(sql)
      }),
    remove: () => emptyDatabase(open()),
  }
}

function emptyImage(memory: MemorySqlite): Uint8Array {
  const sql = memory.open()
  ensureSchema(sql)
  const image = sql.serialize()
  sql.close()
  return image
}

function elsewhere(asked: string, id: string): Refusal {
  return new Refusal(
    'NOT_SUPPORTED',
    `the world "${asked}" cannot be made by "${id}": on this host each has storage of its own`,
  )
}

function isStored(sql: Sql): boolean {
  const has = (text: string) => sql.prepare(text).get() !== undefined
  return has("SELECT 1 FROM sqlite_schema WHERE name = 'meta'") && has("SELECT 1 FROM meta WHERE key = 'origin'")
}

// SQLite in memory, for databases that are prepared, copied or inspected, because a Durable Object has only one
// database.

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
