/** Accounts, transfers and entries of the ledger. */
import { openStates } from '../lifecycle.ts'
import type { Position } from '../model/due.ts'
import type { Account, Transfer } from '../model/money.ts'
import type { InstantUs } from '../model/time.ts'
import { insertRows, updateRows } from '../sql.ts'
import { STEPPED_THROUGH } from './agenda-table.ts'
import { Table } from './counter-table.ts'
import { Conditions, ReadAhead, type Slice, sliceOf, slicesThrough } from './queries.ts'

/** Slices that an audit reads again in turns of their own, at the most; the others are read in its last turn. */
const READ_AGAIN_MOST = 100

type Pending = Pick<Transfer, 'id' | 'debitAccount' | 'creditAccount' | 'amountMinor'>

export class LedgerRows extends Table {
  readonly #insert = insertRows(this.sql, 'transfer', [
    ...['id', 'paymentSeq', 'kind', 'debitAccount', 'creditAccount', 'amountMinor', 'state'],
    ...['createdAtUs', 'settledAtUs'],
  ])
  readonly #complete = updateRows(this.sql, 'transfer', ['state', 'settledAtUs'], 'id')
  readonly #ofPayment = this.sql.prepare<Transfer>('SELECT * FROM transfer WHERE paymentSeq = ? + 0 ORDER BY id')
  readonly #pendingThrough = this.sql.prepare<Pending & { paymentSeq: number }>(
    `SELECT paymentSeq, id, debitAccount, creditAccount, amountMinor FROM transfer
     WHERE paymentSeq IN (${STEPPED_THROUGH}) AND state = 'pending' ORDER BY paymentSeq, id`,
  )
  readonly #ahead = new ReadAhead<Pending[]>()
  readonly #saveAccount = this.sql.prepare<never>(
    `INSERT INTO account (id, code, kind, organisationId, currency, debitsPosted, creditsPosted, debitsPending, creditsPending)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET debitsPosted = excluded.debitsPosted,
     creditsPosted = excluded.creditsPosted, debitsPending = excluded.debitsPending, creditsPending = excluded.creditsPending`,
  )
  readonly #transferSums = this.sql.prepare<TransferSum>(
    `SELECT debitAccount, creditAccount, state, sum(amountMinor) AS totalMinor
     FROM transfer WHERE id BETWEEN ? AND ? GROUP BY debitAccount, creditAccount, state`,
  )
  readonly #stuck = this.sql.prepare<{ n: number }>(
    `SELECT count(*) AS n FROM transfer JOIN payment ON payment.seq = transfer.paymentSeq
     WHERE transfer.id BETWEEN ? AND ? AND transfer.state = 'pending'
       AND payment.status NOT IN ('${openStates.join("', '")}')`,
  )
  /** For each audit under way, accounts that changed since it read them. */
  readonly #audits = new Set<Map<number, Slice>>()

  insert(t: Omit<Transfer, 'id'>): number {
    const id = this.counters.next('transfer')
    if (t.paymentSeq !== null) this.#ahead.take(t.paymentSeq)
    this.#insert.run(
      id,
      t.paymentSeq,
      t.kind,
      t.debitAccount,
      t.creditAccount,
      t.amountMinor,
      t.state,
      t.createdAtUs,
      t.settledAtUs,
    )
    this.#note(id)
    return id
  }

  complete(paymentSeq: number, state: 'posted' | 'voided', atUs: InstantUs): Pending[] {
    const pending = this.#pendingOf(paymentSeq)
    for (const transfer of pending) {
      this.#complete.run(state, atUs, transfer.id)
      this.#note(transfer.id)
    }
    return pending
  }

  #pendingOf(paymentSeq: number): Pending[] {
    return this.#ahead.take(paymentSeq) ?? this.ofPayment(paymentSeq).filter((transfer) => transfer.state === 'pending')
  }

  /** Reads the pending transfers of all payments that have a step due up to a position, in one query. */
  readAhead({ dueAtUs, seq }: Position): void {
    let last: { paymentSeq: number; all: Pending[] } | undefined
    for (const pending of this.#pendingThrough.all(dueAtUs, seq)) {
      const { paymentSeq } = pending
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
    return this.#ofPayment.all(paymentSeq)
  }

  page(options: { accountId?: number; beforeId?: number; limit: number }): Transfer[] {
    return new Conditions()
      .add('(debitAccount = ? OR creditAccount = ?)', options.accountId, options.accountId)
      .add('id < ?', options.beforeId)
      .page(this.sql, 'transfer', 'id', { limit: options.limit, newestFirst: true })
  }

  accounts(): Account[] {
    return this.sql.prepare<Account>('SELECT * FROM account ORDER BY id').all()
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
   * wallet below zero, no final payment with a pending transfer. Empty when everything agrees. Slices of transfers that
   * changed meanwhile are read again, the last of them in the same turn as the accounts.
   */
  *auditing(): Generator<void, Imbalance[]> {
    const changed = new Map<number, Slice>()
    const sums = new Map<number, SliceSums>()
    const read = (slice: Slice) => {
      changed.delete(slice.number)
      sums.set(slice.number, this.#sumsOf(slice))
    }
    this.#audits.add(changed)
    try {
      yield* slicesThrough(this.sql, 'transfer.id', this.counters.current('transfer'), read)
      for (let left = READ_AGAIN_MOST; left > 0 && changed.size > 1; left--) {
        for (const slice of changed.values()) {
          read(slice)
          break
        }
        yield
      }
      for (const slice of changed.values()) read(slice)
      return imbalancesOf(this.accounts(), [...sums.values()])
    } finally {
      this.#audits.delete(changed)
    }
  }

  #sumsOf({ from, through }: Slice): SliceSums {
    return { transfers: this.#transferSums.all(from, through), stuck: this.#stuck.get(from, through)?.n ?? 0 }
  }

  /** Rolled back or not. */
  #note(transferId: number): void {
    if (this.#audits.size === 0) return
    const slice = sliceOf(transferId)
    for (const changed of this.#audits) changed.set(slice.number, slice)
  }
}

// Compares the accounts of a ledger with what its transfers add up to.

interface Imbalance {
  what: string
  expected: number
  found: number
}

type TransferSum = Pick<Transfer, 'debitAccount' | 'creditAccount' | 'state'> & { totalMinor: number }

interface SliceSums {
  transfers: TransferSum[]
  /** Pending transfers of final payments. */
  stuck: number
}

function imbalancesOf(accounts: readonly Account[], slices: readonly SliceSums[]): Imbalance[] {
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
  for (const { debitAccount, creditAccount, state, totalMinor } of slices.flatMap(({ transfers }) => transfers)) {
    if (state === 'posted') {
      sumOf(debitAccount).dp += totalMinor
      sumOf(creditAccount).cp += totalMinor
    } else if (state === 'pending') {
      sumOf(debitAccount).dh += totalMinor
      sumOf(creditAccount).ch += totalMinor
    }
  }
  const perCurrency = new Map<string, number>()
  for (const account of accounts) {
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
  const stuck = slices.reduce((sum, one) => sum + one.stuck, 0)
  expect('pending transfers of final payments', 0, stuck)
  return found
}
