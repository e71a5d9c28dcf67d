/** The journal: requests and their answers. */
import type { InstantUs } from './time.ts'

export interface JournalEntry {
  seq: number
  /** Also sent as the header `Mfano-Request-Id`. */
  requestId: string
  atUs: InstantUs
  operation: string | null
  method: string
  /** Includes the query; below the world's base URL. */
  path: string
  organisationId: number | null
  requestHeaders: Record<string, string>
  requestBody: string | null
  status: number
  responseBody: string | null
  rule: string | null
  notes: JournalNotes | null
  /** The payment that it created, or the earlier one with the same reference. */
  paymentSeq: number | null
}

export interface JournalNotes {
  unread?: string[]
  warnings?: string[]
  fault?: string
  replayed?: true
  assumed?: string[]
}
