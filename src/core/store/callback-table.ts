/** The outbox: callbacks and their attempts. */
import type { Attempt, Callback } from '../model/callback.ts'
import type { Stretch } from '../model/filters.ts'
import type { InstantUs } from '../model/time.ts'
import type { Sql, Statement } from '../sql.ts'
import { Conditions } from './conditions.ts'
import { type DueColumns, dueOf } from './due-columns.ts'
import { Insertions } from './insertions.ts'
import { PAYMENT_TEXT } from './payment-table.ts'
import { slicesThrough } from './slices.ts'
import type { UndoLog } from './undo.ts'

interface Row extends DueColumns {
  id: number
  uid: string
  payment_seq: number | null
  topic: string
  url: string
  body: string
  state: Callback['state']
  attempts: number
  created_at_us: number
  settled_at_us: number | null
  /** The callback's fault; the column has an older word for it. */
  mishap: string | null
  trace: string | null
  previous_id: number | null
}

/**
 * One value: a payment's `seq`. The payment's row names its newest callback, and each callback names the one before.
 */
const OF_PAYMENT = `id IN (
  WITH RECURSIVE told (id) AS (
    SELECT last_callback_id FROM payment WHERE seq = ? + 0
    UNION SELECT previous_id FROM told CROSS JOIN callback ON callback.id = told.id
  ) SELECT id FROM told)`

export class Callbacks {
  readonly #sql: Sql
  readonly #undo: UndoLog
  readonly #insertions: Insertions
  /** For most callbacks: those that are due and have no outcome yet. Columns that are NULL are not passed with each. */
  readonly #plain: Insertions
  readonly #byId: Statement<Row>
  readonly #heldAt: Statement<Row>
  readonly #update: Statement<never>
  readonly #attempt: Pick<Statement<never>, 'run'>
  readonly #automaticAttempts: Statement<{ n: number }>

  /** False while certainly none is held, so that nobody has to look. */
  #anyHeld: boolean
  #unwritten: Map<number, Callback> | undefined

