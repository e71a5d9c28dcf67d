/** The ledger: two-phase transfers on double-entry accounts, and its audit. */
import { openStates } from '../lifecycle.ts'
import type { Position } from '../model/due.ts'
import { type Account, availableMinor, type Currency, decimalText, type Transfer, walletCode } from '../model/money.ts'
import { must } from '../model/must.ts'
import { commonReasons, refused } from '../model/refusal.ts'
import type { InstantUs } from '../model/time.ts'
import { insertRows, updateRows } from '../sql.ts'
import { STEPPED_THROUGH } from './agenda-table.ts'
import { type Shared, Table } from './counter-table.ts'
import { Conditions, type Slice, sliceOf, slicesThrough } from './queries.ts'

/** Slices that an audit reads again in turns of their own, at the most; the others are read in its last turn. */
const READ_AGAIN_MOST = 100

type Pending = Pick<Transfer, 'paymentSeq' | 'id' | 'debitAccount' | 'creditAccount' | 'amountMinor'>

export interface TransferOrder {
  kind: string
  debit: string
  credit: string
  amountMinor: number
  paymentSeq: number | null
  atUs: InstantUs
}

/**
 * Every movement changes debits and credits by the same amount, so the books always balance. A wallet refuses to go
 * below zero. Balances live in memory, are written once per commit, and roll back with their command.
 */
