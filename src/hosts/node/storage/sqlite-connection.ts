/** A connection to SQLite that prepares each statement once. */
import Database from 'better-sqlite3'
import { isRecord } from '../../../core/model/must.ts'

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

// Connections of worlds in memory that are gone, for new worlds.

/** As many as test runners have open at once. */
const SPARE_MOST = 8
/** Pages are of 4 kB, and stay, free, in the next world, whose forks and files would be as large. */
const PAGES_MOST = 128

/**
 * For a table with foreign keys, which SQLite empties row by row: where it had spread such rows over more pages, parts of
 * them would stay in the page that is left.
 */
const REFERRING_ROWS_MOST = 10
/** In one statement. */
const ROWS_MOST = 50

/** Statements that empty the tables, and put in the rows of an image. */
interface Refill {
  /** Counts the rows of each table, up to one more than `REFERRING_ROWS_MOST`. */
  count: string
  tables: { name: string; refers: boolean; empty: string; rows: { insert: string; values: unknown[] }[] }[]
}

/**
 * A new world whose image comes again takes a connection that is there, with its prepared statements, and copies rows:
 * opening another and preparing again makes a test with a world of its own a third dearer.
 */
export class SpareConnections {
  readonly #spare: SqliteConnection[] = []
  /** Those of other images, which may be from elsewhere, are used for nothing else. */
  readonly #own = new WeakSet<SqliteConnection>()
  readonly #seen = new WeakSet<Uint8Array>()
  /** By images, with which many worlds begin. */
  readonly #refills = new WeakMap<Uint8Array, Refill>()

  open(image: Uint8Array): SqliteConnection {
    if (!this.#seen.has(image)) {
      this.#seen.add(image)
      return copyOf(image)
    }
    const connection = this.#spare.pop()
    if (connection && refilled(connection, this.#refillOf(image))) return connection
    connection?.db.close()
    const opened = copyOf(image)
    // Free pages would keep what stood in them, and a saved world holds those too.
    opened.prepare('PRAGMA secure_delete = ON').get()
    this.#own.add(opened)
    return opened
  }

  /** Closes it, or keeps one that `open` gave for an image with the same tables. */
  giveBack(connection: SqliteConnection): void {
    if (this.#spare.length === SPARE_MOST || !this.#own.has(connection) || pagesOf(connection) > PAGES_MOST)
      connection.db.close()
    else this.#spare.push(connection)
  }

  #refillOf(image: Uint8Array): Refill {
    const known = this.#refills.get(image)
    if (known) return known
    const refill = refillOf(image)
    this.#refills.set(image, refill)
    return refill
  }
}

function pagesOf(connection: SqliteConnection): number {
  const counted = connection.prepare('PRAGMA page_count').get()
  return Number(isRecord(counted) ? counted['page_count'] : 0)
}

function refillOf(image: Uint8Array): Refill {
  const { db } = copyOf(image)
  const names = db.prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all()
  const tables = names.map((name) => {
    const all = db.prepare<[], unknown[]>(`SELECT * FROM ${name}`).raw().all()
    const rows = Array.from({ length: Math.ceil(all.length / ROWS_MOST) }, (_, i) => {
      const some = all.slice(i * ROWS_MOST, (i + 1) * ROWS_MOST)
      const marks = some.map((row) => `(${row.map(() => '?').join(', ')})`)
      return { insert: `INSERT INTO ${name} VALUES ${marks.join(', ')}`, values: some.flat() }
    })
    const refers = db.pragma(`foreign_key_list(${name})`, { simple: true }) !== undefined
    return { name, refers, empty: `DELETE FROM ${name}`, rows }
  })
  db.close()
  const limited = (name: string) => `SELECT 1 FROM ${name} LIMIT ${REFERRING_ROWS_MOST + 1}`
  const counts = names.map((name) => `(SELECT count(*) FROM (${limited(name)})) AS ${name}`)
  return { count: `SELECT ${counts.join(', ')}`, tables }
}

/**
 * False when something of before would stay. In the order of the schema, because later tables refer to earlier ones; the
 * pragma that defers that would have SQLite prepare all statements anew.
 */
function refilled(connection: SqliteConnection, { count, tables }: Refill): boolean {
  const counted = connection.prepare(count).get()
  const rowsOf = (name: string) => Number(isRecord(counted) ? counted[name] : 0)
  if (tables.some(({ name, refers }) => refers && rowsOf(name) > REFERRING_ROWS_MOST)) return false
  connection.prepare('BEGIN').run()
  for (const { name, empty } of tables.toReversed()) if (rowsOf(name) > 0) connection.prepare(empty).run()
  for (const { rows } of tables) for (const { insert, values } of rows) connection.prepare(insert).run(...values)
  connection.prepare('COMMIT').run()
  return true
}
