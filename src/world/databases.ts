/** Where worlds keep their databases. */
import type { Sql } from '../store/sql.ts'

/** Where worlds keep their databases. */
export interface Databases {
  /** Ids of the worlds that are stored. */
  list(): string[]
  /** The database of a stored world. */
  open(id: string): Sql
  /** A database to look into, to be closed: empty, or a copy of another's bytes. It is in memory, and no world's. */
  draft(image?: Uint8Array): Sql
  /**
   * Stores a database as a world's, in the place of the one that it may have, which must be closed, and opens it for
   * `use`: as a whole with all that `use` writes or, when the process dies, the storage fails or `use` throws, not at
   * all, and what was there before is there again.
   * @param image the bytes of the database; an empty one without them
   */
  put<T>(id: string, image: Uint8Array | undefined, use: (sql: Sql) => T): T
  /** Does beforehand what `put` would do at once with bytes that may be many, while others have their turn. They are not needed any more then. */
  stage(id: string, image: Uint8Array): Promise<Staged>
  /** An empty database that is filled aside, and closed, before it is put in its place. */
  aside(id: string): Staged & { sql: Sql }
  remove(id: string): void
}

/** A database that is to be a world's: put there once, or given up. */
export interface Staged {
  /** As `Databases.put` does. */
  put<T>(use: (sql: Sql) => T): T
  discard(): void
}

/** Uses a database and closes it. */
export function using<T>(sql: Sql, use: (sql: Sql) => T): T {
  try {
    return use(sql)
  } finally {
    sql.close()
  }
}

/** Makes something of a database, or closes the database again. */
export function orClosed<T>(sql: Sql, make: (sql: Sql) => T): T {
  try {
    return make(sql)
  } catch (error) {
    sql.close()
    throw error
  }
}
