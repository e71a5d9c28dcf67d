/**
 * Everything that the core knows of SQLite. better-sqlite3 (`hosts/node/sqlite.ts`) and the storage of a Durable Object
 * (`hosts/workers/object/storage-sql.ts`) implement it. Parameters are positional; everything is synchronous.
 */
export type SqlValue = null | number | string

export interface Statement<Row> {
  get(...parameters: SqlValue[]): Row | undefined
  all(...parameters: SqlValue[]): Row[]
  run(...parameters: SqlValue[]): void
}

export interface Sql {
  /** A host keeps what it prepared, so that texts which come again cost little. */
  prepare<Row = unknown>(text: string): Statement<Row>
  exec(script: string): void
  /**
   * A savepoint inside of an open transaction. Rolls back when `work` throws. A `StorageFailure` may have ended the
   * whole transaction: do not catch it, and stop.
   */
  transaction<T>(work: () => T): T
  bytes?(): number
  /** A larger database is not given as bytes; left out where the host has room. */
  imageMaxBytes?: number
  /** Limit of a stored value and its row; left out where the host has room. */
  valueMaxBytes?: number
  /** The bytes, between commits. */
  serialize(): Uint8Array
  /** Throws a `StorageFailure` when later commits would not last; left out where the host cannot know. */
  check?(): void
  close(discarded?: boolean): void
}
