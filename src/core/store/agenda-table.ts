/** The agenda: everything that is due later. */
import { type Due, LANE, type Lane, type Waiting } from '../model/due.ts'
import type { InstantUs } from '../model/time.ts'
import type { Sql, Statement } from '../sql.ts'
import type { Counters } from './counter-table.ts'
import { DeliveriesElsewhere, type Elsewhere } from './deliveries-elsewhere.ts'
import { BEGINNING, DUE_FROM, DUE_THROUGH, type DueDelivery, type Position } from './due-columns.ts'

/**
 * The only queue for the future, stored in rows so that a restart loses nothing. Ordered by due time, then sequence.
 * The first thing that a payment or callback waits for is in its own row; only further ones are rows here, which is
 * rare.
 */
export class Agenda {
  /** Called for every new due time, so that the timekeeper can wake earlier. */
  onAdd: (dueAtUs: InstantUs) => void = () => {}
  readonly #counters: Counters
  readonly #own: readonly [OwnRows, OwnRows]
  readonly #more: MoreRows
  readonly #elsewhere: DeliveriesElsewhere

  constructor(sql: Sql, counters: Counters) {
    this.#counters = counters
    this.#own = [new OwnRows(sql, 'payment', 'seq'), new OwnRows(sql, 'callback', 'id')]
    this.#more = new MoreRows(sql)
    this.#elsewhere = new DeliveriesElsewhere(sql)
  }

