/** More than the largest payment, so nobody is short of money unless a scenario says so. */
export const UNLIMITED = 1_000_000_000_000

export interface Subscriber {
  phone: string
  known: boolean
  name: string
  network: string
  balance: number
  pin: string
}

/** Invents unknown entries from the seed, so the same question always gets the same answer. */
export interface Directory {
  subscriber(phone: string): Subscriber
  bankAccount(bankCode: string, account: string): { bankCode: string; account: string; known: boolean; holder: string }
  business(number: string): { number: string; known: boolean; name: string }
  card(digits: string): CardOutcome
  readonly cards: readonly { number: string; outcome: CardOutcome }[]
}

// Payment cards. Only the brand and the last four digits are kept, so that no database holds a card number.

export const cardOutcomes = ['approved', 'declined', 'insufficient-funds', 'expired-card', 'challenge'] as const
export type CardOutcome = (typeof cardOutcomes)[number]

export interface KeptCard {
  brand: string
  last4: string
}
