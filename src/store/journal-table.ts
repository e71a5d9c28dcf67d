/** The journal: requests and their answers. */
import type { InstantUs } from '../model/time.ts'
import { Conditions, type Stretch } from './conditions.ts'
import type { Sql, Statement } from './sql.ts'

/** A request and its answer, secrets masked. */
export interface JournalEntry {
  seq: number
  /** Also in the answer's `Mfano-Request-Id` header. */
  requestId: string
  atUs: InstantUs
  /** The operation's id; null when no operation was recognised. */
  operation: string | null
  method: string
  /** With the query, below the world's base URL. */
  path: string
  organisationId: number | null
  requestHeaders: Record<string, string>
  requestBody: string | null
  status: number
  responseBody: string | null
  /** The scenario rule that decided, when one did. */
  rule: string | null
  notes: JournalNotes | null
  /** The payment that it made, or that answered for it again. */
  paymentSeq: number | null
}

/** What a merchant should know about an otherwise accepted request. */
export interface JournalNotes {
  /** Fields of the request that nothing read. */
  unread?: string[]
  /** Documented limits that the request broke and that are not enforced. */
  warnings?: string[]
  /** What a rule or a fault did to the answer on its way. */
  fault?: string
  /** It repeats an earlier request, whose payment answered for it. */
  replayed?: true
  /** Assumptions that had to be asked how it is taken, by their ids. */
  assumed?: string[]
}

interface Row {
  seq: number
  request_id: string
  at_us: number
  operation: string | null
  method: string
  path: string
  organisation_id: number | null
  request_headers: string
  request_body: string | null
  status: number
  response_body: string | null
  rule: string | null
  notes: string | null
  payment_seq: number | null
}

export class Journal {
  readonly #sql: Sql
  readonly #insert: Statement<never>
  readonly #bySeq: Statement<Row>

  constructor(sql: Sql) {
    this.#sql = sql
    this.#bySeq = sql.prepare('SELECT * FROM journal WHERE seq = ?')
    this.#insert = sql.prepare(
      `INSERT INTO journal (seq, request_id, at_us, operation, method, path, organisation_id, request_headers, request_body, status,
         response_body, rule, notes, payment_seq) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
  }

  insert(e: JournalEntry): void {
    this.#insert.run(
      e.seq,
      e.requestId,
      e.atUs,
      e.operation,
      e.method,
      e.path,
      e.organisationId,
      JSON.stringify(e.requestHeaders),
      e.requestBody,
      e.status,
      e.responseBody,
      e.rule,
      e.notes && JSON.stringify(e.notes),
      e.paymentSeq,
    )
  }

  bySeq(seq: number): JournalEntry | undefined {
    const row = this.#bySeq.get(seq)
    return row && toEntry(row)
  }

  /** A request id begins with the entry's number, so it is found without an index. */
  byRequestId(requestId: string): JournalEntry | undefined {
    const seq = Number.parseInt(/^req_([0-9a-z]{7})/.exec(requestId)?.[1] ?? '', 36)
    const entry = Number.isNaN(seq) ? undefined : this.bySeq(seq)
    return entry?.requestId === requestId ? entry : undefined
  }

  /** The request that made a payment, and those that it answered for again, in order of arrival. */
  ofPayment(paymentSeq: number): JournalEntry[] {
    return this.#sql
      .prepare<Row>('SELECT * FROM journal WHERE payment_seq = ? ORDER BY seq')
      .all(paymentSeq)
      .map(toEntry)
  }

  /** A stretch in order of arrival, or the newest first. */
  page(
    options: Stretch & {
      operation?: string | undefined
      status?: number | undefined
      method?: string | undefined
      limit: number
      newestFirst?: boolean
    },
  ): JournalEntry[] {
    const { where, values } = new Conditions()
      .add('operation = ?', options.operation)
      .add('status = ?', options.status)
      .add('method = ?', options.method)
      .text(options.texts, ['request_id', 'path', 'request_body', 'response_body', 'rule'])
      .within(options, 'at_us', 'seq')
    return this.#sql
      .prepare<Row>(`SELECT * FROM journal ${where} ORDER BY seq ${options.newestFirst ? 'DESC' : 'ASC'} LIMIT ?`)
      .all(...values, options.limit)
      .map(toEntry)
  }

  clear(): void {
    this.#sql.exec('DELETE FROM journal')
  }
}

function toEntry(row: Row): JournalEntry {
  return {
    seq: row.seq,
    requestId: row.request_id,
    atUs: row.at_us,
    operation: row.operation,
    method: row.method,
    path: row.path,
    organisationId: row.organisation_id,
    requestHeaders: JSON.parse(row.request_headers),
    requestBody: row.request_body,
    status: row.status,
    responseBody: row.response_body,
    rule: row.rule,
    notes: row.notes === null ? null : JSON.parse(row.notes),
    paymentSeq: row.payment_seq,
  }
}
