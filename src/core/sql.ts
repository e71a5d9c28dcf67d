/**
 * Everything that the core knows of SQLite. better-sqlite3 (`hosts/node/sqlite.ts`) and the storage of a Durable Object
 * (`hosts/workers/object/storage-sql.ts`) implement it. Parameters are positional; everything is synchronous.
 */
import { commonReasons, refused } from './model/refusal.ts'

export type SqlValue = null | number | string

/** A record as it is stored: each column has the name of the field that it holds, and some hold JSON. */
export type Stored<Kept, AsJson extends keyof Kept = never> = {
  [Field in keyof Kept]: Field extends AsJson
    ? string | Extract<Kept[Field], null>
    : Kept[Field] extends boolean
      ? number
      : Kept[Field]
}

export interface Statement<Row> {
  get(...parameters: SqlValue[]): Row | undefined
  all(...parameters: SqlValue[]): Row[]
  run(...parameters: SqlValue[]): void
}

/** Writes a row at each `run`, or later, together with others, but before any other statement. */
export type RowWriter = Pick<Statement<never>, 'run'>

/** How the rows of a table are written by one statement. */
export interface RowText {
  table: string
  /** The parameter that says which row is changed; none where rows are added or removed. */
  key?: number
  of(rows: number): string
}

export interface Sql {
  /** A host keeps what it prepared, so that texts which come again cost little. */
  prepare<Row = unknown>(text: string): Statement<Row>
  /** For `insertRows` and the others below; left out where a statement has few parameters. */
  rowWriter?(text: RowText): RowWriter
  exec(script: string): void
  file?: string | undefined
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

function rowWriter(sql: Sql, text: RowText): RowWriter {
  return sql.rowWriter?.(text) ?? sql.prepare(text.of(1))
}

function marks(columns: readonly string[], rows: number): string {
  const row = `(${columns.map(() => '?').join(', ')})`
  return Array(rows).fill(row).join(', ')
}

export function insertRows(sql: Sql, table: string, columns: readonly string[]): RowWriter {
  const into = `INSERT INTO ${table} (${columns.join(', ')}) VALUES`
  return rowWriter(sql, { table, of: (rows) => `${into} ${marks(columns, rows)}` })
}

type Storable = SqlValue | boolean | readonly string[]

/** Each field goes into the column of its name; a list as JSON. Works out its text each time, so it is for rare rows. */
export function insertRecord<Kept extends { [Field in keyof Kept]: Storable }>(
  sql: Sql,
  table: string,
  record: Kept,
  verb: 'INSERT' | 'REPLACE' = 'INSERT',
): void {
  const columns = Object.keys(record)
  const values = Object.values<Storable>(record).map((value) => {
    if (typeof value === 'boolean') return Number(value)
    return typeof value === 'object' && value ? JSON.stringify(value) : value
  })
  sql.prepare(`${verb} INTO ${table} (${columns.join(', ')}) VALUES ${marks(columns, 1)}`).run(...values)
}

/** The parameters are the columns in their order, then the key. */
export function updateRows(sql: Sql, table: string, columns: readonly string[], key: string): RowWriter {
  const set = (value: (i: number) => string) => columns.map((column, i) => `${column} = ${value(i)}`).join(', ')
  return rowWriter(sql, {
    table,
    key: columns.length,
    of: (rows) =>
      rows === 1
        ? `UPDATE ${table} SET ${set(() => '?')} WHERE ${key} = ?`
        : `UPDATE ${table} SET ${set((i) => `column${i + 1}`)} FROM (VALUES ${marks([...columns, key], rows)})
           WHERE ${key} = column${columns.length + 1}`,
  })
}

export function deleteRows(sql: Sql, table: string, columns: readonly string[]): RowWriter {
  const from = `DELETE FROM ${table} WHERE (${columns.join(', ')}) IN (VALUES`
  return rowWriter(sql, { table, of: (rows) => `${from} ${marks(columns, rows)})` })
}

// SQLite or the file system failed.

export interface StorageProblem {
  /** `SQLITE_FULL` or `ENOSPC`, as SQLite or the system names it; mfano's own is `FILE_GONE`. */
  code: string
  what: string
  why: string
  todo: string
}

/**
 * The transaction was rolled back; trying later may work. It is no refusal, because a refusal is an answer that is
 * stored.
 */
export class StorageFailure extends Error {
  readonly problem: StorageProblem
  readonly hint: string

  constructor(problem: StorageProblem, cause?: unknown) {
    super(`${problem.what} (${problem.code}): ${problem.why}.`, { cause })
    this.name = 'StorageFailure'
    this.problem = problem
    this.hint = problem.todo
  }

  /** The file is damaged or no database: only this world is lost, and the disk is fine. */
  get unreadable(): boolean {
    return /^SQLITE_(?:NOTADB|CORRUPT)/.test(this.problem.code)
  }
}

export function hasNoDescriptor(error: unknown): boolean {
  const { code, message = '', problem = { code } } = (error ?? {}) as Partial<StorageFailure> & { code?: string }
  // Node has a code of its own where it reads a package.
  return problem.code === 'EMFILE' || problem.code === 'ENFILE' || message.endsWith('too many open files.')
}

/** Turns a temporary failure into a refusal that asks to try again. Anything else stays. */
export function storageRefusal(error: unknown): unknown {
  if (error instanceof StorageFailure) return refused(commonReasons.worldClosed, `${error.message} ${error.hint}`)
  if (!hasNoDescriptor(error)) return error
  return refused(commonReasons.worldClosed, 'mfano may not open another file or connection at the moment; ask again')
}
