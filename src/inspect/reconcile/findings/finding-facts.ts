/** What sentences of findings are made of. */
import type { Callback } from '../../../core/model/callback.ts'
import type { JournalEntry } from '../../../core/model/journal.ts'
import type { PaymentFacts, RefusedRequest } from '../ledger-facts.ts'
import type { BooksLine } from '../read-books.ts'

/** About a line of the books, a payment, or both. */
export interface DifferenceFacts {
  line?: BooksLine | undefined
  payment?: PaymentFacts | undefined
  /** The payment that it repeats, or that is listed already. */
  other?: PaymentFacts | undefined
  /** The request that made no payment. */
  refused?: RefusedRequest | undefined
  /** Something speaks for the app: this is advice, whatever its record says. */
  doubtful?: true
}

/** Makes a difference advice. */
export const DOUBTFUL = { doubtful: true } as const

/** How often a receiver did something, and when it did so first. */
export interface CallbackHabit {
  times: number
  first: Pick<Callback, 'uid' | 'createdAtUs' | 'paymentSeq'>
  what: string
}

export interface TokenHabit {
  tokens: number
  calls: number
  /** Tokens that were fetched while the last one was still good. */
  needless: number
}

export interface MisplacedSecret {
  /** Where nothing reads it: `the query`, `the field apiSecret`. */
  where: string
  times: number
  first: Pick<JournalEntry, 'method' | 'path' | 'requestId'>
}

export interface Polling {
  path: string
  /** The most reads of it within so many seconds. */
  times: number
  withinS: number
}
