/** Faults of answers, as data: the scenario decides them, the plan stores them, and the host carries them out. */

export interface ErrorAnswer {
  status: number
  code: string
  /** The published table's message when left out. */
  message?: string
}

/**
 * The request was executed, but its answer fails. `reset`: the connection is reset before the first byte. `lost`: mfano
 * answered, and no byte arrives.
 */
export type PlannedAnswerFault = ErrorAnswer | 'reset' | 'lost'

export interface ResponseFault {
  by: string
  executed: boolean
  answer?: (ErrorAnswer & { details?: string; retryAfterS?: number }) | 'reset' | 'lost' | 'empty'
  /** Real milliseconds before the answer. The work waits too, unless `workFirst`. */
  latencyMs?: number
  workFirst?: true
  truncate?: { bytes: number } | { fraction: number }
  bytesPerSecond?: number
}
