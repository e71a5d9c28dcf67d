/** The agenda: everything that is due later. */
import { type Due, type DueDelivery, LANE, type Lane, type Position } from '../model/due.ts'
import type { InstantUs } from '../model/time.ts'
import type { Sql, Statement } from '../sql.ts'
import type { Counters } from './counter-table.ts'

const COLUMNS = 'agenda.due_at_us AS dueAtUs, agenda.seq, subject, event'

/**
 * Due by an instant and behind a position, which is two values; earliest first, with a limit. `+ 0`: SQLite plans a
 * query again whenever a value that it used for planning changes, but ignores the value inside a sum.
 */
const DUE_FROM = `due_at_us <= ? + 0 AND (due_at_us, agenda.seq) > (? + 0, ? + 0)
  ORDER BY due_at_us, agenda.seq LIMIT ? + 0`

/** The payments that have a step due up to a position, which is two values. */
export const STEPPED_THROUGH = `SELECT subject FROM agenda
  WHERE lane = ${LANE.steps} AND (due_at_us, seq) <= (? + 0, ? + 0)`

export const BEGINNING: Position = { dueAtUs: Number.MIN_SAFE_INTEGER, seq: 0 }

export function isBehind(place: Position, other: Position): boolean {
  return place.dueAtUs > other.dueAtUs || (place.dueAtUs === other.dueAtUs && place.seq > other.seq)
}

/** The only queue for the future, stored so that a restart loses nothing. Ordered by due time, then sequence. */
export class Agenda {
  /** Called for every new due time, so that the timekeeper can wake earlier. */
  onAdd: (dueAtUs: InstantUs) => void = () => {}
  readonly #sql: Sql
  readonly #counters: Counters
  readonly #insert: Statement<never>
  readonly #due: Statement<Due>
  readonly #deliveries: Statement<DueDelivery>
  readonly #earliest: Statement<{ due_at_us: number }>
  readonly #removeThrough: Statement<never>
  readonly #remove: Statement<never>
  readonly #cancel: Statement<never>
  readonly #of: Statement<Due>

  constructor(sql: Sql, counters: Counters) {
    this.#sql = sql
    this.#counters = counters
    this.#insert = sql.prepare('INSERT INTO agenda (lane, due_at_us, seq, subject, event) VALUES (?, ?, ?, ?, ?)')
    this.#due = sql.prepare(`SELECT ${COLUMNS} FROM agenda WHERE lane = ? AND ${DUE_FROM}`)
    this.#deliveries = sql.prepare(
      `SELECT ${COLUMNS}, coalesce(callback.url, '') AS url
       FROM agenda LEFT JOIN callback ON callback.id = agenda.subject
       WHERE lane = ${LANE.deliveries} AND ${DUE_FROM}`,
    )
    this.#earliest = sql.prepare('SELECT due_at_us FROM agenda WHERE lane = ? ORDER BY due_at_us LIMIT 1')
    this.#removeThrough = sql.prepare('DELETE FROM agenda WHERE lane = ? AND (due_at_us, seq) <= (?, ?)')
    this.#remove = sql.prepare('DELETE FROM agenda WHERE lane = ? AND due_at_us = ? AND seq = ?')
    this.#cancel = sql.prepare('DELETE FROM agenda WHERE lane = ? AND subject = ? AND event = coalesce(?, event)')
    this.#of = sql.prepare(
      `SELECT ${COLUMNS} FROM agenda WHERE lane = ? AND subject = ? ORDER BY due_at_us, agenda.seq`,
    )
  }

  add(lane: Lane, dueAtUs: InstantUs, subject: number, event: string): void {
    this.#insert.run(lane, dueAtUs, this.#counters.next('agenda'), subject, event)
    this.onAdd(dueAtUs)
  }

  due(lane: Lane, byUs: InstantUs, limit: number): Due[] {
    return this.#due.all(lane, byUs, BEGINNING.dueAtUs, BEGINNING.seq, limit)
  }

  deliveries(byUs: InstantUs, limit: number, behind: Position): DueDelivery[] {
    return this.#deliveries.all(byUs, behind.dueAtUs, behind.seq, limit)
  }

  earliest(lane: Lane): InstantUs | undefined {
    return this.#earliest.get(lane)?.due_at_us
  }

  removeThrough(lane: Lane, last: Position): void {
    this.#removeThrough.run(lane, last.dueAtUs, last.seq)
  }

  remove(lane: Lane, { dueAtUs, seq }: Position): void {
    this.#remove.run(lane, dueAtUs, seq)
  }

  cancel(lane: Lane, subject: number, event?: string): void {
    this.#cancel.run(lane, subject, event ?? null)
  }

  of(lane: Lane, subject: number): Due[] {
    return this.#of.all(lane, subject)
  }

  count(lane: Lane): number {
    return this.#counted('FROM agenda WHERE lane = ?', lane)
  }

  subjects(lane: Lane): number {
    return this.#counted('FROM (SELECT DISTINCT subject FROM agenda WHERE lane = ?)', lane)
  }

  #counted(from: string, lane: Lane): number {
    return this.#sql.prepare<{ n: number }>(`SELECT count(*) AS n ${from}`).get(lane)?.n ?? 0
  }
}

/** The next due time; undefined when nothing is due. */
export function nextDue(sql: Sql, { callbacksPaused = false } = {}): InstantUs | undefined {
  const lanes = callbacksPaused ? [LANE.steps] : Object.values(LANE)
  const earliest = sql.prepare<{ due: number | null }>('SELECT min(due_at_us) AS due FROM agenda WHERE lane = ?')
  const due = lanes.flatMap((lane) => earliest.get(lane)?.due ?? [])
  return due.length > 0 ? Math.min(...due) : undefined
}
