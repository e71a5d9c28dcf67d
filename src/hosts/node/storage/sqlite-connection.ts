/** A connection to SQLite that prepares each statement once. */
import Database from 'better-sqlite3'

/** More than a world needs for itself: lists have texts of their own for each combination of conditions. */
const KEPT_STATEMENTS = 400

export class SqliteConnection {
  readonly db: Database.Database
  /** The file, or words for it; none where only the bytes can be wrong. */
  readonly place: string | undefined
  readonly #prepared = new Map<string, Database.Statement>()

  constructor(db: Database.Database, place?: string) {
    this.db = db
    this.place = place
    // 8 MB of pages: enough for the hot ends of the indexes of a world with millions of payments; the others are in the
    // system's cache. Savepoints keep the pages that they may have to put back; in memory, not in a temporary file.
    db.exec('PRAGMA cache_size = -8000; PRAGMA temp_store = MEMORY')
  }

  prepare(text: string): Database.Statement {
    const known = this.#prepared.get(text)
    if (known) return known
    const prepared = this.db.prepare(text)
    if (this.#prepared.size === KEPT_STATEMENTS) this.#prepared.clear()
    this.#prepared.set(text, prepared)
    return prepared
  }
}

export function copyOf(image: Uint8Array): SqliteConnection {
  // SQLite copies the bytes.
  return new SqliteConnection(new Database(Buffer.from(image.buffer, image.byteOffset, image.byteLength)))
}
