/** The journal: requests and their answers. */
import type { Stretch } from '../model/filters.ts'
import type { JournalEntry } from '../model/journal.ts'
import { must } from '../model/must.ts'
import type { Sql, Statement } from '../sql.ts'
import { asInJson, Conditions, textStandsIn } from './conditions.ts'
import { rowsOfAtMost } from './journal-rows.ts'
import type { UndoLog } from './undo.ts'

const PARTS = [
  'seq',
  'requestId',
  'atUs',
  'operation',
  'method',
  'path',
  'organisationId',
  'requestHeaders',
  'requestBody',
  'status',
  'responseBody',
  'rule',
  'notes',
  'paymentSeq',
] as const satisfies readonly (keyof JournalEntry)[]
type Kept = readonly JournalEntry[keyof JournalEntry][]

interface Row {
  first: number
  entries: string
}

/** Entries per row, because a row is read as a whole. */
const ROW_MAX = 64
const ROWS_READ = 16

export interface JournalPage extends Stretch {
  operation?: string | undefined
  status?: number | undefined
  method?: string | undefined
  limit: number
  newestFirst?: boolean
}

/**
 * Entries that are committed together share a row, which is written at the end of the batch: a row for each takes 8 to
 * 15 % more processor time per commit.
 */
export class Journal {
  readonly #sql: Sql
  readonly #undo: UndoLog
  readonly #insert: Statement<never>
  readonly #again: Statement<never>
  readonly #holding: Statement<Row>
  readonly #ofPayment: Statement<Row>
  readonly #repeats: Statement<{ seq: number }>
  readonly #pending: JournalEntry[] = []
  readonly #takeBack = () => {
    this.#pending.pop()
  }
  #lastPayment: number

  constructor(sql: Sql, undo: UndoLog) {
    this.#sql = sql
    this.#undo = undo
    this.#insert = sql.prepare('INSERT INTO journal (first, at_us, last_payment, entries) VALUES (?, ?, ?, ?)')
    this.#again = sql.prepare('INSERT OR IGNORE INTO journal_again (payment_seq, seq) VALUES (?, ?)')
    this.#holding = sql.prepare('SELECT first, entries FROM journal WHERE first <= ? ORDER BY first DESC LIMIT 1')
    this.#ofPayment = sql.prepare(
      `SELECT first, entries FROM journal WHERE last_payment IS NOT NULL AND last_payment >= ? + 0
       ORDER BY last_payment LIMIT 1`,
    )
    this.#repeats = sql.prepare('SELECT seq FROM journal_again WHERE payment_seq = ? ORDER BY seq')
    this.#lastPayment =
      sql.prepare<{ last: number | null }>('SELECT max(last_payment) AS last FROM journal').get()?.last ?? 0
  }

  insert(entry: JournalEntry): void {
    this.#pending.push(entry)
    this.#undo.onRollback(this.#takeBack)
  }

  flush(): void {
    for (let at = 0; at < this.#pending.length; at += ROW_MAX) {
      const together = this.#pending.slice(at, at + ROW_MAX)
      const { valueMaxBytes } = this.#sql
      if (valueMaxBytes === undefined) this.#write(together)
      else for (const entries of rowsOfAtMost(valueMaxBytes, together, storedText)) this.#write(entries)
    }
    this.#pending.length = 0
  }

  #write(entries: JournalEntry[]): void {
    let made: number | null = null
    for (const { seq, paymentSeq } of entries) {
      if (paymentSeq === null) continue
      // Found by its row where it is the first of a newer payment than any before, as that of its making is.
      if (paymentSeq <= this.#lastPayment) this.#again.run(paymentSeq, seq)
      else {
        this.#lastPayment = paymentSeq
        made = paymentSeq
      }
    }
    const { seq, atUs } = must(entries[0])
    this.#insert.run(seq, atUs, made, JSON.stringify(entries.map(toKept)))
  }

  bySeq(seq: number): JournalEntry | undefined {
    const row = this.#holding.get(seq)
    const known = row === undefined ? [] : entriesOf(row)
    return known.find((entry) => entry.seq === seq) ?? this.#pending.find((entry) => entry.seq === seq)
  }

  /** Needs no index, because the id begins with the entry's number. */
  byRequestId(requestId: string): JournalEntry | undefined {
    const seq = Number.parseInt(/^req_([0-9a-z]{7})/.exec(requestId)?.[1] ?? '', 36)
    const entry = Number.isNaN(seq) ? undefined : this.bySeq(seq)
    return entry?.requestId === requestId ? entry : undefined
  }

  /** The request that created a payment, and those that it answered again, in order of arrival. */
  ofPayment(paymentSeq: number): JournalEntry[] {
    const row = this.#ofPayment.get(paymentSeq)
    const found = new Map<number, JournalEntry>()
    const repeats = this.#repeats.all(paymentSeq).flatMap(({ seq }) => this.bySeq(seq) ?? [])
    for (const entry of [...(row ? entriesOf(row) : []), ...repeats, ...this.#pending])
      if (entry.paymentSeq === paymentSeq) found.set(entry.seq, entry)
    return [...found.values()].sort((one, other) => one.seq - other.seq)
  }

  page(options: JournalPage): JournalEntry[] {
    const { newestFirst = false, limit, sinceUs, untilUs, after = 0, before = Number.POSITIVE_INFINITY } = options
    const page: JournalEntry[] = []
    for (const entry of newestFirst ? this.#backward(options) : this.#forward(options)) {
      if (page.length === limit) break
      const { seq, atUs } = entry
      // Numbers and stamps rise with the order, so nothing behind can be of the stretch.
      if (newestFirst ? seq <= after || atUs < (sinceUs ?? atUs) : seq >= before || atUs > (untilUs ?? atUs)) break
      if (isWanted(entry, options)) page.push(entry)
    }
    return page
  }

  *#forward(options: JournalPage): Generator<JournalEntry> {
    const { after, sinceUs } = options
    // The row that holds the first of them may begin with others.
    const begin = (column: string, value: number | undefined) =>
      value === undefined
        ? undefined
        : this.#sql
            .prepare<{ first: number | null }>(`SELECT max(first) AS first FROM journal WHERE ${column} <= ?`)
            .get(value)?.first
    let from = Math.max(begin('first', after) ?? 0, begin('at_us', sinceUs) ?? 0)
    for (;;) {
      const rows = this.#rows(new Conditions().add('first >= ?', from), options, 'ASC')
      for (const row of rows) yield* entriesOf(row)
      const last = rows.at(-1)
      if (!last || rows.length < ROWS_READ) break
      from = last.first + 1
    }
    yield* this.#pending
  }

  *#backward(options: JournalPage): Generator<JournalEntry> {
    yield* this.#pending.toReversed()
    let { before } = options
    for (;;) {
      const where = new Conditions().add('first < ?', before).add('at_us <= ?', options.untilUs)
      const rows = this.#rows(where, options, 'DESC')
      for (const row of rows) yield* entriesOf(row).reverse()
      const last = rows.at(-1)
      if (!last || rows.length < ROWS_READ) return
      before = last.first
    }
  }

  #rows(where: Conditions, { operation, status, texts }: JournalPage, order: 'ASC' | 'DESC'): Row[] {
    where.add('instr(entries, ?) > 0', operation === undefined ? undefined : JSON.stringify(operation))
    where.add('instr(entries, ?) > 0', status === undefined ? undefined : `,${status},`)
    // A row holds them as JSON within JSON.
    where.text(texts?.map(asInJson), ['entries'])
    return this.#sql
      .prepare<Row>(`SELECT first, entries FROM journal ${where.where} ORDER BY first ${order} LIMIT ${ROWS_READ}`)
      .all(...where.values)
  }

  clear(): void {
    this.#sql.exec('DELETE FROM journal; DELETE FROM journal_again')
    const forgotten = this.#pending.splice(0)
    this.#undo.onRollback(() => this.#pending.push(...forgotten))
  }
}