  /** `waiting`: the payment or callback. Its own row takes the entry if that is still free; the caller saves it. */
  add(lane: Lane, dueAtUs: InstantUs, subject: number, event: string, waiting?: Waiting): void {
    const due = { dueAtUs, seq: this.#counters.next('agenda'), subject, event }
    if (waiting?.due === null) waiting.due = due
    else this.#more.insert(lane, due)
    this.onAdd(dueAtUs)
  }

  due(lane: Lane, byUs: InstantUs, limit: number, behind: Position = BEGINNING): Due[] {
    const own = this.#own[lane].due(byUs, limit, behind)
    return this.#more.any ? inOrder([...own, ...this.#more.due(lane, byUs, limit, behind)], limit) : own
  }

  dueSteps(own: readonly Due[], byUs: InstantUs, limit: number): readonly Due[] {
    return this.#more.any ? inOrder([...own, ...this.#more.due(LANE.steps, byUs, limit, BEGINNING)], limit) : own
  }

  deliveries(byUs: InstantUs, limit: number, behind: Position): DueDelivery[] {
    const own = this.#own[LANE.deliveries].due(byUs, limit, behind) as DueDelivery[]
    return this.#more.any ? inOrder([...own, ...this.#more.deliveries(byUs, limit, behind)], limit) : own
  }

  /** Like `deliveries`, without those to one address. `more`: call again, because only a part was searched. */
  deliveriesElsewhere(url: string, byUs: InstantUs, limit: number, behind: Position): Elsewhere {
    if (!this.#more.any) return this.#elsewhere.find(url, byUs, limit, behind)
    const rows = this.deliveries(byUs, limit, behind)
    return { rows, through: rows.at(-1) ?? behind, more: rows.length === limit }
  }

  earliest(lane: Lane): InstantUs | undefined {
    const own = this.#own[lane].earliest()
    const more = this.#more.any ? this.#more.earliest(lane) : undefined
    return own === undefined || more === undefined ? (own ?? more) : Math.min(own, more)
  }

  removeThrough(lane: Lane, last: Position): void {
    this.#own[lane].clearThrough(last)
    if (this.#more.any) this.#more.removeThrough(lane, last)
  }

  remove(lane: Lane, due: Pick<Due, 'dueAtUs' | 'seq' | 'subject'>): void {
    this.#own[lane].clear(due)
    if (this.#more.any) this.#more.remove(lane, due)
  }

  cancel(lane: Lane, subject: number, waiting: Waiting, event?: string): void {
    if (waiting.due && (event === undefined || waiting.due.event === event)) waiting.due = null
    if (this.#more.any) this.#more.cancel(lane, subject, event)
  }

  of(lane: Lane, subject: number): Due[] {
    const own = this.#own[lane].of(subject)
    const more = this.#more.any ? this.#more.of(lane, subject) : []
    return inOrder(own ? [own, ...more] : more, Number.POSITIVE_INFINITY)
  }

  count(lane: Lane): number {
    return this.#own[lane].count() + this.#more.count(lane)
  }

  subjects(lane: Lane): number {
    return this.#own[lane].count() + this.#more.subjectsBesides(lane)
  }
}

class OwnRows {
  readonly #due: Statement<Due>
  readonly #earliest: Statement<{ due_at_us: number }>
  readonly #clearThrough: Statement<never>
  readonly #clear: Statement<never>
  readonly #of: Statement<Due>
  readonly #count: Statement<{ n: number }>

  constructor(sql: Sql, table: 'payment' | 'callback', key: string) {
    const columns = `due_at_us AS dueAtUs, due_seq AS seq, ${key} AS subject, due_event AS event`
    const url = table === 'callback' ? ', url' : ''
    const nothing = 'due_at_us = NULL, due_seq = NULL, due_event = NULL'
    this.#due = sql.prepare(`SELECT ${columns}${url} FROM ${table} WHERE ${DUE_FROM}`)
    this.#earliest = sql.prepare(
      `SELECT due_at_us FROM ${table} WHERE due_at_us IS NOT NULL ORDER BY due_at_us LIMIT 1`,
    )
    this.#clearThrough = sql.prepare(`UPDATE ${table} SET ${nothing} WHERE ${DUE_THROUGH}`)
    this.#clear = sql.prepare(`UPDATE ${table} SET ${nothing} WHERE ${key} = ? AND due_seq = ? + 0`)
    this.#of = sql.prepare(`SELECT ${columns} FROM ${table} WHERE ${key} = ? AND due_at_us IS NOT NULL`)
    this.#count = sql.prepare(`SELECT count(*) AS n FROM ${table} WHERE due_at_us IS NOT NULL`)
  }

  due(byUs: InstantUs, limit: number, behind: Position): Due[] {
    return this.#due.all(byUs, behind.dueAtUs, behind.seq, limit)
  }

  earliest(): InstantUs | undefined {
    return this.#earliest.get()?.due_at_us
  }

  clearThrough(last: Position): void {
    this.#clearThrough.run(last.dueAtUs, last.seq)
  }

  clear({ subject, seq }: Pick<Due, 'subject' | 'seq'>): void {
    this.#clear.run(subject, seq)
  }

  of(subject: number): Due | undefined {
    return this.#of.get(subject)
  }

  count(): number {
    return this.#count.get()?.n ?? 0
  }
}

const COLUMNS = 'agenda.due_at_us AS dueAtUs, agenda.seq, subject, event'

/** Further entries: second waits of a payment, copies of a callback, and entries without payment or callback. */
class MoreRows {
  /** False while there are certainly none, so that nobody has to look. */
  any: boolean
  readonly #insert: Statement<never>
  readonly #due: Statement<Due>
  readonly #deliveries: Statement<DueDelivery>
  readonly #earliest: Statement<{ due_at_us: number }>
  readonly #removeThrough: Statement<never>
  readonly #remove: Statement<never>
  readonly #cancel: Statement<never>
  readonly #of: Statement<Due>
  readonly #count: Statement<{ n: number }>
  readonly #subjects: readonly [Statement<{ n: number }>, Statement<{ n: number }>]

  constructor(sql: Sql) {
    this.#insert = sql.prepare('INSERT INTO agenda (lane, due_at_us, seq, subject, event) VALUES (?, ?, ?, ?, ?)')
    this.#due = sql.prepare(
      `SELECT ${COLUMNS} FROM agenda
       WHERE lane = ? + 0 AND due_at_us <= ? AND (due_at_us, seq) > (?, ?) ORDER BY due_at_us, seq LIMIT ? + 0`,
    )
    this.#deliveries = sql.prepare(
      `SELECT ${COLUMNS}, coalesce(callback.url, '') AS url
       FROM agenda LEFT JOIN callback ON callback.id = agenda.subject
       WHERE agenda.lane = ${LANE.deliveries} + 0 AND agenda.due_at_us <= ? AND (agenda.due_at_us, agenda.seq) > (?, ?)
       ORDER BY agenda.due_at_us, agenda.seq LIMIT ? + 0`,
    )
    this.#earliest = sql.prepare('SELECT due_at_us FROM agenda WHERE lane = ? + 0 ORDER BY due_at_us, seq LIMIT 1')
    this.#removeThrough = sql.prepare('DELETE FROM agenda WHERE lane = ? AND (due_at_us, seq) <= (?, ?)')
    this.#remove = sql.prepare('DELETE FROM agenda WHERE lane = ? AND due_at_us = ? AND seq = ?')
    // The plus keeps SQLite off the primary key, which would read the whole lane: few rows share a subject.
    this.#cancel = sql.prepare('DELETE FROM agenda WHERE +lane = ? AND subject = ? AND event = coalesce(?, event)')
    this.#of = sql.prepare(`SELECT ${COLUMNS} FROM agenda WHERE +lane = ? AND subject = ?`)
    this.#count = sql.prepare('SELECT count(*) AS n FROM agenda WHERE lane = ?')
    const besides = (table: string, key: string) =>
      sql.prepare<{ n: number }>(
        `SELECT count(DISTINCT subject) AS n FROM agenda WHERE lane = ?
           AND NOT EXISTS (SELECT 1 FROM ${table} WHERE ${key} = agenda.subject AND due_at_us IS NOT NULL)`,
      )
    this.#subjects = [besides('payment', 'seq'), besides('callback', 'id')]
    this.any = sql.prepare('SELECT 1 FROM agenda LIMIT 1').get() !== undefined
  }

  insert(lane: Lane, due: Due): void {
    this.any = true
    this.#insert.run(lane, due.dueAtUs, due.seq, due.subject, due.event)
  }

  due(lane: Lane, byUs: InstantUs, limit: number, behind: Position): Due[] {
    return this.#due.all(lane, byUs, behind.dueAtUs, behind.seq, limit)
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

  remove(lane: Lane, due: Position): void {
    this.#remove.run(lane, due.dueAtUs, due.seq)
  }

  cancel(lane: Lane, subject: number, event?: string): void {
    this.#cancel.run(lane, subject, event ?? null)
  }

  of(lane: Lane, subject: number): Due[] {
    return this.#of.all(lane, subject)
  }

  count(lane: Lane): number {
    return this.#count.get(lane)?.n ?? 0
  }

  subjectsBesides(lane: Lane): number {
    return this.#subjects[lane].get(lane)?.n ?? 0
  }
}

/** The next due time in a database of any schema version; undefined when nothing is due. */
export function nextDue(sql: Sql, { callbacksPaused = false } = {}): InstantUs | undefined {
  const earliest = (from: string) =>
    sql.prepare<{ due: number | null }>(`SELECT min(due_at_us) AS due FROM ${from}`).get()?.due ?? null
  const waits = (table: string) =>
    sql.prepare("SELECT 1 FROM pragma_table_info(?) WHERE name = 'due_at_us'").get(table) !== undefined
  const due = [
    ...Object.values(LANE)
      .filter((lane) => !(callbacksPaused && lane === LANE.deliveries))
      .map((lane) => earliest(`agenda WHERE lane = ${lane}`)),
    ...(callbacksPaused ? ['payment'] : ['payment', 'callback'])
      .filter(waits)
      .map((table) => earliest(`${table} WHERE due_at_us IS NOT NULL`)),
  ].filter((atUs) => atUs !== null)
  return due.length > 0 ? Math.min(...due) : undefined
}

function inOrder<T extends Due>(rows: T[], limit: number): T[] {
  return rows.sort((one, other) => one.dueAtUs - other.dueAtUs || one.seq - other.seq).slice(0, limit)
}
