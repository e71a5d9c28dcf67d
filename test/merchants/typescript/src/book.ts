/** What Mizigo knows, in one file. A payment is written down before the service is asked for it. */
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import type { Way } from './rails.ts'

/**
 * `due`: to be asked for. `asked`: we asked, or were about to, and do not know what became of it. `pending`: accepted.
 * `paid`, `failed`: over. `refused`: never made. `returned`: was paid, and taken back.
 */
export type State = 'due' | 'asked' | 'pending' | 'paid' | 'failed' | 'refused' | 'returned'

/** One try at moving money. */
export interface Payment {
  /** Our name for it, and the same in every repetition. */
  reference: string
  /** What it is for: a delivery's number, or a payout's name. */
  purpose: string
  way: Way
  /** Cents. */
  amount: number
  /** Cents, on top of the amount. */
  fee: number
  /** Whom, or where to: the service's own fields. */
  details: Record<string, string>
  state: State
  /** The service's name for it, once we know. */
  requestId: string | null
  /** Where the customer pays, for a checkout. */
  pageUrl: string | null
  /** In words, why it stands where it stands. */
  note: string | null
  /** Milliseconds since 1970, as all times. */
  createdAt: number
  askedAt: number | null
  /** Not to be asked for before. */
  notBefore: number
}

export interface Delivery {
  number: string
  customerPhone: string
  /** Cents. */
  price: number
  /** When it left, which it does once, when it is paid. */
  dispatchedAt: number | null
}

