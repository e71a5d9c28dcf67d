/** What goes wrong on the wire, as data: a scenario decides it, a payment's plan keeps it, the edges carry it out. */
import type { DurationUs } from './time.ts'

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

/** How a callback's signature is wrong, where callbacks are signed. */
export const signatureFaults = ['none', 'old-secret', 'altered-body', 'stale-timestamp', 'missing-header'] as const
export type SignatureFault = (typeof signatureFaults)[number]

/** What goes wrong with telling the merchant about one payment. */
export interface CallbackFault {
  /** The rule or fault that says so. */
  by: string
  /** World time before the first attempt; with `reorder`, how long it waits at most. */
  delayUs?: DurationUs
  /** It is written to the outbox and never sent. */
  drop?: true
  /** How often it is sent in all: again after it was received, with the same id. */
  duplicate?: number
  /** All of those leave at the same time instead. */
  together?: true
  /** The payment's first callback waits until the next one to the same address has gone. */
  reorder?: true
  /** The payment ends, and the merchant is told, before the request that made it is answered. */
  early?: true
  /** Fields that nobody announced, added to the body. */
  extra?: Record<string, null | boolean | number | string>
  /** A word in the place of the status. */
  status?: string
  signature?: SignatureFault
  /** In place of the scenario's retry policy. */
  retry?: { attempts?: number; backoffUs?: DurationUs[] }
}

/** A callback that waits for the next one goes by itself after this much world time. */
export const REORDER_AT_MOST_US: DurationUs = 3_600_000_000

/** In words, for lists: `sent 2 times; extra fields: memo`. */
export function describeCallbackFault(fault: CallbackFault, formatDuration: (us: DurationUs) => string): string {
  const { delayUs, drop, duplicate, together, reorder, early, extra, status, signature, retry } = fault
  return [
    drop && 'never sent',
    early && 'sent before the request is answered',
    delayUs !== undefined && !reorder && `sent ${formatDuration(delayUs)} later`,
    duplicate !== undefined && `sent ${duplicate} times${together ? ' at the same time' : ''}`,
    reorder &&
      `sent after the next callback to the same address, ${formatDuration(delayUs ?? REORDER_AT_MOST_US)} later at most`,
    extra && `extra fields: ${Object.keys(extra).join(', ')}`,
    status !== undefined && `status ${status}`,
    signature && `signature: ${signature}`,
    retry && 'retried by a policy of its own',
  ]
    .filter(Boolean)
    .join('; ')
}
