/** Where worlds keep their databases. */
import type { Sql } from '../store/sql.ts'

/** Where worlds keep their databases. */
export interface Databases {
  /** Ids of the worlds that are stored. */
  list(): string[]
  /** The database of a stored world. */
  open(id: string): Sql
  /** A database to prepare for a world: empty, or a copy of another's bytes. Nothing of it is stored. */
  draft(image?: Uint8Array): Sql
  /** Does beforehand what `put` would do at once with a draft that may be large, and that is not changed any more. */
  ready(id: string, draft: Sql): Promise<void>
  /** Gives a draft up. */
  discard(draft: Sql): void
  /**
   * Stores a draft as a world's database, in the place of the one that it may have, which must be closed, and opens it
   * for `use`: as a whole or, when the process dies, the storage fails or `use` throws, not at all, and what was there
   * before is there again. The draft is used up.
   */
  put<T>(id: string, draft: Sql, use: (sql: Sql) => T): T
  remove(id: string): void
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
