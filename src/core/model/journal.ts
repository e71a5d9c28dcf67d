/** The journal: requests and their answers. */
import type { InstantUs } from './time.ts'

/** A request and its answer, secrets masked. */
export interface JournalEntry {
  seq: number
  /** Also in the answer's `Mfano-Request-Id` header. */
  requestId: string
  atUs: InstantUs
  /** The operation's id; null when no operation was recognised. */
  operation: string | null
  method: string
  /** With the query, below the world's base URL. */
  path: string
  organisationId: number | null
  requestHeaders: Record<string, string>
  requestBody: string | null
  status: number
  responseBody: string | null
  /** The scenario rule that decided, when one did. */
  rule: string | null
  notes: JournalNotes | null
  /** The payment that it made, or that answered for it again. */
  paymentSeq: number | null
}

/** What a merchant should know about an otherwise accepted request. */
export interface JournalNotes {
  /** Fields of the request that nothing read. */
  unread?: string[]
  /** Documented limits that the request broke and that are not enforced. */
  warnings?: string[]
  /** What a rule or a fault did to the answer on its way. */
  fault?: string
  /** It repeats an earlier request, whose payment answered for it. */
  replayed?: true
  /** Assumptions that had to be asked how it is taken, by their ids. */
  assumed?: string[]
}
