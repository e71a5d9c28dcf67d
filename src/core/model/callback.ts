/** Callbacks and the attempts to send them. */

import type { CallbackFault } from './callback-fault.ts'
import type { Diagnosis } from './diagnosis.ts'
import type { InstantUs } from './time.ts'
import type { TraceContext } from './trace-context.ts'

export const callbackStates = ['pending', 'held', 'delivered', 'failed', 'dropped'] as const
export type CallbackState = (typeof callbackStates)[number]

export interface Callback {
  id: number
  /** One for all attempts, so that a receiver can recognise a repetition. */
  uid: string
  paymentSeq: number | null
  previousId: number | null
  topic: string
  url: string
  /** Stored once, so that every attempt sends the same bytes. */
  body: string
  state: CallbackState
  attempts: number
  createdAtUs: InstantUs
  settledAtUs: InstantUs | null
  fault: CallbackFault | null
  trace: TraceContext | null
}

export interface Attempt {
  callbackId: number
  number: number
  byHand: boolean
  sentAtUs: InstantUs
  tookMs: number
  url: string
  /** Name of the forwarder that posted it, if not the world itself. */
  forwarder: string | null
  headers: Record<string, string>
  status: number | null
  responseBody: string | null
  error: string | null
  diagnosis: Diagnosis | null
}
