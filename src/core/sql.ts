/**
 * All that the core knows of SQLite. better-sqlite3 implements it (`hosts/node/sqlite.ts`), and so does the
 * SQLite storage of a Durable Object (`hosts/workers/storage-sql.ts`). Parameters are positional; everything is synchronous.
 */
export type SqlValue = null | number | string

export interface Statement<Row> {
  get(...parameters: SqlValue[]): Row | undefined
  all(...parameters: SqlValue[]): Row[]
  run(...parameters: SqlValue[]): void
}

export interface Sql {
  prepare<Row = unknown>(text: string): Statement<Row>
  /**
   * An INSERT of a row: `into` up to VALUES, `row` what stands behind it. A host may write the rows of a transaction
   * together, before the next read, or write that is none of these.
   */
  insertion(into: string, row: string): Pick<Statement<never>, 'run'>
  /**
   * A change of one row, as an upsert: `into` and `row` as of an `insertion`, the first value is the row's key, and
   * `change` what stands behind it, from ON CONFLICT on. The row must be stored, or added in the same transaction: what it
   * cannot do without has any value in `row`. Changes of a table say all of what any of them changes, so that a host may
   * write the last one for each row alone.
   */
  change(into: string, row: string, change: string): Pick<Statement<never>, 'run'>
  /** Runs statements without parameters, separated by semicolons. */
  exec(script: string): void
  /**
   * Runs `work` in a transaction, or in a savepoint when one is open; rolls back when it throws. A `StorageFailure` inside
   * of it may have ended the whole transaction: let it through, and go on with nothing.
   */
  transaction<T>(work: () => T): T
  /** How many bytes it takes; left out where SQLite itself says so. */
  bytes?(): number
  /** A larger one is not given as bytes; left out where the host has room. */
  imageMaxBytes?: number
  /** A stored value, and the row that it is in, take so many bytes at most; left out where the host has room. */
  valueMaxBytes?: number
  /** The database as one run of bytes, between commits; undefined where the storage cannot give it. */
  serialize?(): Uint8Array
  /** Throws a `StorageFailure` when what is committed from now on would not last; left out where that cannot be known. */
  check?(): void
  /** `discarded`: what it holds is about to be replaced or removed, so that nobody need wait until the disk has it. */
  close(discarded?: boolean): void
}
