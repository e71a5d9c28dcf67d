import type { ClockMode } from '../clock/clock.ts'
import type { Command, CommandKind, Result } from '../engine/commands.ts'
import type { Core, Observer } from '../engine/core.ts'
import { emitClockEvent } from '../engine/domain-events.ts'
import type { GroupCommit } from '../engine/group-commit.ts'
import { countRefused } from '../engine/handlers/open-payment.ts'
import { perform } from '../engine/perform.ts'
import { releaseAllFunded } from '../engine/waiting.ts'
import type { Chance } from '../model/chance.ts'
import type { Payment } from '../model/payment.ts'
import { type InstantUs, LAST_INSTANT_US } from '../model/time.ts'
import { type Edition, editionOf } from '../scenarios/edition.ts'
import type { Scenario } from '../scenarios/scenario.ts'
import { type Making, makeCore, type Origin, seeded, toStored } from './begin.ts'
import type { ClockRun, ClockRunResult } from './clock-run.ts'
import { Deliverer, type Send } from './deliverer.ts'
import { Feed, type Past } from './feed.ts'
import type { Host } from './host.ts'
import { Leases } from './leases.ts'
import { ownInbox } from './own-inbox.ts'
import { Timekeeper } from './timekeeper.ts'

/** What a world is made of. */
export interface WorldOptions extends Omit<Making, 'emit'> {
  id: string
  host: Host
  observer: Observer
  /** What had happened in it when it was put away, where it was open before. */
  past?: Past | undefined
  /** Told whenever nobody holds the world any more. */
  onFree?: () => void
}

/** One isolated sandbox: a database, a clock, a scenario, and what goes on in it. */
export class World {
  readonly id: string
  readonly host: Host
  readonly core: Core
  readonly origin: Origin
  readonly timekeeper: Timekeeper
  readonly deliverer: Deliverer
  /** What happens in it, for whoever listens. */
  readonly feed: Feed
  /** Signs this world's tokens; a token of another world is foreign. */
  readonly tokenKey: Uint8Array
  /** Signs this world's callbacks, where the scenario has them signed. */
  readonly callbackSecrets: { now: Uint8Array; old: Uint8Array }
  readonly #commit: GroupCommit
  readonly #leases: Leases
  readonly #closing = new AbortController()

