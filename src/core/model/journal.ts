import type { Attempt, Callback } from './callback.ts'
import type { Currency } from './money.ts'
import type { Json, MomentBy, Payment, PaymentKind } from './payment.ts'
import { railSorts } from './rule-summaries.ts'
import type { ClockMode, InstantUs } from './time.ts'

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

export const domainEventTypes = ['payment', 'callback', 'request', 'inbox', 'clock', 'scenario', 'wallet'] as const

/** Kept small because every world remembers its newest ones: it has ids and what may change later. Look up the rest. */
export type DomainEvent = {
  /** World time. Stamps of records may be microseconds later, because no two are equal. */
  atUs: InstantUs
} & (
  | ({ type: 'payment'; from: string | null; to: string; by: MomentBy } & Pick<
      Payment,
      'seq' | 'kind' | 'uuid' | 'updatedAtUs'
    >)
  | CallbackDomainEvent
  | ({ type: 'request' } & Pick<
      JournalEntry,
      'seq' | 'requestId' | 'operation' | 'method' | 'path' | 'status' | 'rule'
    >)
  | { type: 'inbox'; id: number; name: string }
  | { type: 'clock'; mode: ClockMode; rate: number; fromUs: InstantUs }
  | { type: 'scenario'; name: string }
  | { type: 'wallet'; organisationId: number; currency: Currency; amountMinor: number }
)

export interface CallbackDomainEvent
  extends Pick<Callback, 'id' | 'uid' | 'url' | 'state' | 'attempts' | 'settledAtUs'> {
  type: 'callback'
  nextAtUs: InstantUs | null
  attempt: Pick<Attempt, 'number' | 'status' | 'error' | 'diagnosis' | 'tookMs'> | null
}

export interface PaymentFilter extends Bounds {
  kinds?: readonly PaymentKind[]
  organisationIds?: readonly number[]
  counterpartyId?: number
  status?: string
  statuses?: readonly string[]
  leastMinor?: number | undefined
  mostMinor?: number | undefined
  currency?: Currency
  notCurrency?: Currency
  referenceId?: string
  party?: string
}

export interface Bounds {
  sinceUs?: InstantUs | undefined
  untilUs?: InstantUs | undefined
  after?: number | undefined
  before?: number | undefined
  texts?: readonly string[] | undefined
}

/** Limits the count of a party's earlier payments, so that a payment costs the same however many there are. */
export const LONGEST_HISTORY = 1000

export interface TestRun {
  id: number
  name: string
  note: string | null
  begin: Mark
  end: Mark | null
  compared: Json
}

export interface ScenarioPeriod {
  scenario: string
  seed: number
  assumptions: Record<string, string>
  /** Null: since the world began. */
  sinceUs: InstantUs | null
  untilUs: InstantUs
  entries: PeriodEntry[]
}

export const entryKinds = ['rule', 'fault', 'callback-fault', ...railSorts] as const

export interface PeriodEntry {
  what: (typeof entryKinds)[number]
  name: string
  file: string
  line: number
  inherited: boolean
  hits: number
}

export type RunSpan = Readonly<Record<'payment' | 'request' | 'callback', Between>>

export interface Between {
  after?: number | undefined
  before?: number | undefined
}

export function spanOf(run: TestRun | undefined): RunSpan {
  const between = (of: keyof RunSpan): Between =>
    run === undefined ? {} : { after: run.begin[of], before: run.end ? run.end[of] + 1 : undefined }
  return { payment: between('payment'), request: between('request'), callback: between('callback') }
}

export interface Mark {
  atUs: InstantUs
  payment: number
  request: number
  callback: number
  check: number
}
