/** The database of a world. All other SQL is in this folder. */

import { must } from '../model/must.ts'
import type { InstantUs } from '../model/time.ts'
import { ensureSchema } from '../schema.ts'
import type { Sql, Statement } from '../sql.ts'
import { Agenda, FloatQueue } from './agenda-table.ts'
import { Callbacks } from './callback-table.ts'
import { Counters, Meta, UndoLog } from './counter-table.ts'
import { Inbox } from './inbox-table.ts'
import { IdempotencyKeys, Journal } from './journal-table.ts'
import { LedgerRows } from './ledger-tables.ts'
import { Organisations } from './organisation-table.ts'
import { Payments, References } from './payment-table.ts'
import { Activity, RecordedTable, Runs } from './run-tables.ts'

export class Store {
  readonly sql: Sql
  readonly undo = new UndoLog()
  readonly meta: Meta
  readonly counters: Counters
  readonly organisations: Organisations
  readonly references: References
  readonly payments: Payments
  readonly activity: Activity
  readonly ledger: LedgerRows
  readonly agenda: Agenda
  readonly callbacks: Callbacks
  readonly journal: Journal
  readonly inbox: Inbox
  readonly floatQueue: FloatQueue
  readonly idempotencyKeys: IdempotencyKeys
  readonly recorded: RecordedTable
  readonly runs: Runs
  readonly #pageCount: Statement<{ page_count: number }>
  readonly #pageSize: Statement<{ page_size: number }>

  /** Creates the tables in an empty database; throws `OtherSchema` for another version. */
  constructor(sql: Sql) {
    ensureSchema(sql)
    this.sql = sql
    this.meta = new Meta(sql, this.undo)
    this.counters = new Counters(sql, this.undo)
    this.organisations = new Organisations(sql, this.undo)
    this.references = new References(sql, this.meta, this.undo)
    this.payments = new Payments(sql, this.references)
    this.activity = new Activity(sql)
    this.ledger = new LedgerRows(sql, this.counters)
    this.agenda = new Agenda(sql, this.counters)
    this.callbacks = new Callbacks(sql, this.undo)
    this.journal = new Journal(sql)
    this.inbox = new Inbox(sql, this.undo, this.counters)
    this.floatQueue = new FloatQueue(sql, this.counters)
    this.idempotencyKeys = new IdempotencyKeys(sql)
    this.recorded = new RecordedTable(sql)
    this.runs = new Runs(sql)
    this.#pageCount = sql.prepare('PRAGMA page_count')
    this.#pageSize = sql.prepare('PRAGMA page_size')
  }

  get bytes(): number {
    if (this.sql.bytes) return this.sql.bytes()
    return (this.#pageCount.get()?.page_count ?? 0) * (this.#pageSize.get()?.page_size ?? 0)
  }
}

// How long a world has been there, and how much happened in it; read also while it is closed.

export interface WorldHistory {
  /** In simulated time: a world begins with its first organisation. */
  beganUs: InstantUs
  payments: number
}

/** Payments are numbered from 1 and never deleted, so that none is counted. */
export function worldHistoryIn(sql: Sql): WorldHistory {
  const text = `SELECT (SELECT min(createdAtUs) FROM organisation) AS beganUs,
    coalesce((SELECT max(seq) FROM payment), 0) AS payments`
  return must(sql.prepare<WorldHistory>(text).get())
}
