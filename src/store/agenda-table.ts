/** The agenda: what is due, and when. */
import type { InstantUs } from '../model/time.ts'
import type { Counters } from './counter-table.ts'
import type { Sql, Statement } from './sql.ts'

/** Steps of payments and deliveries of callbacks wait in separate lanes of the one agenda. */
export const LANE = { steps: 0, deliveries: 1 } as const
export type Lane = (typeof LANE)[keyof typeof LANE]

/** Something that is due: an event of a payment, or an attempt of a callback. */
export interface Due {
  dueAtUs: InstantUs
  seq: number
  /** A payment's seq, or a callback's id. */
  subject: number
  event: string
}

/** An attempt of a callback that is due, and where it goes; nowhere when its callback is not stored. */
export type DueDelivery = Due & { url: string }

/** The one queue for the future: rows, so that a restart loses none of it. Order: due time, then sequence. */
export class Agenda {
  /** Told of every new due time, so that whoever keeps time can look again. */
  onAdd: (dueAtUs: InstantUs) => void = () => {}
  readonly #counters: Counters
  readonly #insert: Statement<never>
  readonly #due: Statement<{ due_at_us: number; seq: number; subject: number; event: string }>
  readonly #deliveries: Statement<{ due_at_us: number; seq: number; subject: number; event: string; url: string }>
  readonly #earliest: Statement<{ due_at_us: number }>
  readonly #removeThrough: Statement<never>
  readonly #remove: Statement<never>
  readonly #cancel: Statement<never>
  readonly #cancelAll: Statement<never>
  readonly #of: Statement<{ due_at_us: number; seq: number; subject: number; event: string }>
  readonly #count: Statement<{ n: number }>
  readonly #subjects: Statement<{ n: number }>

  constructor(sql: Sql, counters: Counters) {
    this.#counters = counters
    this.#insert = sql.prepare('INSERT INTO agenda (lane, due_at_us, seq, subject, event) VALUES (?, ?, ?, ?, ?)')
    // `+ 0`: SQLite plans a query again whenever a value that it planned by changes; it does not look into a sum.
    this.#due = sql.prepare(
      `SELECT due_at_us, seq, subject, event FROM agenda
       WHERE lane = ? + 0 AND due_at_us <= ? AND (due_at_us, seq) > (?, ?) ORDER BY due_at_us, seq LIMIT ? + 0`,
    )
    this.#deliveries = sql.prepare(
      `SELECT agenda.due_at_us, agenda.seq, agenda.subject, agenda.event, coalesce(callback.url, '') AS url
       FROM agenda LEFT JOIN callback ON callback.id = agenda.subject
       WHERE agenda.lane = ${LANE.deliveries} + 0 AND agenda.due_at_us <= ? AND (agenda.due_at_us, agenda.seq) > (?, ?)
       ORDER BY agenda.due_at_us, agenda.seq LIMIT ? + 0`,
    )
    this.#earliest = sql.prepare('SELECT due_at_us FROM agenda WHERE lane = ? + 0 ORDER BY due_at_us, seq LIMIT 1')
    this.#removeThrough = sql.prepare('DELETE FROM agenda WHERE lane = ? AND (due_at_us, seq) <= (?, ?)')
    this.#remove = sql.prepare('DELETE FROM agenda WHERE lane = ? AND due_at_us = ? AND seq = ?')
    // The plus keeps SQLite off the primary key, which would read the whole lane: few rows share a subject.
    this.#cancel = sql.prepare('DELETE FROM agenda WHERE +lane = ? AND subject = ? AND event = ?')
    this.#cancelAll = sql.prepare('DELETE FROM agenda WHERE +lane = ? AND subject = ?')
    this.#of = sql.prepare(
      'SELECT due_at_us, seq, subject, event FROM agenda WHERE +lane = ? AND subject = ? ORDER BY due_at_us, seq',
    )
    this.#subjects = sql.prepare('SELECT count(DISTINCT subject) AS n FROM agenda WHERE lane = ?')
    this.#count = sql.prepare('SELECT count(*) AS n FROM agenda WHERE lane = ?')
  }

  add(lane: Lane, dueAtUs: InstantUs, subject: number, event: string): void {
    this.#insert.run(lane, dueAtUs, this.#counters.next('agenda'), subject, event)
    this.onAdd(dueAtUs)
  }

  /** What is due by `byUs`, behind a place already read; the earliest first. */
  due(
    lane: Lane,
    byUs: InstantUs,
    limit: number,
    behind: { dueAtUs: InstantUs; seq: number } = { dueAtUs: Number.MIN_SAFE_INTEGER, seq: 0 },
  ): Due[] {
    return this.#due.all(lane, byUs, behind.dueAtUs, behind.seq, limit).map(toDue)
  }

  /** Deliveries that are due by `byUs`, behind a place already read; the earliest first. */
  deliveries(byUs: InstantUs, limit: number, behind: { dueAtUs: InstantUs; seq: number }): DueDelivery[] {
    return this.#deliveries.all(byUs, behind.dueAtUs, behind.seq, limit).map((row) => ({ ...toDue(row), url: row.url }))
  }

  earliest(lane: Lane): InstantUs | undefined {
    return this.#earliest.get(lane)?.due_at_us
  }

  /** Removes everything of a lane up to and including a row. */
  removeThrough(lane: Lane, last: Due): void {
    this.#removeThrough.run(lane, last.dueAtUs, last.seq)
  }

  remove(lane: Lane, due: { dueAtUs: InstantUs; seq: number }): void {
    this.#remove.run(lane, due.dueAtUs, due.seq)
  }

  cancel(lane: Lane, subject: number, event?: string): void {
    if (event === undefined) this.#cancelAll.run(lane, subject)
    else this.#cancel.run(lane, subject, event)
  }

  of(lane: Lane, subject: number): Due[] {
    return this.#of.all(lane, subject).map(toDue)
  }

  count(lane: Lane): number {
    return this.#count.get(lane)?.n ?? 0
  }

  /** How many payments, or callbacks, something is due for. */
  subjects(lane: Lane): number {
    return this.#subjects.get(lane)?.n ?? 0
  }
}

/** When the next step or delivery of a database falls due, of whatever schema version it is; undefined when nothing waits. */
export function nextDue(sql: Sql): InstantUs | undefined {
  const earliest = sql.prepare<{ due: number | null }>('SELECT min(due_at_us) AS due FROM agenda WHERE lane = ?')
  const due = Object.values(LANE).map((lane) => earliest.get(lane)?.due ?? Number.POSITIVE_INFINITY)
  const next = Math.min(...due)
  return next === Number.POSITIVE_INFINITY ? undefined : next
}

function toDue(row: { due_at_us: number; seq: number; subject: number; event: string }): Due {
  return { dueAtUs: row.due_at_us, seq: row.seq, subject: row.subject, event: row.event }
}
