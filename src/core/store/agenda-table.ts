/** The agenda: everything that is due later. */
import { type Due, type DueDelivery, LANE, type Lane, type Position } from '../model/due.ts'
import type { Currency } from '../model/money.ts'
import { must } from '../model/must.ts'
import type { InstantUs } from '../model/time.ts'
import { deleteRows, insertRecord, insertRows, type Sql } from '../sql.ts'
import { Table } from './counter-table.ts'

const COLUMNS = 'agenda.dueAtUs, agenda.seq, subject, event'

/**
 * Due by an instant and behind a position, which is two values; earliest first, with a limit. `+ 0`, here and below:
 * SQLite plans a query again whenever a value that it used for planning changes, but ignores the value inside a sum.
 */
const DUE_FROM = `dueAtUs <= ? + 0 AND (dueAtUs, agenda.seq) > (? + 0, ? + 0)
  ORDER BY dueAtUs, agenda.seq LIMIT ? + 0`

/** Two values, lane and subject. By itself, SQLite would read the whole lane, so as to have it in order. */
const OF_SUBJECT = 'FROM agenda INDEXED BY agenda_subject WHERE lane = ? AND subject = ?'

/** The payments that have a step due up to a position, which is two values. */
export const STEPPED_THROUGH = `SELECT subject FROM agenda
  WHERE lane = ${LANE.steps} AND (dueAtUs, seq) <= (? + 0, ? + 0)`

export const BEGINNING: Position = { dueAtUs: Number.MIN_SAFE_INTEGER, seq: 0 }

export function isBehind(place: Position, other: Position): boolean {
  return place.dueAtUs > other.dueAtUs || (place.dueAtUs === other.dueAtUs && place.seq > other.seq)
}

/** The only queue for the future, stored so that a restart loses nothing. Ordered by due time, then sequence. */
export class Agenda extends Table {
  /** Called for every new due time, so that the timekeeper can wake earlier. */
  onDue: (dueAtUs: InstantUs) => void = () => {}
  readonly #insert = insertRows(this.sql, 'agenda', ['lane', 'dueAtUs', 'seq', 'subject', 'event'])
  readonly #due = this.sql.prepare<Due>(`SELECT ${COLUMNS} FROM agenda WHERE lane = ? + 0 AND ${DUE_FROM}`)
  readonly #deliveries = this.sql.prepare<DueDelivery>(
    `SELECT ${COLUMNS}, coalesce(callback.url, '') AS url
     FROM agenda LEFT JOIN callback ON callback.id = agenda.subject
     WHERE lane = ${LANE.deliveries} AND ${DUE_FROM}`,
  )
  readonly #earliest = this.sql.prepare<{ dueAtUs: number }>(
    'SELECT dueAtUs FROM agenda WHERE lane = ? + 0 ORDER BY dueAtUs LIMIT 1',
  )
  readonly #removeThrough = this.sql.prepare<never>(
    'DELETE FROM agenda WHERE lane = ? + 0 AND (dueAtUs, seq) <= (? + 0, ? + 0)',
  )
  readonly #remove = deleteRows(this.sql, 'agenda', ['lane', 'dueAtUs', 'seq'])
  readonly #cancel = this.sql.prepare<never>(`DELETE ${OF_SUBJECT} AND event = coalesce(?, event)`)

  add(lane: Lane, dueAtUs: InstantUs, subject: number, event: string): void {
    this.#insert.run(lane, dueAtUs, this.counters.next('agenda'), subject, event)
    this.onDue(dueAtUs)
  }

  due(lane: Lane, byUs: InstantUs, limit: number): Due[] {
    return this.#due.all(lane, byUs, BEGINNING.dueAtUs, BEGINNING.seq, limit)
  }

  deliveries(byUs: InstantUs, limit: number, behind: Position): DueDelivery[] {
    return this.#deliveries.all(byUs, behind.dueAtUs, behind.seq, limit)
  }

  earliest(lane: Lane): InstantUs {
    return this.#earliest.get(lane)?.dueAtUs ?? Number.POSITIVE_INFINITY
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
    return this.rows<Due>(`SELECT ${COLUMNS} ${OF_SUBJECT} ORDER BY dueAtUs, agenda.seq`, lane, subject)
  }

  count(lane: Lane): number {
    return this.#counted('agenda WHERE lane = ?', lane)
  }

  subjects(lane: Lane): number {
    return this.#counted('(SELECT DISTINCT subject FROM agenda WHERE lane = ?)', lane)
  }

  #counted(from: string, lane: Lane): number {
    return this.row<{ n: number }>(`SELECT count(*) AS n FROM ${from}`, lane)?.n ?? 0
  }
}

/** The next due time; undefined when nothing is due. */
export function nextDue(sql: Sql, callbacksPaused: boolean): InstantUs | undefined {
  const lanes = callbacksPaused ? [LANE.steps] : Object.values(LANE)
  const earliest = sql.prepare<{ due: number | null }>('SELECT min(dueAtUs) AS due FROM agenda WHERE lane = ?')
  const due = lanes.flatMap((lane) => earliest.get(lane)?.due ?? [])
  return due.length > 0 ? Math.min(...due) : undefined
}

// Payments that wait for the float of their rail.

export interface QueuedPayment {
  paymentSeq: number
  float: string
  currency: Currency
  amountMinor: number
  /** Reserved to the float by the ledger, although the float cannot cover it. */
  reservedMinor: number
}

export class FloatQueue extends Table {
  add(one: QueuedPayment): void {
    insertRecord(this.sql, 'waiting', one)
  }

  remove(paymentSeq: number): void {
    this.run('DELETE FROM waiting WHERE paymentSeq = ?', paymentSeq)
  }

  has(paymentSeq: number): boolean {
    return this.row('SELECT 1 FROM waiting WHERE paymentSeq = ?', paymentSeq) !== undefined
  }

  of(float: string, currency: Currency): QueuedPayment[] {
    return this.rows('SELECT * FROM waiting WHERE float = ? AND currency = ? ORDER BY paymentSeq', float, currency)
  }

  floats(): { float: string; currency: Currency }[] {
    return this.rows('SELECT DISTINCT float, currency FROM waiting ORDER BY float, currency')
  }

  totals(float: string, currency: Currency): { payments: number; amountMinor: number; reservedMinor: number } {
    const text = `SELECT count(*) AS payments, coalesce(sum(amountMinor), 0) AS amountMinor,
      coalesce(sum(reservedMinor), 0) AS reservedMinor FROM waiting WHERE float = ? AND currency = ?`
    return must(this.row(text, float, currency))
  }
}
