import type { Clock } from './engine/clock.ts'
import type { GroupCommit } from './engine/group-commit.ts'
import type { Attempt, Callback } from './model/callback.ts'
import type { Chance } from './model/chance.ts'
import type { DomainEvent, JournalEntry } from './model/journal.ts'
import { isUnsent, type Kind, type Service } from './model/kind.ts'
import type { Currency } from './model/money.ts'
import type { JsonObject, MomentBy, Payment, PaymentKind, Plan, TraceContext } from './model/payment.ts'
import type { Refusal } from './model/refusal.ts'
import type { InstantUs } from './model/time.ts'
import type { Recorder } from './recording.ts'
import { type Scenario, type ScenarioVersion, scenarioVersionOf } from './scenario.ts'
import type { FaultMatch } from './scenarios/decisions/decide.ts'
import type { Decision, RuleRefusal } from './scenarios/decisions/payment-facts.ts'
import type { Ledger } from './store/ledger.ts'
import type { Store } from './store/store.ts'

export interface Observer {
  happened(domainEvent: DomainEvent): void
  error(error: unknown, doing: string): void
  committed?(pieces: number): void
  stepped?(steps: number): void
}

export interface Core {
  readonly service: Service
  readonly store: Store
  readonly ledger: Ledger
  readonly commit: GroupCommit
  readonly clock: Clock
  /** Draws odds and delays: worlds of one seed draw the same. */
  readonly chance: Chance
  /** Draws ids, receipts and keys: every world draws its own, unless it was made with a seed. */
  readonly ids: Chance
  scenario: Scenario
  trace?: DecisionTrace | undefined
  recorder?: Recorder | undefined
  readonly observer: Pick<Observer, 'error' | 'stepped'>
  /** Called once the batch is committed; dropped when its command rolls back. */
  emit(domainEvent: DomainEvent): void
}

/** The world's time, or a microsecond after the last stamp where that is later, so that stamps strictly rise. */
export function stamp(core: Core): InstantUs {
  return core.store.counters.rise('stamp', core.clock.now())
}

export function kindOf({ service }: Core, { kind }: { kind: string }): Kind {
  return service.kinds.of(kind)
}

export interface PaymentOrder {
  kind: PaymentKind
  organisationId: number
  counterpartyId?: number
  currency: Currency
  amountMinor: number
  /** The request as validated, amounts in major units. */
  request: JsonObject
  headers?: Readonly<Record<string, string>> | undefined
  outcome?: string | undefined
  referenceId?: string
  callbackUrl?: string
  trace?: TraceContext
  by?: 'operator'
}

export interface FaultyRequest {
  operation: { id: string; method: string; path: string }
  request: JsonObject
  headers?: Readonly<Record<string, string>> | undefined
  caller: { organisationId: number; tokenIssuedAtUs: InstantUs } | null
}

export type { CommandOutcome } from './engine/group-commit.ts'

export type RailsDecision = { plan: Plan; refuse?: undefined } | { refuse: RuleRefusal; plan?: undefined }

export interface DecisionTrace {
  fault?: FaultMatch
  payment?: {
    input: PaymentOrder
    decision: Decision
    railed: RailsDecision
    hasCallback: boolean
  }
  refusal?: Refusal
}

export function callbackAddress(
  core: Core,
  payment: Pick<Payment, 'kind' | 'organisationId' | 'callbackUrl'>,
): string | null {
  const { callback } = kindOf(core, payment)
  if (!callback || isUnsent(callback, core.scenario.assumptions)) return null
  return callback.to === 'request'
    ? payment.callbackUrl
    : core.store.organisations.byId(payment.organisationId).collectionCallbackUrl
}

export function decidingVersion({ scenario, store }: Core, { plan }: Pick<Payment, 'plan'>): ScenarioVersion {
  return store.meta.get(`edition:${plan.edition ?? 0}`) ?? scenarioVersionOf(scenario)
}

export function emitPaymentEvent(core: Core, payment: Payment, from: string | null, by: MomentBy): void {
  const { seq, kind, uuid, status: to, updatedAtUs } = payment
  core.emit({ type: 'payment', atUs: core.clock.now(), seq, kind, uuid, from, to, by, updatedAtUs })
}

export function emitCallbackEvent(
  core: Core,
  callback: Callback,
  nextAtUs: InstantUs | null,
  tried: Attempt | null = null,
): void {
  const { id, uid, url, state, attempts, settledAtUs } = callback
  const attempt = tried && {
    number: tried.number,
    status: tried.status,
    error: tried.error,
    diagnosis: tried.diagnosis,
    tookMs: tried.tookMs,
  }
  core.emit({
    type: 'callback',
    atUs: core.clock.now(),
    id,
    uid,
    url,
    state,
    attempts,
    settledAtUs,
    nextAtUs,
    attempt,
  })
}

export function emitRequestEvent(core: Core, entry: JournalEntry): void {
  const { seq, requestId, operation, method, path, status, rule } = entry
  core.emit({ type: 'request', atUs: core.clock.now(), seq, requestId, operation, method, path, status, rule })
}

export function emitClockEvent(core: Core, fromUs: InstantUs): void {
  const { mode, rate } = core.clock
  core.emit({ type: 'clock', atUs: core.clock.now(), mode, rate, fromUs })
}
