/** What the simulated rails know about people, accounts, cards and businesses. */
import type { CardOutcome } from './card.ts'

/** More than the largest payment: nobody is short of money unless a scenario says so. */
export const PLENTY = 1_000_000_000_000

/** What the simulated rails know: who holds a phone, a bank account, a till. */
export interface Subscriber {
  phone: string
  known: boolean
  name: string
  network: string
  /** Major units of the subscriber's currency; `PLENTY` of whoever is never short of money. */
  balance: number
  /** What the holder types to pay. */
  pin: string
}
export interface BankAccount {
  bankCode: string
  account: string
  known: boolean
  holder: string
}
export interface Business {
  number: string
  known: boolean
  name: string
}
/** A card for tests. */
export interface ListedCard {
  number: string
  outcome: CardOutcome
}
/** Looks up, and invents the unknown from the seed: the same every time. */
export interface Directory {
  subscriber(phone: string): Subscriber
  /** A subscriber's name alone. */
  nameOf(phone: string): string
  bankAccount(bankCode: string, account: string): BankAccount
  business(number: string): Business
  /** What its bank says to a payment with a card, by its digits. */
  card(digits: string): CardOutcome
  /** The cards that are listed, in their order. */
  readonly cards: readonly ListedCard[]
}
