/** What is due to other addresses than one, for whom more is due than can be sent. */
import type { InstantUs } from '../model/time.ts'
import type { Sql, Statement } from '../sql.ts'
import { DUE_FROM, type DueDelivery, isBehind, type Position } from './due-columns.ts'

/** So many callbacks are passed over in one go, so that others have their turn. */
const AMONG = 1_000

/** What was found, and up to where that is all there is. */
export interface Elsewhere {
  rows: DueDelivery[]
  through: Position
  /** Something is due behind it, perhaps. */
  more: boolean
}

/**
 * Passes callbacks over without reading them: while a receiver is slow, nearly all that is due is for it, and to look at
 * each took as long as two fifths of writing it.
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

  /** The earliest, `limit` at most, that are due by an instant behind a place already read. */
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
