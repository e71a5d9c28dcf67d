/** The data behind sentences of findings. */
import type { Callback } from '../../../core/model/callback.ts'
import type { JournalEntry } from '../../../core/model/journal.ts'
import type { PaymentFacts, RefusedRequest } from '../ledger-facts.ts'
import type { BookedPayment } from '../read-books.ts'

export interface DifferenceFacts {
  line?: BookedPayment | undefined
  payment?: PaymentFacts | undefined
  other?: PaymentFacts | undefined
  refused?: RefusedRequest | undefined
  /** The reference on the other side that differs from this one by spelling only. */
  alike?: string | undefined
  /** Something speaks for the app, so it is reported as advice. */
  doubtful?: true
}

export const DOUBTFUL = { doubtful: true } as const

export interface CallbackHabit {
  times: number
  first: Pick<Callback, 'uid' | 'createdAtUs' | 'paymentSeq'>
  what: string
}

export interface TokenHabit {
  tokens: number
  calls: number
  needless: number
}

export interface MisplacedSecret {
  where: string
  times: number
  first: Pick<JournalEntry, 'method' | 'path' | 'requestId'>
}

export interface Polling {
  path: string
  times: number
  withinS: number
}