/** A callback that came, and was not looked into yet. */
interface Heard {
  id: number
  reference: string
  body: string
}

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS deliveries (
    number TEXT PRIMARY KEY, customerPhone TEXT NOT NULL, price INTEGER NOT NULL, dispatchedAt INTEGER
  ) STRICT;
  CREATE TABLE IF NOT EXISTS payments (
    reference TEXT PRIMARY KEY, purpose TEXT NOT NULL, way TEXT NOT NULL, amount INTEGER NOT NULL, fee INTEGER NOT NULL,
    details TEXT NOT NULL, state TEXT NOT NULL, requestId TEXT UNIQUE, pageUrl TEXT, note TEXT,
    createdAt INTEGER NOT NULL, askedAt INTEGER, notBefore INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS paymentsByState ON payments (state, notBefore);
  CREATE TABLE IF NOT EXISTS heard (
    id INTEGER PRIMARY KEY, reference TEXT NOT NULL, body TEXT NOT NULL, lookedInto INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE TABLE IF NOT EXISTS tasks (text TEXT PRIMARY KEY, createdAt INTEGER NOT NULL) STRICT;
`

export class Book {
  readonly #database: DatabaseSync

  constructor(file: string) {
    // No waiting for a lock: whoever tells us something is told 500, and tells it again.
    this.#database = new DatabaseSync(file, { timeout: 0 })
    this.#database.exec('PRAGMA journal_mode = WAL')
    this.#database.exec(SCHEMA)
  }

  /** All of it, or nothing. */
  atomically<Result>(work: () => Result): Result {
    this.#database.exec('BEGIN IMMEDIATE')
    try {
      const result = work()
      this.#database.exec('COMMIT')
      return result
    } catch (error) {
      this.#database.exec('ROLLBACK')
      throw error
    }
  }

  /** The next free number, from D1001. */
  addDelivery(customerPhone: string, price: number): Delivery {
    const [{ count }] = this.#all<{ count: number }>('SELECT COUNT(*) AS count FROM deliveries') as [{ count: number }]
    const number = `D${1001 + count}`
    this.#run('INSERT INTO deliveries (number, customerPhone, price) VALUES (?, ?, ?)', number, customerPhone, price)
    return { number, customerPhone, price, dispatchedAt: null }
  }

  delivery(number: string): Delivery | undefined {
    return this.#all<Delivery>('SELECT * FROM deliveries WHERE number = ?', number)[0]
  }

  /** False when it had left before. */
  dispatch(number: string, now: number): boolean {
    return (
      this.#run('UPDATE deliveries SET dispatchedAt = ? WHERE number = ? AND dispatchedAt IS NULL', now, number) > 0
    )
  }

  /** A further try for a purpose, due at once. */
  addPayment(purpose: string, way: Way, amount: number, details: Record<string, string>, now: number): Payment {
    const reference = `${purpose}-${this.tries(purpose).length + 1}`
    this.#run(
      `INSERT INTO payments (reference, purpose, way, amount, fee, details, state, createdAt, notBefore)
       VALUES (?, ?, ?, ?, 0, ?, 'due', ?, ?)`,
      ...[reference, purpose, way, amount, JSON.stringify(details), now, now],
    )
    return this.payment(reference) as Payment
  }

  payment(reference: string): Payment | undefined {
    return this.#payments('reference = ?', reference)[0]
  }

  /** Every try for a purpose, oldest first. */
  tries(purpose: string): Payment[] {
    return this.#payments('purpose = ?', purpose)
  }

  everything(): Payment[] {
    return this.#payments('TRUE')
  }

  inState(state: State): Payment[] {
    return this.#payments('state = ?', state)
  }

  due(now: number): Payment[] {
    return this.#payments("state = 'due' AND notBefore <= ?", now)
  }

  /** What the service has made, and is open or was not long ago: success can be taken back, and come late. */
  watched(since: number): Payment[] {
    return this.#payments("requestId IS NOT NULL AND (state = 'pending' OR createdAt >= ?)", since)
  }

  change(reference: string, change: Partial<Omit<Payment, 'reference' | 'details'>>): void {
    const columns = Object.keys(change).map((column) => `${column} = ?`)
    this.#run(`UPDATE payments SET ${columns} WHERE reference = ?`, ...Object.values(change), reference)
  }

  knows(requestId: string): boolean {
    return this.#payments('requestId = ?', requestId).length > 0
  }

  /** What should have come into the wallet, less what should have gone out, in cents. */
  balance(isIncoming: (way: Way) => boolean): number {
    return this.#payments("state IN ('pending', 'paid')").reduce((sum, { way, state, amount, fee }) => {
      if (isIncoming(way)) return state === 'paid' ? sum + amount : sum
      return sum - amount - fee
    }, 0)
  }

  hear(reference: string, body: string): void {
    this.#run('INSERT INTO heard (reference, body) VALUES (?, ?)', reference, body)
  }

  heard(): Heard[] {
    return this.#all<Heard>('SELECT id, reference, body FROM heard WHERE lookedInto = 0 ORDER BY id')
  }

  lookedInto(id: number): void {
    this.#run('UPDATE heard SET lookedInto = 1 WHERE id = ?', id)
  }

  /** Something for a person to do; the same is not said twice. */
  addTask(text: string, now: number): void {
    this.#run('INSERT OR IGNORE INTO tasks (text, createdAt) VALUES (?, ?)', text, now)
  }

  tasks(): string[] {
    return this.#all<{ text: string }>('SELECT text FROM tasks ORDER BY createdAt, rowid').map(({ text }) => text)
  }

  close(): void {
    this.#database.close()
  }

  #payments(where: string, ...values: SQLInputValue[]): Payment[] {
    const rows = this.#all<Payment & { details: string }>(
      `SELECT * FROM payments WHERE ${where} ORDER BY createdAt, rowid`,
      ...values,
    )
    return rows.map((row) => ({ ...row, details: JSON.parse(row.details) }))
  }

  #all<Row>(sql: string, ...values: SQLInputValue[]): Row[] {
    return this.#database.prepare(sql).all(...values) as Row[]
  }

  #run(sql: string, ...values: SQLInputValue[]): number {
    return Number(this.#database.prepare(sql).run(...values).changes)
  }
}
