/** Callbacks: what merchants are told, and each try at it. */

import type { CallbackFault } from './callback-fault.ts'
import type { Diagnosis } from './diagnosis.ts'
import type { Due } from './due.ts'
import type { InstantUs } from './time.ts'
import type { TraceContext } from './trace-context.ts'

/**
 * `pending` until an attempt succeeds or the last one fails. `held`: it waits for the next one to the same address, or
 * without anything due for somebody who says where it goes.
 * `dropped`: it is never sent.
 */
export const callbackStates = ['pending', 'held', 'delivered', 'failed', 'dropped'] as const
export type CallbackState = (typeof callbackStates)[number]

/** What we tell a merchant. */
export interface Callback {
  id: number
  /** Stable over attempts, so that a receiver can tell a repetition. */
  uid: string
  paymentSeq: number | null
  /** The one before it about the same payment. */
  previousId: number | null
  topic: string
  url: string
  /** The bytes that are sent, written once. */
  body: string
  state: CallbackState
  attempts: number
  createdAtUs: InstantUs
  settledAtUs: InstantUs | null
  /** What goes wrong with it, on purpose. */
  fault: CallbackFault | null
  /** That of the request that its payment began with, where that brought one. */
  trace: TraceContext | null
  /** The next attempt at it; copies that leave besides are in the agenda. */
  due: Due | null
}

/** One try at telling it. */
export interface Attempt {
  callbackId: number
  number: number
  /** An operator asked for it: it is no automatic retry. */
  byHand: boolean
  sentAtUs: InstantUs
  /** Real milliseconds until the answer. */
  tookMs: number
  /** Where it really went, after `MFANO_CALLBACK_HOST`. */
  url: string
  headers: Record<string, string>
  status: number | null
  responseBody: string | null
  /** Why it did not count, in words; null when it did. */
  error: string | null
  /** What the doctor says: why it did not count, or what is odd although it did. */
  diagnosis: Diagnosis | null
}
