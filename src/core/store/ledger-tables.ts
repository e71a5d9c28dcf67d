/** Accounts, transfers and entries of the ledger. */
import type { Due } from '../model/due.ts'
import type { Currency } from '../model/money.ts'
import type { InstantUs } from '../model/time.ts'
import type { Account, Transfer } from '../model/transfer.ts'
import type { Sql, Statement } from '../sql.ts'
import type { Counters } from './counter-table.ts'
import { DUE_THROUGH } from './due-columns.ts'
import { Insertions } from './insertions.ts'
import { ReadAhead } from './read-ahead.ts'

interface TransferRow {
  id: number
  payment_seq: number | null
  kind: string
  debit_account: number
  credit_account: number
  amount_minor: number
  state: Transfer['state']
  created_at_us: number
  settled_at_us: number | null
}

type Pending = Pick<Transfer, 'id' | 'debitAccount' | 'creditAccount' | 'amountMinor'>

export interface Imbalance {
  what: string
  expected: number
  found: number
}

export class LedgerRows {
  readonly #sql: Sql
  readonly #counters: Counters
  readonly #insertions: Insertions
  readonly #completions: Insertions
  readonly #ofPayment: Statement<TransferRow>
  readonly #pendingThrough: Statement<Pending & { paymentSeq: number }>
  readonly #ahead = new ReadAhead<Pending[]>()
  readonly #saveAccount: Statement<never>

