import { Clock, type ClockMode, type ClockState } from '../clock/clock.ts'
import type { Command, CommandKind, Result } from '../engine/commands.ts'
import type { Core, Observer } from '../engine/core.ts'
import { fund } from '../engine/effects.ts'
import { GroupCommit } from '../engine/group-commit.ts'
import { countRefused } from '../engine/handlers/open-payment.ts'
import { tellOfClock } from '../engine/happening.ts'
import { perform } from '../engine/perform.ts'
import { Usage } from '../engine/usage.ts'
import { Ledger } from '../ledger/ledger.ts'
import { Chance } from '../model/chance.ts'
import { currencies } from '../model/money.ts'
import type { Payment } from '../model/payment.ts'
import { type InstantUs, LAST_INSTANT_US } from '../model/time.ts'
import { type Edition, editionOf } from '../scenarios/edition.ts'
import type { GivenParameters } from '../scenarios/parameters.ts'
import type { Scenario } from '../scenarios/scenario.ts'
import type { Sql } from '../store/sql.ts'
import { Store } from '../store/store.ts'
import { Deliverer } from './deliverer.ts'
import { Feed } from './feed.ts'
import { Holds } from './holds.ts'
import type { Host } from './host.ts'
import type { Journey, Travelled } from './journey.ts'
import { Timekeeper } from './timekeeper.ts'

/** Every world starts with this organisation and key pair, so that a test changes nothing but its base URL. */
export const DEFAULT_ORGANISATION = {
  uuid: '00000000-0000-4000-8000-000000000001',
  name: 'Example Merchant Ltd',
  phoneNumber: '254700000000',
  email: 'merchant@mfano.example',
  uniqueReference: '1000001',
  apiKey: 'mfano-key',
  apiSecret: 'mfano-secret',
  /** SHA-256 of the secret, as credentials are stored. */
  secretSha256: '382031c15e36c48549b658e324005051de9db56ebdb3361a0753046a96034509',
} as const

/** A scenario as a world stores it: enough to load it again. */
export interface StoredScenario {
  name: string
  source: string
  file?: string
  /** Values that were given for its parameters. */
  parameters?: GivenParameters
}

export function toStored({ name, source, file, given }: Scenario): StoredScenario {
  return {
    name,
    source,
    ...(file !== undefined && { file }),
    ...(Object.keys(given).length > 0 && { parameters: given }),
  }
}

/** How a world began; a reset goes back to it. */
export interface Origin {
  scenario: StoredScenario
  seed: number
  clock: { mode: ClockMode; rate: number; startUs: InstantUs | null }
}

/** What a world is made of. */
export interface WorldOptions {
  id: string
  sql: Sql
  host: Host
  observer: Observer
  /** Turns a stored scenario source into a scenario. */
  loadScenario(stored: StoredScenario): Scenario
  /** Taken when the database is new. */
  origin: Origin
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
  readonly #holds: Holds
  readonly #closing = new AbortController()

