import Database from 'better-sqlite3'
import type { Sql, SqlValue, Statement } from '../store/sql.ts'

/**
 * Opens a world's database with better-sqlite3. Files are in WAL mode with `synchronous=FULL`: a commit that was
 * answered is on disk. `:memory:` keeps nothing.
 */
export function openSqlite(file: string): Sql {
  const db = new Database(file)
  if (file !== ':memory:') {
    db.pragma('journal_mode = WAL')
    db.pragma('synchronous = FULL')
  }
  // 32 MB of pages: enough for the hot ends of the indexes of a world with millions of payments.
  db.pragma('cache_size = -32000')
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