export class Ledger extends Table {
  readonly #insert = insertRows(this.sql, 'transfer', [
    ...['id', 'paymentSeq', 'kind', 'debitAccount', 'creditAccount', 'amountMinor', 'state'],
    ...['createdAtUs', 'settledAtUs'],
  ])
  readonly #complete = updateRows(this.sql, 'transfer', ['state', 'settledAtUs'], 'id')
  readonly #ofPayment = this.sql.prepare<Transfer>('SELECT * FROM transfer WHERE paymentSeq = ? + 0 ORDER BY id')
  /** By payment, as in `Payments`. */
  #ahead = new Map<number | null, Pending[]>()
  readonly #saveAccount = this.sql.prepare<never>(
    `INSERT INTO account (id, code, kind, organisationId, currency, debitsPosted, creditsPosted, debitsPending, creditsPending)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET debitsPosted = excluded.debitsPosted,
     creditsPosted = excluded.creditsPosted, debitsPending = excluded.debitsPending, creditsPending = excluded.creditsPending`,
  )
  /** For each audit under way, accounts that changed since it read them. */
  readonly #audits = new Set<Map<number, Slice>>()
  readonly #accounts = new Map<string, Account>()
  readonly #byId = new Map<number, Account>()
  readonly #dirty = new Set<Account>()

  constructor(shared: Shared) {
    super(shared)
    for (const account of this.storedAccounts()) this.#keep(account)
  }

  account(code: string): Account {
    const known = this.#accounts.get(code)
    if (known) return known
    const [kind, first, second] = code.split(':') as [Account['kind'], string, string | undefined]
    const account: Account = {
      id: this.#byId.size + 1,
      code,
      kind,
      organisationId: kind === 'wallet' ? Number(first) : null,
      currency: (kind === 'wallet' ? second : first) as Currency,
      debitsPosted: 0,
      creditsPosted: 0,
      debitsPending: 0,
      creditsPending: 0,
    }
    this.#keep(account)
    this.#dirty.add(account)
    this.undo.onRollback(() => {
      this.#accounts.delete(code)
      this.#byId.delete(account.id)
      this.#dirty.delete(account)
    })
    return account
  }

  find(code: string): Account | undefined {
    return this.#accounts.get(code)
  }

  accounts(): Account[] {
    return [...this.#byId.values()]
  }

  available(organisationId: number, currency: Currency): number {
    const account = this.#accounts.get(walletCode(organisationId, currency))
    return account ? availableMinor(account) : 0
  }

  complete(paymentSeq: number, as: 'post' | 'void', atUs: InstantUs): number {
    const pending =
      this.#ahead.get(paymentSeq) ?? this.transfersOf(paymentSeq).filter(({ state }) => state === 'pending')
    this.#ahead.delete(paymentSeq)
    for (const { id, debitAccount, creditAccount, amountMinor } of pending) {
      this.#complete.run(as === 'post' ? 'posted' : 'voided', atUs, id)
      if (this.#audits.size > 0) this.#note(id)
      this.#move(as, must(this.#byId.get(debitAccount)), must(this.#byId.get(creditAccount)), amountMinor)
    }
    return pending.length
  }

  /** By opposite transfers, because posted ones never change. Refuses when a wallet cannot pay it back. */
  reverse(paymentSeq: number, atUs: InstantUs): void {
    const posted = this.transfersOf(paymentSeq).filter(({ state }) => state === 'posted')
    // Each reversal took back all that was there, so the oldest transfers are those that were reversed.
    const reversed = posted.filter(({ kind }) => kind === 'reversal').length
    for (const transfer of posted.filter(({ kind }) => kind !== 'reversal').slice(reversed)) {
      const order = {
        kind: 'reversal',
        debit: must(this.#byId.get(transfer.creditAccount)).code,
        credit: must(this.#byId.get(transfer.debitAccount)).code,
        amountMinor: transfer.amountMinor,
        paymentSeq,
        atUs,
      }
      this.transfer(order, 'post-at-once')
    }
  }

  transfer(
    { paymentSeq, kind, amountMinor, atUs, ...order }: TransferOrder,
    movement: 'reserve' | 'post-at-once',
  ): number {
    const debit = this.account(order.debit)
    const credit = this.account(order.credit)
    // Only wallets refuse; other accounts stand for the outside world.
    if (debit.kind === 'wallet' && availableMinor(debit) < amountMinor) {
      throw refused(
        commonReasons.fundsShort,
        `amount: ${decimalText(amountMinor)} ${debit.currency} is more than the wallet's ${decimalText(availableMinor(debit))} ${debit.currency}`,
        'amount is more than the wallet holds',
      )
    }
    // Larger sums would be rounded, and money would appear or vanish.
    const room = Number.MAX_SAFE_INTEGER - amountMinor
    if (debit.debitsPosted + debit.debitsPending > room || credit.creditsPosted + credit.creditsPending > room) {
      throw refused(
        commonReasons.booksFull,
        `amount: more ${debit.currency} than can be counted exactly would have gone through this world; POST /_mfano/reset empties it`,
        'amount is more than the books can hold',
      )
    }
    const id = this.counters.next('transfer')
    const [state, settledAtUs] = movement === 'reserve' ? ['pending', null] : ['posted', atUs]
    this.#ahead.delete(paymentSeq)
    this.#insert.run(id, paymentSeq, kind, debit.id, credit.id, amountMinor, state, atUs, settledAtUs)
    if (this.#audits.size > 0) this.#note(id)
    this.#move(movement, debit, credit, amountMinor)
    return id
  }

  #move(movement: Movement, debit: Account, credit: Account, amountMinor: number): void {
    // Sums are integers, so the opposite movement restores them exactly.
    this.undo.onRollback(() => move(movement, debit, credit, -amountMinor))
    move(movement, debit, credit, amountMinor)
    this.#dirty.add(debit).add(credit)
  }

  #keep(account: Account): void {
    this.#accounts.set(account.code, account)
    this.#byId.set(account.id, account)
  }

  /** Reads the pending transfers of all payments that have a step due up to a position, in one query. */
  readAhead({ dueAtUs, seq }: Position): void {
    const text = `SELECT paymentSeq, id, debitAccount, creditAccount, amountMinor FROM transfer
      WHERE paymentSeq IN (${STEPPED_THROUGH}) AND state = 'pending' ORDER BY paymentSeq, id`
    this.undo.onRollback(() => this.#ahead.clear())
    this.#ahead = Map.groupBy(this.rows<Pending>(text, dueAtUs, seq), ({ paymentSeq }) => paymentSeq)
  }

  transfersOf(paymentSeq: number): Transfer[] {
    return this.#ofPayment.all(paymentSeq)
  }

  page(options: { accountId?: number | undefined; before?: number | undefined; limit: number }): Transfer[] {
    return new Conditions()
      .add('(debitAccount = ? OR creditAccount = ?)', options.accountId, options.accountId)
      .add('id < ?', options.before)
      .page(this.sql, 'transfer', 'id', { limit: options.limit, newestFirst: true })
  }

  storedAccounts(): Account[] {
    return this.rows('SELECT * FROM account ORDER BY id')
  }

  flush(): void {
    for (const a of this.#dirty) {
      const sums = [a.debitsPosted, a.creditsPosted, a.debitsPending, a.creditsPending]
      this.#saveAccount.run(a.id, a.code, a.kind, a.organisationId, a.currency, ...sums)
    }
    this.#dirty.clear()
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
      return imbalancesOf(this.storedAccounts(), [...sums.values()])
    } finally {
      this.#audits.delete(changed)
    }
  }

  #sumsOf({ from, through }: Slice): SliceSums {
    const sums = `SELECT debitAccount, creditAccount, state, sum(amountMinor) AS totalMinor
      FROM transfer WHERE id BETWEEN ? AND ? GROUP BY debitAccount, creditAccount, state`
    const stuck = `SELECT count(*) AS n FROM transfer JOIN payment ON payment.seq = transfer.paymentSeq
      WHERE transfer.id BETWEEN ? AND ? AND transfer.state = 'pending'
        AND payment.status NOT IN ('${openStates.join("', '")}')`
    return {
      transfers: this.rows<TransferSum>(sums, from, through),
      stuck: this.row<{ n: number }>(stuck, from, through)?.n ?? 0,
    }
  }

  /** For audits under way, rolled back or not. */
  #note(transferId: number): void {
    const slice = sliceOf(transferId)
    for (const changed of this.#audits) changed.set(slice.number, slice)
  }
}

type Movement = 'reserve' | 'post' | 'void' | 'post-at-once'

const sides = [
  ['debitsPosted', 'debits posted'],
  ['creditsPosted', 'credits posted'],
  ['debitsPending', 'debits pending'],
  ['creditsPending', 'credits pending'],
] as const

type Sums = Pick<Account, (typeof sides)[number][0]>

function move(movement: Movement, debit: Sums, credit: Sums, amountMinor: number): void {
  if (movement === 'reserve') {
    debit.debitsPending += amountMinor
    credit.creditsPending += amountMinor
    return
  }
  if (movement !== 'post-at-once') {
    debit.debitsPending -= amountMinor
    credit.creditsPending -= amountMinor
  }
  if (movement !== 'void') {
    debit.debitsPosted += amountMinor
    credit.creditsPosted += amountMinor
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
  const added = new Map<number, Sums>()
  const sumsOf = (id: number) => {
    const sums = added.get(id) ?? { debitsPosted: 0, creditsPosted: 0, debitsPending: 0, creditsPending: 0 }
    added.set(id, sums)
    return sums
  }
  for (const { debitAccount, creditAccount, state, totalMinor } of slices.flatMap(({ transfers }) => transfers)) {
    if (state === 'voided') continue
    const movement = state === 'posted' ? 'post-at-once' : 'reserve'
    move(movement, sumsOf(debitAccount), sumsOf(creditAccount), totalMinor)
  }
  const perCurrency = new Map<string, number>()
  for (const account of accounts) {
    const { id, code, kind, currency } = account
    const sums = sumsOf(id)
    for (const [side, words] of sides) expect(`${code} ${words}`, sums[side], account[side])
    const net = account.debitsPosted + account.debitsPending - account.creditsPosted - account.creditsPending
    perCurrency.set(currency, (perCurrency.get(currency) ?? 0) + net)
    const free = availableMinor(account)
    if (kind === 'wallet' && free < 0) found.push({ what: `${code} is below zero`, expected: 0, found: free })
  }
  for (const [currency, net] of perCurrency) expect(`debits less credits in ${currency}`, 0, net)
  const stuck = slices.reduce((sum, one) => sum + one.stuck, 0)
  expect('pending transfers of final payments', 0, stuck)
  return found
}