/** As JSON, one by one, because how many share a row depends on what was committed together. */
export function journalEntries(sql: Sql): string[] {
  return sql
    .prepare<{ entry: string }>(
      'SELECT each.value AS entry FROM journal, json_each(journal.entries) AS each ORDER BY journal.first, each.key',
    )
    .all()
    .map(({ entry }) => entry)
}

function isWanted(
  entry: JournalEntry,
  { operation, status, method, sinceUs, untilUs, after, before, texts }: JournalPage,
): boolean {
  const { requestId, path, requestBody, responseBody, rule } = entry
  return (
    (operation === undefined || entry.operation === operation) &&
    (status === undefined || entry.status === status) &&
    (method === undefined || entry.method === method) &&
    (sinceUs === undefined || entry.atUs >= sinceUs) &&
    (untilUs === undefined || entry.atUs <= untilUs) &&
    (after === undefined || entry.seq > after) &&
    (before === undefined || entry.seq < before) &&
    (texts === undefined || textStandsIn([requestId, path, requestBody, responseBody, rule], texts))
  )
}

function storedText(entry: JournalEntry): string {
  return JSON.stringify(toKept(entry))
}

function toKept(entry: JournalEntry): Kept {
  return PARTS.map((part) => entry[part])
}

function entriesOf(row: Row): JournalEntry[] {
  const stored: Kept[] = JSON.parse(row.entries)
  return stored.map((kept): JournalEntry => {
    const parts = PARTS.map((part, i) => [part, kept[i]])
    return Object.fromEntries(parts)
  })
}
