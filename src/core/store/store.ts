/** The database of a world. All other SQL is in this folder. */

import { must } from '../model/must.ts'
import type { InstantUs } from '../model/time.ts'
import type { Sql } from '../sql.ts'
import { Agenda, FloatQueue } from './agenda-table.ts'
import { Callbacks } from './callback-table.ts'
import { Table } from './counter-table.ts'
import { Inbox } from './inbox-table.ts'
import { IdempotencyKeys, Journal } from './journal-table.ts'
import { Ledger } from './ledger.ts'
import { Organisations } from './organisation-table.ts'
import { Payments } from './payment-table.ts'
import { Activity, RecordedTable, Runs } from './run-tables.ts'

export class Store extends Table {
  readonly organisations = new Organisations(this)
  readonly payments = new Payments(this)
  readonly activity = new Activity(this)
  readonly ledger = new Ledger(this)
  readonly agenda = new Agenda(this)
  readonly callbacks = new Callbacks(this)
  readonly journal = new Journal(this)
  readonly inbox = new Inbox(this)
  readonly floatQueue = new FloatQueue(this)
  readonly idempotencyKeys = new IdempotencyKeys(this)
  readonly recorded = new RecordedTable(this)
  readonly runs = new Runs(this)
  readonly #pageCount = this.sql.prepare<{ page_count: number }>('PRAGMA page_count')
  readonly #pageSize = this.sql.prepare<{ page_size: number }>('PRAGMA page_size')

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
