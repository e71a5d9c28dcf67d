/** Faults of answers, as data: the scenario decides them, the plan stores them, and the host carries them out. */

export interface ErrorAnswer {
  status: number
  code: string
  /** The published table's message when left out. */
  message?: string
  /** The page of a gateway instead of JSON. */
  html?: true
}

/**
 * The request was executed, but its answer fails. `reset`: the connection is reset before the first byte. `lost`: mfano
 * answered, and no byte arrives.
 */
export type PlannedAnswerFault = ErrorAnswer | 'reset' | 'lost'

/** Changes to an answer. A new fault is written in these terms, so the road does not know faults by name. */
export interface ResponseOrders {
  /** In place of the true one. */
  answer?: (ErrorAnswer & { details?: string; retryAfterS?: number }) | 'reset' | 'lost' | 'empty'
  /** Real milliseconds before the answer. The work waits too, unless `workFirst`. */
  latencyMs?: number
  truncate?: { bytes: number } | { fraction: number }
  bytesPerSecond?: number
}

export interface ResponseFault extends ResponseOrders {
  by: string
  executed: boolean
  workFirst?: true
  /** By the name of the fault, for those that change what is sent in a way of their own. */
  kept?: Readonly<Record<string, unknown>>
}

/** Just before it is sent. */
export interface SentAnswer {
  status: number
  headers: Readonly<Record<string, string>>
  text: string
}

export function printErrorAnswer({ status, code, html }: ErrorAnswer): string {
  return html ? `${status} with an HTML page` : `${status} ${code}`
}
