/** Several rows of a table in one statement: behind `Sql.rowWriter`, whose callers write them one by one. */
import type Database from 'better-sqlite3'
import type { RowWriter, SqlValue } from '../../../core/sql.ts'

/** With it a payment that falls due takes 10 to 13 % less processor time; more rows in a statement gave nothing. */
const TOGETHER = 40

interface Waiting {
  one: Database.Statement
  values: SqlValue[]
  rows: number
}

interface Connection {
  prepare(text: string): Database.Statement
  db: Database.Database
  /** The connection of a closed world may be another's by now. */
  requireOpen(): void
  failed(error: unknown): unknown
}

/** All of a connection: what waits is written before any other statement, or forgotten with its transaction. */
export class RowWriters {
  readonly #connection: Connection
  readonly #waiting: Waiting[] = []

  constructor(connection: Connection) {
    this.#connection = connection
  }

  writer(textOf: (rows: number) => string): RowWriter {
    const { db, prepare, requireOpen, failed } = this.#connection
    let own: Waiting | undefined
    return {
      run: (...row) => {
        requireOpen()
        own ??= { one: prepare(textOf(1)), values: [], rows: 0 }
        if (own.rows === 0) this.#waiting.push(own)
        for (let i = 0; i < row.length; i++) own.values.push(row[i] as SqlValue)
        own.rows++
        if (own.rows < TOGETHER && db.inTransaction) return
        try {
          if (own.rows < TOGETHER) this.writeAll()
          else {
            this.#waiting.splice(this.#waiting.indexOf(own), 1)
            prepare(textOf(TOGETHER)).run(taken(own))
          }
        } catch (error) {
          throw failed(error)
        }
      },
    }
  }

  writeAll(): void {
    for (let next = this.#waiting.pop(); next; next = this.#waiting.pop()) {
      const { values, rows } = next
      next.values = []
      next.rows = 0
      const width = values.length / rows
      for (let at = 0; at < values.length; at += width) next.one.run(values.slice(at, at + width))
    }
  }

  forgetAll(): void {
    for (const one of this.#waiting.splice(0)) taken(one)
  }
}

function taken(waiting: Waiting): SqlValue[] {
  const { values } = waiting
  waiting.values = []
  waiting.rows = 0
  return values
}
