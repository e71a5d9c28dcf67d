import type { Clock } from './engine/clock.ts'
import type { GroupCommit } from './engine/group-commit.ts'
import { startOfDay } from './model/calendar.ts'
import type { Attempt, Callback } from './model/callback.ts'
import type { Chance } from './model/chance.ts'
import type { DomainEvent, JournalEntry } from './model/journal.ts'
import { isUnsent, type Kind, partyText, type Service } from './model/kind.ts'
import { type Currency, toMajor } from './model/money.ts'
import type { JsonObject, MomentBy, Payment, PaymentKind, Plan, TraceContext } from './model/payment.ts'
import type { Refusal } from './model/refusal.ts'
import type { DurationUs, InstantUs } from './model/time.ts'
import type { Recorder } from './recording.ts'
import { type Scenario, type ScenarioVersion, scenarioVersionOf } from './scenario.ts'
import type { FaultMatch } from './scenarios/decisions/decide.ts'
import type {
  CommonFacts,
  Decision,
  Facts,
  History,
  RequestFacts,
  RuleRefusal,
} from './scenarios/decisions/payment-facts.ts'
import type { Ledger } from './store/ledger.ts'
import type { Spender } from './store/run-tables.ts'
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
  const atUs = core.clock.now()
  core.emit({ type: 'callback', atUs, id, uid, url, state, attempts, settledAtUs, nextAtUs, attempt })
}

export function emitRequestEvent(core: Core, entry: JournalEntry): void {
  const { seq, requestId, operation, method, path, status, rule } = entry
  core.emit({ type: 'request', atUs: core.clock.now(), seq, requestId, operation, method, path, status, rule })
}

export function emitClockEvent(core: Core, fromUs: InstantUs): void {
  const { mode, rate } = core.clock
  core.emit({ type: 'clock', atUs: core.clock.now(), mode, rate, fromUs })
}

// Facts that conditions of rules and faults are about.

/** Rate limits count each organisation by itself. */
export function windowOf(fault: string, { caller }: Pick<FaultyRequest, 'caller'>): string {
  return `rate:${fault}:${caller?.organisationId ?? 0}`
}

export function factsOfRequest(core: Core, input: FaultyRequest, nth: number): RequestFacts {
  const { operation, caller } = input
  const { counters } = core.store
  return {
    ...commonFacts(core, input, caller?.organisationId, nth),
    operation,
    tokenIssuedAtUs: caller?.tokenIssuedAtUs,
    letThrough: (fault, number) => {
      const series = windowOf(fault, input)
      return counters.current(`${series}:window`) === number ? counters.current(`${series}:count`) : 0
    },
  }
}

export function conditionFacts(core: Core, input: PaymentOrder, nth: number): Facts {
  return {
    ...commonFacts(core, input, input.organisationId, nth),
    kind: input.kind,
    outcome: input.outcome,
    walletAvailable: toMajor(core.ledger.available(input.organisationId, input.currency)),
    history: historyOf(core, input),
    hasCallback: callbackAddress(core, { ...input, callbackUrl: input.callbackUrl ?? null }) !== null,
    draw: core.store.counters.current('decision') + 1,
  }
}

function commonFacts(
  { scenario, store, clock, chance }: Core,
  { request, headers = {} }: Pick<FaultyRequest, 'request' | 'headers'>,
  organisationId: number | undefined,
  nth: number,
): CommonFacts {
  const organisation = organisationId === undefined ? undefined : store.organisations.byId(organisationId)
  return {
    request,
    headers: Object.fromEntries(scenario.headersRead.map((name) => [name, headers[name] ?? ''])),
    organisation: organisation && {
      uuid: organisation.uuid,
      name: organisation.name,
      parent: organisation.parentId === null,
    },
    nowUs: clock.now(),
    zoneUs: scenario.zone.offsetUs,
    nth,
    matched: (name) => store.counters.current(`turn:${name}`),
    chance,
  }
}

function historyOf(core: Core, { kind, currency, organisationId }: PaymentOrder): History {
  const { activity } = core.store
  const about = kindOf(core, { kind })
  const made = (since: 'today' | DurationUs, by: Spender) =>
    activity.made(kind, since === 'today' ? beginningOfDay(core) : core.clock.now() - since, by)
  return {
    outcomes: (party) => activity.outcomes(kind, partyText(about, party)),
    paidToday: (party) =>
      toMajor(activity.spent([kind], currency, beginningOfDay(core), { party: partyText(about, party) })),
    made: (since, party) => made(since, party === undefined ? { organisationId } : { party: partyText(about, party) }),
  }
}

function beginningOfDay({ clock, scenario }: Core): InstantUs {
  return startOfDay(clock.now(), scenario.zone.offsetUs)
}
