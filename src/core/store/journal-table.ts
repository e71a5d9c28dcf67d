/** The journal: requests and their answers. */
import type { JournalEntry } from '../model/journal.ts'
import { insertRecord, insertRows, type Stored } from '../sql.ts'
import { Table } from './counter-table.ts'
import { Conditions, type Paging, parsedJson } from './queries.ts'

type Row = Stored<JournalEntry, 'requestHeaders' | 'notes'>

const CUT = ' … (cut here: the storage keeps no more of it)'
/** Share of the largest value: a character takes up to four bytes, there are two bodies, and other columns. */
const CUT_SHARE = 1 / 16

export interface JournalPage extends Paging {
  operation?: string | undefined
  status?: number | undefined
  method?: string | undefined
}

export class Journal extends Table {
  readonly #insert = insertRows(this.sql, 'journal', [
    ...['seq', 'requestId', 'atUs', 'operation', 'method', 'path', 'organisationId', 'requestHeaders'],
    ...['requestBody', 'status', 'responseBody', 'rule', 'notes', 'paymentSeq'],
  ])

  insert(entry: JournalEntry): void {
    const { requestBody, responseBody } = this.#fitting(entry)
    this.#insert.run(
      entry.seq,
      entry.requestId,
      entry.atUs,
      entry.operation,
      entry.method,
      entry.path,
      entry.organisationId,
      JSON.stringify(entry.requestHeaders),
      requestBody,
      entry.status,
      responseBody,
      entry.rule,
      entry.notes && JSON.stringify(entry.notes),
      entry.paymentSeq,
    )
  }

  /** Its bodies, cut where the storage has no room for the row. */
  #fitting(entry: JournalEntry): Pick<JournalEntry, 'requestBody' | 'responseBody'> {
    const { valueMaxBytes } = this.sql
    if (valueMaxBytes === undefined) return entry
    const { requestBody, responseBody, ...rest } = entry
    const bytes = new TextEncoder().encode(`${requestBody}${responseBody}${JSON.stringify(rest)}`).length
    if (bytes <= valueMaxBytes) return entry
    const most = Math.floor(valueMaxBytes * CUT_SHARE)
    const cut = (body: string | null) =>
      body !== null && body.length > most ? body.slice(0, most).toWellFormed() + CUT : body
    return { requestBody: cut(requestBody), responseBody: cut(responseBody) }
  }

  bySeq(seq: number): JournalEntry | undefined {
    const row = this.row<Row>('SELECT * FROM journal WHERE seq = ?', seq)
    return row && toEntry(row)
  }

  /** Needs no index, because the id begins with the entry's number. */
  byRequestId(requestId: string): JournalEntry | undefined {
    const seq = Number.parseInt(/^req_([0-9a-z]{7})/.exec(requestId)?.[1] ?? '', 36)
    const entry = Number.isNaN(seq) ? undefined : this.bySeq(seq)
    return entry?.requestId === requestId ? entry : undefined
  }

  /** The request that created a payment, and those that it answered again, in order of arrival. */
  ofPayment(paymentSeq: number): JournalEntry[] {
    return this.rows<Row>('SELECT * FROM journal WHERE paymentSeq = ? + 0 ORDER BY seq', paymentSeq).map(toEntry)
  }

  page(options: JournalPage): JournalEntry[] {
    const { operation, status, method, texts } = options
    return new Conditions()
      .add('operation = ?', operation)
      .add('status = ?', status)
      .add('method = ?', method)
      .text(texts, ['requestId', 'path', 'requestBody', 'responseBody', 'rule'])
      .within(this.sql, 'journal', options, 'seq')
      .page<Row>(this.sql, 'journal', 'seq', options)
      .map(toEntry)
  }

  clear(): void {
    this.sql.exec('DELETE FROM journal')
  }
}

function toEntry(row: Row): JournalEntry {
  return { ...row, requestHeaders: JSON.parse(row.requestHeaders), notes: parsedJson(row.notes) }
}

// The first answer under each Idempotency-Key of an organisation.

export interface FirstAnswer {
  operation: string
  /** Masked, as in the journal. */
  body: string
  status: number
  answer: string
  paymentSeq: number | null
}

/** Prepares nothing ahead, because few worlds use it. */
export class IdempotencyKeys extends Table {
  find(organisationId: number, key: string): FirstAnswer | undefined {
    const text =
      'SELECT operation, body, status, answer, paymentSeq FROM idempotency WHERE organisationId = ? AND key = ?'
    return this.row(text, organisationId, key)
  }

  add(organisationId: number, key: string, first: FirstAnswer): void {
    insertRecord(this.sql, 'idempotency', { organisationId, key, ...first })
  }
}
