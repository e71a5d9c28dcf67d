import Database from 'better-sqlite3'
import { worldClosed } from '../../model/refusal.ts'
import type { Sql, SqlValue, Statement } from '../../store/sql.ts'

/** How long a database that another process holds is waited for: a predecessor may be stopping. */
const LOCKED_MAX_MS = 1500

/** Another mfano has the data directory. */
export class DatabaseInUse extends Error {
  readonly hint =
    'Stop the other mfano, or give this one a data directory of its own: --data other, or --data :memory:.'
  constructor(file: string, cause: unknown) {
    super(`${file} is in use by another process.`, { cause })
    this.name = 'DatabaseInUse'
  }
}

/**
 * Opens a world's database with better-sqlite3. Files are in WAL mode with `synchronous=FULL`: a commit that was
 * answered is on disk. `:memory:` keeps nothing.
 */
export function openSqlite(file: string): Sql {
  const db = new Database(file, { timeout: LOCKED_MAX_MS })
  if (file !== ':memory:') {
    // One process per database: two would each keep counters and balances in memory, and both be wrong.
    db.pragma('locking_mode = EXCLUSIVE')
    try {
      db.pragma('journal_mode = WAL')
      db.exec('BEGIN IMMEDIATE; COMMIT')
    } catch (error) {
      db.close()
      throw (error as { code?: string }).code === 'SQLITE_BUSY' ? new DatabaseInUse(file, error) : error
    }
    db.pragma('synchronous = FULL')
  }
  return port(db)
}

/** A database in memory that starts as a copy of another one's bytes. */
export function openSqliteCopy(image: Uint8Array): Sql {
  // It copies the bytes itself.
  return port(new Database(Buffer.from(image.buffer, image.byteOffset, image.byteLength)))
}

/** The bytes of a database that `prepare` has filled. */
export function sqliteImage(prepare: (sql: Sql) => void): Uint8Array {
  const sql = port(new Database(':memory:'))
  prepare(sql)
  const image = imageOf(sql)
  sql.close()
  return image
}

/** The bytes of a database that was opened here. */
export function imageOf(sql: Sql): Uint8Array {
  return sql.serialize?.() as Uint8Array
}

/** Marks an image as a database in WAL mode, which spares a new file the change. */
export function inWalMode(image: Uint8Array): Uint8Array {
  return marked(image, 2)
}

/** Bytes 18 and 19 of the file format: 2 is a database in WAL mode, which cannot be in memory; 1 is any other. */
function marked(image: Uint8Array, mode: 1 | 2): Uint8Array {
  image.fill(mode, 18, 20)
  return image
}

/** better-sqlite3 behind the core's port. */
function port(db: Database.Database): Sql {
  // 32 MB of pages: enough for the hot ends of the indexes of a world with millions of payments. Savepoints keep the
  // pages that they may have to put back; in memory, not in a temporary file.
  db.exec('PRAGMA cache_size = -32000; PRAGMA temp_store = MEMORY')
  let closed = false
  // Prepared when first used: that is most of what opening a world would cost, and much of the memory that it takes.
  const prepare = <Row>(text: string): Statement<Row> => {
    let prepared: Database.Statement | undefined
    const statement = () => {
      // Whoever was at work when the world went is told so, rather than that a connection is not open.
      if (closed) throw worldClosed()
      prepared ??= db.prepare(text)
      return prepared
    }
    return {
      get: (...parameters: SqlValue[]) => statement().get(...parameters) as Row | undefined,
      all: (...parameters: SqlValue[]) => statement().all(...parameters) as Row[],
      run: (...parameters: SqlValue[]) => {
        statement().run(...parameters)
      },
    }
  }
  const begin = prepare('BEGIN IMMEDIATE')
  const commit = prepare('COMMIT')
  const rollback = prepare('ROLLBACK')
  const save = prepare('SAVEPOINT s')
  const release = prepare('RELEASE s')
  const rollbackTo = prepare('ROLLBACK TO s')

  return {
    prepare,
    exec: (script) => {
      db.exec(script)
    },
    transaction<T>(work: () => T): T {
      if (!db.inTransaction) {
        begin.run()
        try {
          const value = work()
          commit.run()
          return value
        } catch (error) {
          if (db.inTransaction) rollback.run()
          throw error
        }
      }
      save.run()
      try {
        const value = work()
        release.run()
        return value
      } catch (error) {
        rollbackTo.run()
        release.run()
        throw error
      }
    },
    serialize: () => marked(db.serialize(), 1),
    close: () => {
      closed = true
      db.close()
    },
  }
}