  constructor(options: WorldOptions) {
    const { host, observer } = options
    const { core, commit, origin } = makeCore({ ...options, emit: (domainEvent) => this.feed.record(domainEvent) })
    this.id = options.id
    this.host = host
    this.origin = origin
    this.core = core
    this.#commit = commit
    this.#leases = new Leases(() => options.onFree?.())
    this.feed = new Feed({
      // Real time, because a world that was reset counts from 1 again and must not be taken for the one before.
      epoch: host.wallUs().toString(36),
      past: options.past,
      undo: core.store.undo,
      afterCommit: core.afterCommit,
      published: (what) => observer.happened(what),
      failed: (error) => observer.error(error, 'telling what happened'),
    })
    this.tokenKey = bytes(core.chance, `token-key:${this.id}`)
    const signer = origin.formerIds?.[0] ?? this.id
    this.callbackSecrets = {
      now: bytes(core.chance, `callback-secret:${signer}`),
      old: bytes(core.chance, `old-callback-secret:${signer}`),
    }
    this.deliverer = new Deliverer(core, commit, this.send, this.callbackSecrets, this.#leases, this.closing)
    this.timekeeper = new Timekeeper(core, commit, this.deliverer, this.feed, host, this.#leases)
    core.store.agenda.onAdd = (dueAtUs) => this.timekeeper.notice(dueAtUs)
    this.timekeeper.wake()
  }

  /** Sends to where a callback of this world goes. */
  readonly send: Send = async (post) => {
    const to = await this.ownInbox(post.url)
    return this.host.send(to ? { ...post, to } : post)
  }

  /** The inbox that an address means in a copy of a world; undefined for an address that is taken at its word. */
  async ownInbox(url: string): Promise<URL | undefined> {
    const { formerIds } = this.origin
    return formerIds && ownInbox(url, { id: this.id, formerIds }, await this.host.ownBaseUrl?.())
  }

  /** The one door for change, from outside: resolves when the change is on disk. */
  async perform<K extends CommandKind>(command: { command: K } & Command<K>): Promise<Result<K>> {
    // No journal concludes such a command: what a rule refused is counted here.
    const outcome = await this.#commit.submit(
      () => perform(this.core, command),
      (outcome) => {
        if (!outcome.ok) countRefused(this.core, outcome.error)
        return outcome
      },
    )
    if (!outcome.ok) throw outcome.error
    return outcome.value
  }

  /**
   * Keeps the world open until the function that it gives is called. Every request holds its world until it is answered;
   * whoever stays longer, such as a stream that is read as it is sent, holds it too.
   */
  lease(): () => void {
    return this.#leases.take()
  }

  /** Nobody holds it: it may be closed, and opened again when it is asked for, and nobody will notice. */
  get idle(): boolean {
    return this.#leases.free && this.#commit.idle
  }

  /** Aborted when the world closes, so that those who wait in it can be told. Who held it then lost it to a reset, a removal or the end of mfano. */
  get closing(): AbortSignal {
    return this.#closing.signal
  }

  /** Work that reads and changes in one commit. `conclude` sees what became of it, and is committed with it. */
  get commit(): GroupCommit {
    return this.#commit
  }

  /** Changes how time goes. The past is closed: what happened then is stored. */
  async setClock(change: { mode?: ClockMode; rate?: number; nowUs?: InstantUs }): Promise<void> {
    await this.#commit.submit(() => {
      const { clock, store } = this.core
      const fromUs = clock.now()
      clock.set(change)
      store.meta.set('clock', clock.state())
      emitClockEvent(this.core, fromUs)
    })
    this.timekeeper.wake()
  }

  /** Moves the clock, from due event to due event: to an instant, or to one worked out from the now of its turn. */
  advance(target: InstantUs | ((nowUs: InstantUs) => InstantUs)): Promise<ClockRunResult> {
    return this.travel({ to: typeof target === 'number' ? () => target : target })
  }

  /** The same, until nothing is due any more, a breakpoint holds, or it has gone on for long enough. */
  travel(run: ClockRun): Promise<ClockRunResult> {
    return this.timekeeper.travel({ ...run, to: (nowUs) => Math.min(run.to(nowUs), LAST_INSTANT_US) })
  }

  /** A scenario for new payments; those under way keep their plans. */
  async setScenario(scenario: Scenario): Promise<void> {
    await this.#commit.submit(() => {
      this.#keepEdition(scenario)
      this.core.store.meta.set('scenario', toStored(scenario))
      this.core.scenario = seeded(scenario, this.origin.seed)
      releaseAllFunded(this.core)
      this.core.emit({ type: 'scenario', atUs: this.core.clock.now(), name: scenario.name })
    })
  }

  /** The rules that decided a payment, whatever scenario has taken their place since. */
  editionOf({ plan }: Pick<Payment, 'plan'>): Edition {
    return this.core.store.meta.get(`edition:${plan.edition ?? 0}`) ?? editionOf(this.core.scenario)
  }

  /** A scenario that decided something is kept, as far as it explains that, when one with other rules follows. */
  #keepEdition(next: Scenario): void {
    const { counters, meta } = this.core.store
    const decided = counters.current('decision')
    const edition = editionOf(this.core.scenario)
    if (decided === counters.current('edition:since') || JSON.stringify(edition) === JSON.stringify(editionOf(next)))
      return
    meta.set(`edition:${counters.next('edition') - 1}`, edition)
    counters.set('edition:since', decided)
  }

  /** Commits what waits, stops time and deliveries, closes the database. What is due stays due. */
  close(): void {
    // A reason of its own spares the making of an exception that nobody throws.
    this.#closing.abort('the world is closed')
    this.feed.close()
    this.timekeeper.close()
    this.deliverer.close()
    this.#commit.close()
    const { clock, store } = this.core
    if (clock.held) {
      clock.release(clock.now())
      store.meta.set('clock', clock.state())
    }
    store.sql.close()
  }
}

function bytes(chance: Chance, label: string): Uint8Array {
  const draw = chance.of(label, 0)
  return Uint8Array.from({ length: 32 }, () => draw.below(256))
}
