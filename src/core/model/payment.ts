import type { CallbackFault } from './callback-fault.ts'
import type { PlannedAnswerFault } from './faults.ts'
import type { Currency } from './money.ts'
import type { DurationUs, InstantUs } from './time.ts'

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
export type JsonObject = { [key: string]: Json }

export type PaymentKind = string

/** The scenario's decision when the payment was made. Never changed, so a later scenario cannot change it. */
export interface Plan {
  rule: string
  /** One letter for each rule up to the deciding one; see `model/rule-summaries.ts`. */
  trace: string
  /** Number of the scenario that decided, 0 where absent: `decidingVersion` finds it. */
  edition?: number
  /** World time until the end; on a page, from the payment there on. Null: never ends by itself. */
  afterUs: DurationUs | null
  end: string
  with: JsonObject
  /** Changes a final state later: SUCCESS and FAILED two days on, or FAILED and then SUCCESS. */
  revise: {
    afterUs: DurationUs
    end: string
    with: JsonObject
  } | null
  /** Kinds with a page only: pays by itself after this time. Null: waits for the payer. */
  payAfterUs?: DurationUs | null
  /** Kinds with a page only: a phone prompt is confirmed after this time. Null: never. */
  confirmAfterUs?: DurationUs | null
  /** Kinds with a page only: until an unanswered phone prompt fails. Without it, the prompt answers itself. */
  promptUs?: DurationUs
  rails?: string[]
  failedBy?: string
  float?: string
  untilFunded?: true
  feeMinor?: number
  answer?: PlannedAnswerFault
  /** The request makes two payments, as a service without idempotency might. */
  twice?: true
  /** Ends at this read (`afterUs` is null then). Earlier reads say PENDING. */
  untilPoll?: number
  callback?: CallbackFault
}

/** W3C Trace Context, which callbacks continue so that instrumented apps see one trace. */
export interface TraceContext {
  parent: string
  state?: string
}

export interface Payment<Request = JsonObject> {
  /** Counts all payments of the world; agenda, ledger and callbacks name it. */
  seq: number
  kind: PaymentKind
  id: number
  readonly uuid: string
  organisationId: number
  counterpartyId: number | null
  referenceId: string | null
  currency: Currency
  amountMinor: number
  status: string
  readonly request: Request
  details: JsonObject
  readonly plan: Plan
  readonly history: Moment[]
  readonly callbackUrl: string | null
  readonly trace?: TraceContext | undefined
  createdAtUs: InstantUs
  updatedAtUs: InstantUs
}

export interface Organisation {
  id: number
  uuid: string
  name: string
  phoneNumber: string
  email: string
  uniqueReference: string
  collectionCallbackUrl: string | null
  parentId: number | null
  createdAtUs: InstantUs
  updatedAtUs: InstantUs
}

export interface Subscription {
  organisationId: number
  uuid: string
  active: boolean
  createdAtUs: InstantUs
  updatedAtUs: InstantUs
}

/** The first user of a sub-account. The password is not kept, because no call takes it. */
export interface ApiUser {
  organisationId: number
  username: string
  userType: string
  firstName: string
  lastName: string
  email: string
  roles: string[]
}

/** Every world starts with this organisation and key pair, so that a test has to change only its base URL. */
export const DEFAULT_ORGANISATION = {
  uuid: '00000000-0000-4000-8000-000000000001',
  name: 'Example Merchant Ltd',
  phoneNumber: '254700000000',
  email: 'merchant@mfano.example',
  uniqueReference: '1000001',
  apiKey: 'mfano-key',
  apiSecret: 'mfano-secret',
  secretSha256: '382031c15e36c48549b658e324005051de9db56ebdb3361a0753046a96034509',
} as const

export interface PaymentCount {
  kind: PaymentKind
  status: string
  count: number
}

export const momentBy = ['plan', 'operator', 'payer', 'request', 'float'] as const
export type MomentBy = (typeof momentBy)[number]

export interface Moment {
  atUs: InstantUs
  event: string
  status: string
  by: MomentBy
  detail?: string
}