  constructor(sql: Sql, undo: UndoLog) {
    this.#sql = sql
    this.#undo = undo
    const insertions = (rest: string) =>
      new Insertions(
        sql,
        `INSERT INTO callback (topic, state, due_event, id, uid, payment_seq, url, body, created_at_us, attempts, settled_at_us,
           due_at_us, due_seq, mishap, trace, previous_id)`,
        `?, ?, ?, ?, ?, ?, ${rest}`,
      )
    this.#insertions = insertions('?, ?, ?, ?, ?, ?, ?')
    this.#plain = insertions('0, NULL, ?, ?, NULL, NULL, NULL')
    this.#byId = sql.prepare('SELECT * FROM callback WHERE id = ?')
    // SQLite would plan it anew for each address, because of the index that holds the held ones alone.
    this.#heldAt = sql.prepare("SELECT * FROM callback WHERE state = 'held' AND url = ? || '' ORDER BY id")
    this.#update = sql.prepare(
      'UPDATE callback SET state = ?, attempts = ?, settled_at_us = ?, due_at_us = ?, due_seq = ?, due_event = ? WHERE id = ?',
    )
    this.#attempt = sql.insertion(
      'INSERT INTO attempt (callback_id, number, sent_at_us, took_ms, url, headers, status, response_body, error, diagnosis, by_hand, forwarder)',
      '(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
    )
    this.#automaticAttempts = sql.prepare('SELECT count(*) AS n FROM attempt WHERE callback_id = ? AND by_hand = 0')
    this.#anyHeld = sql.prepare("SELECT 1 FROM callback WHERE state = 'held' LIMIT 1").get() !== undefined
  }

  /**
   * Writes new callbacks at the end of a commit, because those that are delivered in it change before. Until then,
   * `work` may find callbacks only by id, by payment, or as held.
   */
  writingLater<T>(work: () => T): T {
    this.#unwritten = new Map()
    try {
      const value = work()
      this.#writeUnwritten()
      return value
    } finally {
      this.#unwritten = undefined
    }
  }

  newlyDue(byUs: InstantUs): Callback[] {
    return [...(this.#unwritten?.values() ?? [])].filter(({ due }) => due !== null && due.dueAtUs <= byUs)
  }

  #writeUnwritten(): void {
    const unwritten = this.#unwritten
    if (!unwritten || unwritten.size === 0) return
    this.#unwritten = new Map()
    for (const callback of unwritten.values()) this.#insert(callback)
    // Taken back with these rows are those of work before, which stays.
    this.#undo.onRollback(() => {
      if (this.#unwritten) this.#unwritten = unwritten
    })
  }

  insert(c: Callback): void {
    if (c.state === 'held') this.#anyHeld = true
    if (this.#unwritten) this.#change(this.#unwritten, c)
    else this.#insert(c)
  }

  #change(unwritten: Map<number, Callback>, c: Callback): void {
    const before = unwritten.get(c.id)
    this.#undo.onRollback(() => {
      if (before) this.#unwritten?.set(c.id, before)
      else this.#unwritten?.delete(c.id)
    })
    unwritten.set(c.id, c)
  }

  #insert(c: Callback): void {
    const { due } = c
    const isPlain = c.settledAtUs === null && c.fault === null && c.trace === null && c.previousId === null
    if (due && c.attempts === 0 && isPlain) {
      const { id, uid, paymentSeq, url, body, createdAtUs } = c
      this.#plain.of(c.topic, c.state, due.event).run(id, uid, paymentSeq, url, body, createdAtUs, due.dueAtUs, due.seq)
      return
    }
    this.#insertions
      .of(c.topic, c.state, due?.event ?? null)
      .run(
        c.id,
        c.uid,
        c.paymentSeq,
        c.url,
        c.body,
        c.createdAtUs,
        c.attempts,
        c.settledAtUs,
        due?.dueAtUs ?? null,
        due?.seq ?? null,
        c.fault && JSON.stringify(c.fault),
        c.trace && JSON.stringify(c.trace),
        c.previousId,
      )
  }

  save(c: Callback): void {
    if (c.state === 'held') this.#anyHeld = true
    if (this.#unwritten?.has(c.id)) this.#change(this.#unwritten, c)
    else this.#save(c)
  }

  #save(c: Callback): void {
    const { due } = c
    this.#update.run(
      c.state,
      c.attempts,
      c.settledAtUs,
      due?.dueAtUs ?? null,
      due?.seq ?? null,
      due?.event ?? null,
      c.id,
    )
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
    const unwritten = this.#unwritten?.get(id)
    if (unwritten) return { ...unwritten }
    const row = this.#byId.get(id)
    return row && toCallback(row)
  }

  byUid(uid: string): Callback | undefined {
    const row = this.#sql.prepare<Row>('SELECT * FROM callback WHERE uid = ?').get(uid)
    return row && toCallback(row)
  }

  heldAt(url: string): Callback[] {
    if (!this.#anyHeld) return []
    this.#writeUnwritten()
    return this.#heldAt.all(url).map(toCallback)
  }

  ofPayment(paymentSeq: number): Callback[] {
    this.#writeUnwritten()
    return this.#sql
      .prepare<Row>(`SELECT * FROM callback WHERE ${OF_PAYMENT} ORDER BY id`)
      .all(paymentSeq)
      .map(toCallback)
  }

  page(
    options: Stretch & {
      state?: string | undefined
      paymentSeq?: number | undefined
      limit: number
      newestFirst?: boolean
    },
  ): Callback[] {
    const { where, values } = new Conditions()
      .add("state = ? || ''", options.state)
      .add(OF_PAYMENT, options.paymentSeq)
      .text(
        options.texts,
        ['callback.uid', 'callback.url', 'callback.body', ...PAYMENT_TEXT],
        (sql) =>
          `EXISTS (SELECT 1 FROM (SELECT 1) LEFT JOIN payment ON payment.seq = callback.payment_seq WHERE ${sql})`,
      )
      .within(options, 'created_at_us', 'id')
    return this.#sql
      .prepare<Row>(`SELECT * FROM callback ${where} ORDER BY id ${options.newestFirst ? 'DESC' : 'ASC'} LIMIT ? + 0`)
      .all(...values, options.limit)
      .map(toCallback)
  }

  attemptsOf(callbackId: number): Attempt[] {
    return this.#sql
      .prepare<{
        callback_id: number
        number: number
        sent_at_us: number
        took_ms: number
        url: string
        headers: string
        status: number | null
        response_body: string | null
        error: string | null
        diagnosis: string | null
        by_hand: number
        forwarder: string | null
      }>('SELECT * FROM attempt WHERE callback_id = ? ORDER BY number')
      .all(callbackId)
      .map((row) => ({
        callbackId: row.callback_id,
        number: row.number,
        sentAtUs: row.sent_at_us,
        tookMs: row.took_ms,
        url: row.url,
        headers: JSON.parse(row.headers),
        status: row.status,
        responseBody: row.response_body,
        error: row.error,
        diagnosis: row.diagnosis === null ? null : JSON.parse(row.diagnosis),
        byHand: row.by_hand === 1,
        forwarder: row.forwarder,
      }))
  }

  automaticAttempts({ id, attempts }: Pick<Callback, 'id' | 'attempts'>): number {
    if (attempts === 0) return 0
    return this.#automaticAttempts.get(id)?.n ?? 0
  }

  endOfAttempt(id: number, number: number): Pick<Attempt, 'status' | 'error' | 'diagnosis'> | undefined {
    const row = this.#sql
      .prepare<Pick<Attempt, 'status' | 'error'> & { diagnosis: string | null }>(
        'SELECT status, error, diagnosis FROM attempt WHERE callback_id = ? AND number = ?',
      )
      .get(id, number)
    return row && { ...row, diagnosis: row.diagnosis === null ? null : JSON.parse(row.diagnosis) }
  }

  newestLatencies(limit: number): number[] {
    return this.#sql
      .prepare<{ took_ms: number; status: number | null }>(
        'SELECT took_ms, status FROM attempt ORDER BY callback_id DESC, number DESC LIMIT ? + 0',
      )
      .all(limit)
      .flatMap((row) => (row.status === null ? [] : row.took_ms))
  }

  /** By state; and how many of those that are due were tried before. */
  *counting(): Generator<void, { counts: Record<Callback['state'], number>; retrying: number }> {
    const counts = { pending: 0, held: 0, delivered: 0, failed: 0, dropped: 0 }
    let retrying = 0
    const read = this.#sql.prepare<{ state: Callback['state']; n: number; retrying: number }>(
      `SELECT state, count(*) AS n, sum(state = 'pending' AND due_at_us IS NOT NULL AND attempts > 0) AS retrying
       FROM callback WHERE id BETWEEN ? AND ? GROUP BY state`,
    )
    const newest = this.#sql.prepare<{ n: number | null }>('SELECT max(id) AS n FROM callback').get()?.n ?? 0
    yield* slicesThrough(newest, ({ from, through }) => {
      for (const row of read.all(from, through)) {
        counts[row.state] += row.n
        retrying += row.retrying
      }
    })
    return { counts, retrying }
  }
}

function toCallback(row: Row): Callback {
  return {
    id: row.id,
    uid: row.uid,
    paymentSeq: row.payment_seq,
    previousId: row.previous_id,
    topic: row.topic,
    url: row.url,
    body: row.body,
    state: row.state,
    attempts: row.attempts,
    createdAtUs: row.created_at_us,
    settledAtUs: row.settled_at_us,
    fault: row.mishap === null ? null : JSON.parse(row.mishap),
    trace: row.trace === null ? null : JSON.parse(row.trace),
    due: dueOf(row, row.id),
  }
}
