/** Payments, plans and organisations as they are stored. */

import type { CallbackFault } from './callback-fault.ts'
import type { Due } from './due.ts'
import type { PlannedAnswerFault } from './faults.ts'
import type { Moments } from './moments.ts'
import type { Currency } from './money.ts'
import type { DurationUs, InstantUs } from './time.ts'
import type { TraceContext } from './trace-context.ts'

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
export type JsonObject = { [key: string]: Json }

export type PaymentKind = string

/** What the scenario decided when the payment was made. Never changed, so a later scenario cannot change it. */
export interface Plan {
  rule: string
  /** One letter for each rule up to the deciding one; see `model/trace-letters.ts`. */
  trace: string
  /** Version of the scenario, left out for the first. Databases store it under this name. */
  edition?: number
  /** World time until the end; of a checkout, from its payment on. Null: never ends by itself. */
  afterUs: DurationUs | null
  bankingUs?: DurationUs
  end: string
  /** What the end sets in the record, such as `errorCode` or `receiverName`. */
  with: JsonObject
  /** Changes a final state later: SUCCESS and FAILED two days on, or FAILED and then SUCCESS. */
  revise: {
    afterUs: DurationUs
    /** Replaces `afterUs`: how long banks must be open until then. */
    bankingUs?: DurationUs
    end: string
    with: JsonObject
  } | null
  /** Checkout only: pays by itself after this time. Null: waits for the payer. */
  payAfterUs?: DurationUs | null
  /** Checkout only: a phone prompt is confirmed after this time. Null: never. */
  confirmAfterUs?: DurationUs | null
  /**
   * Checkout only: how long a phone prompt waits for the handset before it fails. Without it, the prompt answers
   * itself.
   */
  promptUs?: DurationUs
  rails?: string[]
  failedBy?: string
  float?: string
  /** Waits until the float holds the amount; `afterUs` counts from then. */
  untilFunded?: true
  /** The fee of the rails, in minor units. */
  feeMinor?: number
  answer?: PlannedAnswerFault
  /** The request makes two payments, as a service without idempotency might. */
  twice?: true
  /** Ends at this read (`afterUs` is null then). Earlier reads say PENDING. */
  untilPoll?: number
  callback?: CallbackFault
}

export interface Payment<Request = JsonObject> {
  /** Order of creation in the world, over all kinds. */
  seq: number
  kind: PaymentKind
  /** Printed as `id`: counted for each kind. */
  id: number
  readonly uuid: string
  organisationId: number
  /** Only for an allocation: the other organisation. */
  counterpartyId: number | null
  referenceId: string | null
  currency: Currency
  amountMinor: number
  /** A state of the kind's machine, which is also the word in answers. */
  status: string
  readonly request: Request
  /** Added by the rails and the plan: `receiverName`, `transactionReceipt`, `conversationId`. */
  details: JsonObject
  readonly plan: Plan
  readonly history: Moments
  readonly callbackUrl: string | null
  /** From the request, so that callbacks continue the caller's trace. */
  readonly trace?: TraceContext | undefined
  createdAtUs: InstantUs
  updatedAtUs: InstantUs
  /** The newest callback, which links to the one before. */
  lastCallbackId: number | null
  due: Due | null
}

export interface Organisation {
  id: number
  uuid: string
  name: string
  phoneNumber: string
  email: string
  uniqueReference: string
  environment: string | null
  collectionCallbackUrl: string | null
  parentId: number | null
  createdAtUs: InstantUs
  updatedAtUs: InstantUs
}
