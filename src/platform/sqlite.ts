import Database from 'better-sqlite3'
import type { Sql, SqlValue, Statement } from '../store/sql.ts'

/** How long a database that another process holds is waited for: a predecessor may be stopping. */
const LOCKED_MAX_MS = 1500

/** Another mfano has the data directory. */
class DatabaseInUse extends Error {
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
export function openSqliteCopy(bytes: Buffer): Sql {
  return port(new Database(bytes))
}

/** The bytes of a database that `prepare` has filled. */
export function sqliteImage(prepare: (sql: Sql) => void): Buffer {
  const db = new Database(':memory:')
  prepare(port(db))
  const bytes = db.serialize()
  db.close()
  return bytes
}

/** Marks an image as a database in WAL mode (file format, bytes 18 and 19), which spares a new file the change. */
export function inWalMode(image: Buffer): Buffer {
  const bytes = Buffer.from(image)
  bytes[18] = 2
  bytes[19] = 2
  return bytes
}

/** better-sqlite3 behind the core's port. */
function port(db: Database.Database): Sql {
  // 32 MB of pages: enough for the hot ends of the indexes of a world with millions of payments.
  db.pragma('cache_size = -32000')
  // Savepoints keep the pages that they may have to put back; in memory, not in a temporary file.
  db.pragma('temp_store = MEMORY')
  const begin = db.prepare('BEGIN IMMEDIATE')
  const commit = db.prepare('COMMIT')
  const rollback = db.prepare('ROLLBACK')
  const save = db.prepare('SAVEPOINT s')
  const release = db.prepare('RELEASE s')
  const rollbackTo = db.prepare('ROLLBACK TO s')

  return {
    prepare<Row>(text: string): Statement<Row> {
      const statement = db.prepare(text)
      return {
        get: (...parameters: SqlValue[]) => statement.get(...parameters) as Row | undefined,
        all: (...parameters: SqlValue[]) => statement.all(...parameters) as Row[],
        run: (...parameters: SqlValue[]) => {
          statement.run(...parameters)
        },
      }
    },
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
    close: () => {
      db.close()
    },
  }
}
