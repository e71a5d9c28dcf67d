/** The parts of one world that commands work on. */
import type { Clock } from '../clock/clock.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { Chance } from '../model/chance.ts'
import type { Kind } from '../model/kind.ts'
import type { Service } from '../model/simulated-service.ts'
import type { InstantUs } from '../model/time.ts'
import type { Scenario } from '../scenarios/scenario.ts'
import type { Store } from '../store/store.ts'
import type { DecisionTrace } from './decision-trace.ts'
import type { DomainEvent } from './domain-events.ts'
import type { Recorder } from './recorder.ts'
import type { Usage } from './usage.ts'

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
