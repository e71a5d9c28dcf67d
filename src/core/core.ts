/** The parts of one world that commands work on. */
import type { Clock } from './clock/clock.ts'
import type { Command } from './commands.ts'
import type { Recorder } from './engine/recorder.ts'
import type { Usage } from './engine/usage.ts'
import type { Ledger } from './ledger/ledger.ts'
import type { Chance } from './model/chance.ts'
import type { DomainEvent } from './model/domain-event.ts'
import { isUnsent, type Kind } from './model/kind.ts'
import type { Payment, Plan } from './model/payment.ts'
import type { LastingLimit, Refusal } from './model/refusal.ts'
import type { Service } from './model/simulated-service.ts'
import type { InstantUs } from './model/time.ts'
import { type Scenario, type ScenarioVersion, scenarioVersionOf } from './scenario.ts'
import type { FaultMatch } from './scenarios/decide/match-fault.ts'
import type { Decision, RuleRefusal } from './scenarios/decide/payment-facts.ts'
import type { Store } from './store/store.ts'

/** Where a world tells what happens in it, for logs. Called after the commit. */
export interface Observer {
  happened(domainEvent: DomainEvent): void
  error(error: unknown, doing: string): void
  /** So many pieces of work were committed at once. */
  committed?(pieces: number): void
  /** So many steps of payments were due, and have been committed. */
  stepped?(steps: number): void
}

/** The parts of one world that commands work on. */
export interface Core {
  /** What is simulated. */
  readonly service: Service
  readonly store: Store
  readonly ledger: Ledger
  readonly clock: Clock
  /** What odds and delays are drawn from: worlds of one seed have the same. */
  readonly chance: Chance
  /** What ids, receipts and keys are drawn from: every world has its own, unless it was made with a seed. */
  readonly ids: Chance
  /** What was used up of daily limits. */
  readonly usage: Usage
  scenario: Scenario
  /** What commands decide is noted here, while somebody wants to know. */
  trace?: DecisionTrace | undefined
  /** Notes what comes from outside, in a world that is recorded. */
  recorder?: Recorder | undefined
  readonly observer: Pick<Observer, 'error' | 'stepped'>
  /** Tells everybody who listens, once the batch is committed; forgotten when its command rolls back. */
  emit(domainEvent: DomainEvent): void
  /** Runs when the batch is committed; forgotten when its command rolls back. */
  afterCommit(work: () => void): void
}

/** The stamp for a new record: the world's time, and strictly later than any stamp before, by a microsecond if need be. */
export function stamp(core: Core): InstantUs {
  return core.store.counters.rise('stamp', core.clock.now())
}

/** What the service says about the kind of a payment. */
export function kindOf({ service }: Pick<Core, 'service'>, { kind }: { kind: string }): Kind {
  return service.kinds.of(kind)
}

/** What became of one piece of work. */
export type CommandOutcome<T> = { ok: true; value: T } | { ok: false; error: unknown }

/** What the rails make of a plan: the plan, perhaps another one, or a refusal. */
export type RailsDecision = ({ plan: Plan; refuse?: undefined } | { refuse: RuleRefusal; plan?: undefined }) & {
  /** A limit that lasts was broken. */
  lasting?: LastingLimit
}

/** Filled in by the commands as they decide; each overwrites what the one before it left. */
export interface DecisionTrace {
  /** Which response faults were asked, and which applies. */
  fault?: FaultMatch
  payment?: {
    /** What was to be made. */
    input: Omit<Command<'open-payment'>, 'command'>
    /** What the rules say, and the rails make of that. */
    decision: Decision
    railed: RailsDecision
    /** Somebody is told how it ends. */
    told: boolean
  }
  /** Why the last piece of work that failed was taken back. */
  refusal?: Refusal
}

/** Where somebody is told of a payment; null where nobody is. */
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

/** The rules that decided a payment, whatever scenario has taken their place since. */
export function decidingVersion({ scenario, store }: Core, { plan }: Pick<Payment, 'plan'>): ScenarioVersion {
  return store.meta.get(`edition:${plan.edition ?? 0}`) ?? scenarioVersionOf(scenario)
}