  constructor(sql: Sql, counters: Counters) {
    this.#sql = sql
    this.#counters = counters
    this.#insertions = new Insertions(
      sql,
      `INSERT INTO transfer (kind, state, id, payment_seq, debit_account, credit_account, amount_minor, created_at_us, settled_at_us)`,
      '?, ?, ?, ?, ?, ?, ?',
    )
    this.#completions = new Insertions(
      sql,
      'INSERT INTO transfer (state, id, settled_at_us, kind, debit_account, credit_account, amount_minor, created_at_us)',
      "?, ?, '', 0, 0, 1, 0",
      'ON CONFLICT (id) DO UPDATE SET state = excluded.state, settled_at_us = excluded.settled_at_us',
    )
    this.#ofPayment = sql.prepare('SELECT * FROM transfer WHERE payment_seq = ? + 0 ORDER BY id')
    this.#pendingThrough = sql.prepare(
      `SELECT payment_seq AS paymentSeq, transfer.id, debit_account AS debitAccount, credit_account AS creditAccount,
         transfer.amount_minor AS amountMinor
       FROM payment CROSS JOIN transfer ON transfer.payment_seq = payment.seq
       WHERE ${DUE_THROUGH} AND transfer.state = 'pending'`,
    )
    this.#saveAccount = sql.prepare(
      `INSERT INTO account (id, code, kind, organisation_id, currency, debits_posted, credits_posted, debits_pending, credits_pending)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET debits_posted = excluded.debits_posted,
       credits_posted = excluded.credits_posted, debits_pending = excluded.debits_pending, credits_pending = excluded.credits_pending`,
    )
  }

  insert(t: Omit<Transfer, 'id'>): number {
    const id = this.#counters.next('transfer')
    if (t.paymentSeq !== null) this.#ahead.take(t.paymentSeq)
    this.#insertions
      .of(t.kind, t.state)
      .run(id, t.paymentSeq, t.debitAccount, t.creditAccount, t.amountMinor, t.createdAtUs, t.settledAtUs)
    return id
  }

  complete(paymentSeq: number, state: 'posted' | 'voided', atUs: InstantUs): Pending[] {
    const pending = this.#pendingOf(paymentSeq)
    for (const transfer of pending) this.#completions.of(state).run(transfer.id, atUs)
    return pending
  }

  #pendingOf(paymentSeq: number): Pending[] {
    return this.#ahead.take(paymentSeq) ?? this.ofPayment(paymentSeq).filter((transfer) => transfer.state === 'pending')
  }

  /** Reads the pending transfers of all payments that are due up to a position, in one query. */
  readAhead({ dueAtUs, seq }: Due): void {
    let last: { paymentSeq: number; all: Pending[] } | undefined
    for (const pending of this.#pendingThrough.all(dueAtUs, seq)) {
      const { paymentSeq } = pending
      // Those of a payment come together: payments are looked through first.
      if (last?.paymentSeq === paymentSeq) last.all.push(pending)
      else {
        last = { paymentSeq, all: [pending] }
        this.#ahead.add(paymentSeq, last.all)
      }
    }
  }

  forgetAhead(): void {
    this.#ahead.forget()
  }

  ofPayment(paymentSeq: number): Transfer[] {
    return this.#ofPayment.all(paymentSeq).map(toTransfer)
  }

  page(options: { accountId?: number; beforeId?: number; limit: number }): Transfer[] {
    const parts: string[] = []
    const values: number[] = []
    if (options.accountId !== undefined) {
      parts.push('(debit_account = ? OR credit_account = ?)')
      values.push(options.accountId, options.accountId)
    }
    if (options.beforeId !== undefined) {
      parts.push('id < ?')
      values.push(options.beforeId)
    }
    const where = parts.length ? `WHERE ${parts.join(' AND ')}` : ''
    return this.#sql
      .prepare<TransferRow>(`SELECT * FROM transfer ${where} ORDER BY id DESC LIMIT ?`)
      .all(...values, options.limit)
      .map(toTransfer)
  }

  accounts(): Account[] {
    return this.#sql
      .prepare<{
        id: number
        code: string
        kind: Account['kind']
        organisation_id: number | null
        currency: Currency
        debits_posted: number
        credits_posted: number
        debits_pending: number
        credits_pending: number
      }>('SELECT * FROM account ORDER BY id')
      .all()
      .map((row) => ({
        id: row.id,
        code: row.code,
        kind: row.kind,
        organisationId: row.organisation_id,
        currency: row.currency,
        debitsPosted: row.debits_posted,
        creditsPosted: row.credits_posted,
        debitsPending: row.debits_pending,
        creditsPending: row.credits_pending,
      }))
  }

  saveAccount(a: Account): void {
    this.#saveAccount.run(
      a.id,
      a.code,
      a.kind,
      a.organisationId,
      a.currency,
      a.debitsPosted,
      a.creditsPosted,
      a.debitsPending,
      a.creditsPending,
    )
  }

  /**
   * Adds up the stored transfers and compares: every account with its transfers, debits with credits per currency, no
   * wallet below zero, no final payment with a pending transfer. Empty when everything agrees.
   */
  audit(): Imbalance[] {
    const found: Imbalance[] = []
    const expect = (what: string, expected: number, actual: number) => {
      if (expected !== actual) found.push({ what, expected, found: actual })
    }
    const sums = new Map<number, { dp: number; cp: number; dh: number; ch: number }>()
    const sumOf = (id: number) => {
      const known = sums.get(id) ?? { dp: 0, cp: 0, dh: 0, ch: 0 }
      sums.set(id, known)
      return known
    }
    for (const row of this.#sql
      .prepare<{ debit_account: number; credit_account: number; state: string; total: number }>(
        'SELECT debit_account, credit_account, state, sum(amount_minor) AS total FROM transfer GROUP BY debit_account, credit_account, state',
      )
      .all()) {
      if (row.state === 'posted') {
        sumOf(row.debit_account).dp += row.total
        sumOf(row.credit_account).cp += row.total
      } else if (row.state === 'pending') {
        sumOf(row.debit_account).dh += row.total
        sumOf(row.credit_account).ch += row.total
      }
    }
    const perCurrency = new Map<string, number>()
    for (const account of this.accounts()) {
      const sum = sumOf(account.id)
      expect(`${account.code} debits posted`, sum.dp, account.debitsPosted)
      expect(`${account.code} credits posted`, sum.cp, account.creditsPosted)
      expect(`${account.code} debits pending`, sum.dh, account.debitsPending)
      expect(`${account.code} credits pending`, sum.ch, account.creditsPending)
      const net = account.debitsPosted + account.debitsPending - account.creditsPosted - account.creditsPending
      perCurrency.set(account.currency, (perCurrency.get(account.currency) ?? 0) + net)
      if (account.kind === 'wallet') {
        const free = account.creditsPosted - account.debitsPosted - account.debitsPending
        if (free < 0) found.push({ what: `${account.code} is below zero`, expected: 0, found: free })
      }
    }
    for (const [currency, net] of perCurrency) expect(`debits less credits in ${currency}`, 0, net)
    const stuck = this.#sql
      .prepare<{ n: number }>(
        `SELECT count(*) AS n FROM transfer JOIN payment ON payment.seq = transfer.payment_seq
         WHERE transfer.state = 'pending' AND payment.status IN ('SUCCESS', 'FAILED', 'SUCCEEDED', 'EXPIRED', 'CANCELLED')`,
      )
      .get()
    expect('pending transfers of final payments', 0, stuck?.n ?? 0)
    return found
  }
}

function toTransfer(row: TransferRow): Transfer {
  return {
    id: row.id,
    paymentSeq: row.payment_seq,
    kind: row.kind,
    debitAccount: row.debit_account,
    creditAccount: row.credit_account,
    amountMinor: row.amount_minor,
    state: row.state,
    createdAtUs: row.created_at_us,
    settledAtUs: row.settled_at_us,
  }
}