  constructor(options: WorldOptions) {
    const store = new Store(options.sql)
    const ledger = new Ledger(store.ledger, store.undo)
    const commit = new GroupCommit(store, ledger, options.host.defer)
    const stored = store.meta.get<Origin>('origin')
    this.id = options.id
    this.host = options.host
    this.origin = stored ?? options.origin
    const scenario = seeded(options.loadScenario(store.meta.get('scenario') ?? this.origin.scenario), this.origin.seed)
    const chance = new Chance(this.origin.seed)
    const { mode, rate, startUs } = this.origin.clock
    const clockState = store.meta.get<ClockState>('clock')
    const clock = clockState
      ? new Clock(clockState, options.host.wallUs)
      : Clock.starting(mode, rate, startUs, options.host.wallUs)
    this.#commit = commit
    this.#holds = new Holds(() => options.onFree?.())
    const { observer } = options
    this.feed = new Feed({
      // Real time, because a world that was reset counts from 1 again and must not be taken for the one before.
      epoch: options.host.wallUs().toString(36),
      undo: store.undo,
      afterCommit: (work) => commit.afterCommit(work),
      published: (what) => observer.happened(what),
      failed: (error) => observer.error(error, 'telling what happened'),
    })
    this.core = {
      store,
      ledger,
      clock,
      chance,
      usage: new Usage(store),
      scenario,
      observer,
      happened: (what) => this.feed.record(what),
      afterCommit: (work) => commit.afterCommit(work),
    }
    this.tokenKey = bytes(chance, `token-key:${options.id}`)
    this.callbackSecrets = {
      now: bytes(chance, `callback-secret:${options.id}`),
      old: bytes(chance, `old-callback-secret:${options.id}`),
    }
    const { host } = options
    this.deliverer = new Deliverer(this.core, commit, host.send, this.callbackSecrets, this.#holds)
    this.timekeeper = new Timekeeper(this.core, commit, this.deliverer, this.feed, host, this.#holds)
    if (!stored) commit.now(() => this.#begin(scenario))
    store.agenda.onAdd = (dueAtUs) => this.timekeeper.notice(dueAtUs)
    this.timekeeper.wake()
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
  hold(): () => void {
    return this.#holds.take()
  }

  /** Nobody holds it: it may be closed, and opened again when it is asked for, and nobody will notice. */
  get idle(): boolean {
    return this.#holds.free
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
      tellOfClock(this.core, fromUs)
    })
    this.timekeeper.wake()
  }

  /** Moves the clock, from due event to due event: to an instant, or to one worked out from the now of its turn. */
  advance(target: InstantUs | ((nowUs: InstantUs) => InstantUs)): Promise<Travelled> {
    return this.travel({ to: typeof target === 'number' ? () => target : target })
  }

  /** The same, until nothing is due any more, a breakpoint holds, or it has gone on for long enough. */
  travel(journey: Journey): Promise<Travelled> {
    return this.timekeeper.travel({ ...journey, to: (nowUs) => Math.min(journey.to(nowUs), LAST_INSTANT_US) })
  }

  /** A scenario for new payments; those under way keep their plans. */
  async setScenario(scenario: Scenario): Promise<void> {
    await this.#commit.submit(() => {
      this.#keepEdition(scenario)
      this.core.store.meta.set('scenario', toStored(scenario))
      this.core.scenario = seeded(scenario, this.origin.seed)
      this.core.happened({ type: 'scenario', atUs: this.core.clock.now(), name: scenario.name })
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
    this.#closing.abort()
    this.feed.close()
    this.timekeeper.close()
    this.deliverer.close()
    this.#commit.close()
    const { clock, store } = this.core
    if (clock.held) clock.release(clock.now())
    store.meta.set('clock', clock.state())
    store.sql.close()
  }

  #begin(scenario: Scenario): void {
    const { store, clock } = this.core
    const atUs = clock.now()
    store.meta.set('origin', this.origin)
    store.meta.set('scenario', this.origin.scenario)
    store.meta.set('clock', clock.state())
    const { uuid, name, phoneNumber, email, uniqueReference, apiKey, secretSha256 } = DEFAULT_ORGANISATION
    const id = store.counters.next('organisation')
    store.organisations.insert({
      id,
      uuid,
      name,
      phoneNumber,
      email,
      uniqueReference,
      environment: null,
      collectionCallbackUrl: null,
      parentId: null,
      createdAtUs: atUs,
      updatedAtUs: atUs,
    })
    store.organisations.addCredential(id, apiKey, secretSha256, atUs)
    for (const currency of currencies) {
      if (scenario.wallets[currency] > 0) fund(this.core, id, currency, scenario.wallets[currency])
    }
  }
}

/** A world has one seed, whatever scenario it has: the people it invents stay the same. */
function seeded(scenario: Scenario, seed: number): Scenario {
  if (scenario.seed === seed) return scenario
  return { ...scenario.withSeed(seed), ...(scenario.file !== undefined && { file: scenario.file }) }
}

function bytes(chance: Chance, label: string): Uint8Array {
  const draw = chance.of(label, 0)
  return Uint8Array.from({ length: 32 }, () => draw.below(256))
}
