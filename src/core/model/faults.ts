/** What goes wrong with answers, as data: a scenario decides it, a payment's plan keeps it, the edges carry it out. */

/** An answer in the service's error form. */
export interface ErrorAnswer {
  status: number
  code: string
  /** That of the published table when left out. */
  message?: string
}

/**
 * What becomes of the answer to a request that was executed. `reset`: the connection is reset before a byte of it is
 * sent. `lost`: for us it was answered, and the connection closes before a byte of it arrives.
 */
export type PlannedAnswerFault = ErrorAnswer | 'reset' | 'lost'

/** What becomes of an answer on its way to the caller. */
export interface ResponseFault {
  /** The rule or fault that says so. */
  by: string
  /** The request is executed; otherwise nothing is. */
  executed: boolean
  /** `empty`: the connection closes without an answer. */
  answer?: (ErrorAnswer & { details?: string; retryAfterS?: number }) | 'reset' | 'lost' | 'empty'
  /** Real milliseconds that it comes late; the work waits too, unless `workFirst`. */
  latencyMs?: number
  workFirst?: true
  /** It breaks off after so many bytes, or after this part of them. */
  truncate?: { bytes: number } | { fraction: number }
  bytesPerSecond?: number
}
