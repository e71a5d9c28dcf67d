import { type Account, availableMinor, type Currency, decimalText, type Transfer, walletCode } from '../model/money.ts'
import { commonReasons, refused } from '../model/refusal.ts'
import type { InstantUs } from '../model/time.ts'
import type { LedgerRows } from '../store/ledger-tables.ts'

export const railCode = (currency: Currency) => `rail:${currency}`
export const fundingCode = (currency: Currency) => `funding:${currency}`

export const feesCode = (currency: Currency) => `fees:${currency}`

export const floatCode = (currency: Currency, name: string) => `float:${currency}:${name}`

export interface TransferOrder {
  kind: string
  debit: string
  credit: string
  amountMinor: number
  paymentSeq: number | null
  atUs: InstantUs
}

/**
 * Double entry with two-phase transfers, so the books always balance. A wallet refuses to go below zero. Balances live
 * in memory, are written once per commit, and roll back with their command.
 */
export class Ledger {
  readonly #accounts = new Map<string, Account>()
  readonly #byId = new Map<number, Account>()
  readonly #dirty = new Set<Account>()
  readonly #rows: LedgerRows

  constructor(rows: LedgerRows) {
    this.#rows = rows
    for (const account of rows.accounts()) this.#keep(account)
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
    this.#rows.undo.onRollback(() => {
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

  reserve(order: TransferOrder): number {
    return this.#begin(order, 'reserve')
  }

  post(order: TransferOrder): number {
    return this.#begin(order, 'post-at-once')
  }

  complete(paymentSeq: number, as: 'post' | 'void', atUs: InstantUs): number {
    const completed = this.#rows.complete(paymentSeq, as === 'post' ? 'posted' : 'voided', atUs)
    for (const transfer of completed) {
      this.#move(as, this.#require(transfer.debitAccount), this.#require(transfer.creditAccount), transfer.amountMinor)
    }
    return completed.length
  }

  /** By opposite transfers, because posted ones never change. Refuses when a wallet cannot pay it back. */
  reverse(paymentSeq: number, atUs: InstantUs): void {
    const posted = this.#rows.ofPayment(paymentSeq).filter(({ state }) => state === 'posted')
    // Each reversal took back all that was there, so the oldest transfers are those that were reversed.
    const reversed = posted.filter(({ kind }) => kind === 'reversal').length
    for (const transfer of posted.filter(({ kind }) => kind !== 'reversal').slice(reversed)) {
      this.post({
        kind: 'reversal',
        debit: this.#require(transfer.creditAccount).code,
        credit: this.#require(transfer.debitAccount).code,
        amountMinor: transfer.amountMinor,
        paymentSeq,
        atUs,
      })
    }
  }

  transfersOf(paymentSeq: number): Transfer[] {
    return this.#rows.ofPayment(paymentSeq)
  }

  flush(): void {
    for (const account of this.#dirty) this.#rows.saveAccount(account)
    this.#dirty.clear()
  }

  /** Only wallets refuse; other accounts stand for the outside world. */
  requireFunds(code: string, amountMinor: number): void {
    const debit = this.account(code)
    if (debit.kind !== 'wallet' || availableMinor(debit) >= amountMinor) return
    throw refused(
      commonReasons.fundsShort,
      `amount: ${decimalText(amountMinor)} ${debit.currency} is more than the wallet's ${decimalText(availableMinor(debit))} ${debit.currency}`,
      'amount is more than the wallet holds',
    )
  }

  #begin(order: TransferOrder, movement: 'reserve' | 'post-at-once'): number {
    const debit = this.account(order.debit)
    const credit = this.account(order.credit)
    this.requireFunds(order.debit, order.amountMinor)
    // Larger sums would be rounded, and money would appear or vanish.
    const room = Number.MAX_SAFE_INTEGER - order.amountMinor
    if (debit.debitsPosted + debit.debitsPending > room || credit.creditsPosted + credit.creditsPending > room) {
      throw refused(
        commonReasons.booksFull,
        `amount: more ${debit.currency} than can be counted exactly would have gone through this world; POST /_mfano/reset empties it`,
        'amount is more than the books can hold',
      )
    }
    const transferId = this.#rows.insert({
      paymentSeq: order.paymentSeq,
      kind: order.kind,
      debitAccount: debit.id,
      creditAccount: credit.id,
      amountMinor: order.amountMinor,
      state: movement === 'reserve' ? 'pending' : 'posted',
      createdAtUs: order.atUs,
      settledAtUs: movement === 'reserve' ? null : order.atUs,
    })
    this.#move(movement, debit, credit, order.amountMinor)
    return transferId
  }

  #move(movement: Movement, debit: Account, credit: Account, amountMinor: number): void {
    // Sums are integers, so the opposite movement restores them exactly.
    this.#rows.undo.onRollback(() => move(movement, debit, credit, -amountMinor))
    move(movement, debit, credit, amountMinor)
    this.#dirty.add(debit).add(credit)
  }

  #require(accountId: number): Account {
    const account = this.#byId.get(accountId)
    if (!account) throw new Error(`Account ${accountId} is referred to by a transfer but not stored`)
    return account
  }

  #keep(account: Account): void {
    this.#accounts.set(account.code, account)
    this.#byId.set(account.id, account)
  }
}

/** Every movement changes debits and credits by the same amount, so the books always balance. */
type Movement = 'reserve' | 'post' | 'void' | 'post-at-once'

function move(movement: Movement, debit: Account, credit: Account, amountMinor: number): void {
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
