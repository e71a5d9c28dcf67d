/** The outbox: callbacks and their attempts. */
import type { Attempt, Callback } from '../model/callback.ts'
import { LANE } from '../model/due.ts'
import { insertRows, type Stored, updateRows } from '../sql.ts'
import { Table } from './counter-table.ts'
import { PAYMENT_TEXT } from './payment-table.ts'
import { Conditions, type Paging, parsedJson, slicesThrough } from './queries.ts'

type Row = Stored<Callback, 'fault' | 'trace'>

export class Callbacks extends Table {
  readonly #insert = insertRows(this.sql, 'callback', [
    ...['id', 'uid', 'paymentSeq', 'topic', 'url', 'body', 'state', 'attempts', 'createdAtUs'],
    ...['settledAtUs', 'fault', 'trace'],
  ])
  readonly #byId = this.sql.prepare<Row>('SELECT * FROM callback WHERE id = ?')
  readonly #byIds = this.sql.prepare<Row>('SELECT * FROM callback WHERE id IN (SELECT value FROM json_each(?))')
  /** As stored, of callbacks that are being sent: to read each alone would end the wait of rows that are written together. */
  readonly #ahead = new Map<number, Row>()
  readonly #update = updateRows(this.sql, 'callback', ['state', 'attempts', 'settledAtUs'], 'id')
  readonly #attempt = insertRows(this.sql, 'attempt', [
    ...['callbackId', 'number', 'sentAtUs', 'tookMs', 'url', 'headers', 'status', 'responseBody', 'error'],
    ...['diagnosis', 'byHand', 'forwarder'],
  ])
  readonly #automaticAttempts = this.sql.prepare<{ n: number }>(
    'SELECT count(*) AS n FROM attempt WHERE callbackId = ? AND byHand = 0',
  )
  /** False while certainly none is held, so that nobody has to look. */
  #anyHeld = this.sql.prepare("SELECT 1 FROM callback WHERE state = 'held' LIMIT 1").get() !== undefined

  insert(c: Callback): void {
    if (c.state === 'held') this.#anyHeld = true
    const { id, uid, paymentSeq, topic, url, body, state, attempts, createdAtUs, settledAtUs } = c
    const rare = [c.fault && JSON.stringify(c.fault), c.trace && JSON.stringify(c.trace)]
    this.#insert.run(id, uid, paymentSeq, topic, url, body, state, attempts, createdAtUs, settledAtUs, ...rare)
  }

  save(c: Callback): void {
    if (c.state === 'held') this.#anyHeld = true
    this.#ahead.delete(c.id)
    this.#update.run(c.state, c.attempts, c.settledAtUs, c.id)
  }

  addAttempt(a: Attempt): void {
    this.#attempt.run(
      a.callbackId,
      a.number,
      a.sentAtUs,
      a.tookMs,
      a.url,
      JSON.stringify(a.headers),
      a.status,
      a.responseBody,
      a.error,
      a.diagnosis && JSON.stringify(a.diagnosis),
      a.byHand ? 1 : 0,
      a.forwarder,
    )
  }

  byId(id: number): Callback | undefined {
    const row = this.#ahead.get(id) ?? this.#byId.get(id)
    return row && toCallback(row)
  }

  readAhead(ids: readonly number[]): void {
    this.undo.onRollback(() => this.#ahead.clear())
    for (const row of this.#byIds.all(JSON.stringify(ids))) this.#ahead.set(row.id, row)
  }

  byUid(uid: string): Callback | undefined {
    const id = this.ids.numberOf('callback', uid.slice('msg_'.length))
    const found = id === undefined ? undefined : this.byId(id)
    return found?.uid === uid ? found : undefined
  }

  heldAt(url: string): Callback[] {
    if (!this.#anyHeld) return []
    // SQLite would plan it anew for each address, because of the index that holds the held ones alone.
    const text = "SELECT * FROM callback WHERE state = 'held' AND url = ? || '' ORDER BY id"
    return this.rows<Row>(text, url).map(toCallback)
  }

  ofPayment(paymentSeq: number): Callback[] {
    return this.rows<Row>('SELECT * FROM callback WHERE paymentSeq = ? + 0 ORDER BY id', paymentSeq).map(toCallback)
  }

  page(options: Paging & { state?: string | undefined; paymentSeq?: number | undefined }): Callback[] {
    return new Conditions()
      .add("state = ? || ''", options.state)
      .add('paymentSeq = ? + 0', options.paymentSeq)
      .text(
        options.texts,
        ['callback.uid', 'callback.url', 'callback.body', ...PAYMENT_TEXT],
        (sql) =>
          `EXISTS (SELECT 1 FROM (SELECT 1) LEFT JOIN payment ON payment.seq = callback.paymentSeq WHERE ${sql})`,
      )
      .within(this.sql, 'callback', options, 'id')
      .page<Row>(this.sql, 'callback', 'id', options)
      .map(toCallback)
  }

  attemptsOf(callbackId: number): Attempt[] {
    const text = 'SELECT * FROM attempt WHERE callbackId = ? ORDER BY number'
    return this.rows<Stored<Attempt, 'headers' | 'diagnosis'>>(text, callbackId).map((row) => ({
      ...row,
      headers: JSON.parse(row.headers),
      diagnosis: parsedJson(row.diagnosis),
      byHand: row.byHand === 1,
    }))
  }

  automaticAttempts({ id, attempts }: Pick<Callback, 'id' | 'attempts'>): number {
    if (attempts === 0) return 0
    return this.#automaticAttempts.get(id)?.n ?? 0
  }

  endOfAttempt(id: number, number: number): Pick<Attempt, 'status' | 'error' | 'diagnosis'> | undefined {
    const text = 'SELECT status, error, diagnosis FROM attempt WHERE callbackId = ? AND number = ?'
    const row = this.row<Stored<Pick<Attempt, 'status' | 'error' | 'diagnosis'>, 'diagnosis'>>(text, id, number)
    return row && { ...row, diagnosis: parsedJson(row.diagnosis) }
  }

  /** By state; and how many of those that are due were tried before. */
  *counting(): Generator<void, { counts: Record<Callback['state'], number>; retrying: number }> {
    const counts = { pending: 0, held: 0, delivered: 0, failed: 0, dropped: 0 }
    let retrying = 0
    const read = this.sql.prepare<{ state: Callback['state']; n: number; retrying: number }>(
      `SELECT state, count(*) AS n, sum(state = 'pending' AND attempts > 0
         AND EXISTS (SELECT 1 FROM agenda WHERE lane = ${LANE.deliveries} AND subject = callback.id)) AS retrying
       FROM callback WHERE id BETWEEN ? AND ? GROUP BY state`,
    )
    const newest = this.row<{ n: number | null }>('SELECT max(id) AS n FROM callback')?.n ?? 0
    yield* slicesThrough(this.sql, 'callback.id', newest, ({ from, through }) => {
      for (const row of read.all(from, through)) {
        counts[row.state] += row.n
        retrying += row.retrying
      }
    })
    return { counts, retrying }
  }
}

function toCallback(row: Row): Callback {
  return { ...row, fault: parsedJson(row.fault), trace: parsedJson(row.trace) }
}
