/** Finds deliveries to other addresses while one address has more due than can be sent. */
import type { InstantUs } from '../model/time.ts'
import type { Sql, Statement } from '../sql.ts'
import { DUE_FROM, type DueDelivery, isBehind, type Position } from './due-columns.ts'

/** Rows per search, so that other work has its turn. */
const AMONG = 1_000

export interface Elsewhere {
  rows: DueDelivery[]
  through: Position
  more: boolean
}

/**
 * Skips rows in SQL without reading them. While a receiver is slow, nearly all that is due is for it, and reading each
 * row took two fifths of the time for writing it.
 */
export class DeliveriesElsewhere {
  readonly #nth: Statement<Position>
  readonly #last: Statement<Position>
  readonly #rows: Statement<DueDelivery>

  constructor(sql: Sql) {
    const place = 'due_at_us AS dueAtUs, due_seq AS seq'
    this.#nth = sql.prepare(`SELECT ${place} FROM callback WHERE ${DUE_FROM} OFFSET ? + 0`)
    this.#last = sql.prepare(
      `SELECT ${place} FROM callback WHERE due_at_us IS NOT NULL AND due_at_us <= ? + 0
       ORDER BY due_at_us DESC, due_seq DESC LIMIT 1`,
    )
    this.#rows = sql.prepare(
      `SELECT ${place}, id AS subject, due_event AS event, url FROM callback
       WHERE url <> ? || '' AND (due_at_us, due_seq) <= (? + 0, ? + 0) AND ${DUE_FROM}`,
    )
  }

  find(url: string, byUs: InstantUs, limit: number, behind: Position): Elsewhere {
    const { dueAtUs, seq } = behind
    const nth = this.#nth.get(byUs, dueAtUs, seq, 1, AMONG - 1)
    const through = nth ?? this.#last.get(byUs)
    if (!through || !isBehind(through, behind)) return { rows: [], through: behind, more: false }
    const rows = this.#rows.all(url, through.dueAtUs, through.seq, byUs, dueAtUs, seq, limit)
    const isFull = rows.length === limit
    return { rows, through: (isFull && rows.at(-1)) || through, more: isFull || nth !== undefined }
  }
}
