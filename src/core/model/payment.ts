/** Payments, plans and organisations as they are stored. */

import type { CallbackFault } from './callback-fault.ts'
import type { Due } from './due.ts'
import type { PlannedAnswerFault } from './faults.ts'
import type { Moments } from './moments.ts'
import type { Currency } from './money.ts'
import type { DurationUs, InstantUs } from './time.ts'
import type { TraceContext } from './trace-context.ts'

/** Plain JSON. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
export type JsonObject = { [key: string]: Json }

/** The name of a kind of payment; which there are, the service says. */
export type PaymentKind = string

/** What a scenario decided for one payment when it was made; stored with it and never changed. */
export interface Plan {
  /** Name of the rule that decided. */
  rule: string
  /** One letter per rule of this kind up to the deciding one; see `scenarios/decide/trace.ts`. */
  trace: string
  /** The number of the scenario version that decided, when the first had been replaced: 1 is the second. Stored under this name. */
  edition?: number
  /** World time from creation (checkout: from paying) to the end; null: it never ends by itself. */
  afterUs: DurationUs | null
  /** Where it waits for banks: how long they are open until then. `afterUs` was worked out of it. */
  bankingUs?: DurationUs
  /** The state it ends in. */
  end: string
  /** Fields that the end sets in the record, such as `errorCode` or `receiverName`. */
  with: JsonObject
  /** A later change of a final state: SUCCESS, then FAILED two days on; or FAILED, and SUCCESS after all. */
  revise: {
    afterUs: DurationUs
    /** In the place of `afterUs`: how long banks are open until then. */
    bankingUs?: DurationUs
    end: string
    with: JsonObject
  } | null
  /** Checkout only: pay by itself this long after creation; null: wait for the payer. */
  payAfterUs?: DurationUs | null
  /** Checkout only: paid by itself through a phone prompt that is confirmed this long after; null: never. */
  confirmAfterUs?: DurationUs | null
  /** Checkout only: a phone prompt waits this long for an answer on the handset and then fails; without, it answers itself. */
  promptUs?: DurationUs
  /** What the rails of the scenario (`rails:`) changed of what the rule decided, by name. */
  rails?: string[]
  /** The one of them that turned it into a failure. */
  failedBy?: string
  /** The float of the rails that it is paid from, by name. */
  float?: string
  /** The rail takes it up once that float holds its amount; `afterUs` counts from then. */
  untilFunded?: true
  /** What the rails charge the organisation for it, in minor units of its currency. */
  feeMinor?: number
  /** It is executed, and its answer goes wrong. */
  answer?: PlannedAnswerFault
  /** The request is executed as two payments. */
  twice?: true
  /** It ends with this read of it (`afterUs` is null then); the reads before say PENDING. */
  untilPoll?: number
  /** What goes wrong with telling the merchant. */
  callback?: CallbackFault
}

/** A payment as stored. `Request`: what the requests of its kind hold. */
export interface Payment<Request = JsonObject> {
  /** Order of creation in the world, over all kinds. */
  seq: number
  kind: PaymentKind
  /** The small integer that records of its kind print as `id`. */
  id: number
  readonly uuid: string
  /** Owner, by the organisation's internal id. */
  organisationId: number
  /** The other organisation of an allocation. */
  counterpartyId: number | null
  /** The caller's own reference, when sent. */
  referenceId: string | null
  currency: Currency
  amountMinor: number
  /** The lifecycle's state, which is also the word on the wire. */
  status: string
  /** Request fields as validated. */
  readonly request: Request
  /** What the rails and the plan added: receiverName, transactionReceipt, conversationId … */
  details: JsonObject
  readonly plan: Plan
  readonly history: Moments
  readonly callbackUrl: string | null
  /** What the request that began it brought, for its callbacks. */
  readonly trace?: TraceContext | undefined
  createdAtUs: InstantUs
  updatedAtUs: InstantUs
  /** The newest callback about it, which names the one before. */
  lastCallbackId: number | null
  /** The first thing that it waits for; what else it waits for is in the agenda. */
  due: Due | null
}

/** An organisation as stored. */
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
