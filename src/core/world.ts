import type { Core, Observer } from './core.ts'
import { Clock, type ClockState } from './engine/clock.ts'
import { GroupCommit } from './engine/group-commit.ts'
import { countRefused, fund } from './engine/payments.ts'
import type { Connections, Host, Send } from './host.ts'
import { INBOX_PATH } from './model/callback.ts'
import { Chance } from './model/chance.ts'
import type { ClockRun, ClockRunResult } from './model/due.ts'
import { INBOX_NAME, inboxAddress } from './model/inbox.ts'
import type { Service } from './model/kind.ts'
import { DEFAULT_ORGANISATION } from './model/payment.ts'
import { Refusal } from './model/refusal.ts'
import { type InstantUs, LAST_INSTANT_US } from './model/time.ts'
import { DEFAULT_WORLD, type Origin, readForwarders, readMeta, type WorldRecording } from './new-world.ts'
import { type Command, type CommandKind, type CommandResult, perform } from './perform.ts'
import { Presentation } from './presentation.ts'
import { portable, Recorder } from './recording.ts'
import { type Scenario, type StoredScenario, toStored } from './scenario.ts'
import { ensureSchema, requireVersion } from './schema.ts'
import type { Sql } from './sql.ts'
import { nextDue } from './store/agenda-table.ts'
import { Meta, sharedIn } from './store/counter-table.ts'
import { Store, type WorldHistory, worldHistoryIn } from './store/store.ts'
import { Deliverer } from './world/deliverer.ts'
import { Feed, type PastEvents } from './world/feed.ts'
import { Forwarders } from './world/forwarders.ts'
import { type Failing, Health, Leases } from './world/leases.ts'
import { Participants } from './world/participants.ts'
import { Timekeeper } from './world/timekeeper.ts'

/** More than a probe of a few bytes, which can fit where no payment does. */
const PROBE_BYTES = 128 * 1024

export interface WorldSettings extends Omit<Making, 'emit'> {
  id: string
  host: Host
  observer: Observer
  past?: PastEvents | undefined
  inboxBytes?: number | undefined
  still?: true
  onFree?: () => void
}

export class World {
  readonly id: string
  readonly host: Host
  readonly core: Core
  readonly origin: Origin
  readonly timekeeper: Timekeeper
  readonly deliverer: Deliverer
  readonly feed: Feed
  readonly participants: Participants
  readonly forwarders: Forwarders
  readonly presentation = new Presentation()
  readonly leases: Leases
  /** Signs tokens. Tokens of other worlds are invalid here, because each world has its own key. */
  readonly tokenKey: Uint8Array
  readonly callbackSecrets: { now: Uint8Array; old: Uint8Array }
  readonly commit: GroupCommit
  readonly #health: Health
  readonly #connections: Connections
  readonly #closing = new AbortController()
  #lastInbox: { url: string; name: string } | undefined

  constructor(options: WorldSettings) {
    const { host, observer } = options
    const { core, origin } = makeCore({ ...options, emit: (domainEvent) => this.feed.record(domainEvent) })
    this.id = options.id
    this.host = host
    this.origin = origin
    this.core = core
    if (options.inboxBytes !== undefined) core.store.inbox.bytesMax = options.inboxBytes
    const { commit } = core
    this.commit = commit
    this.leases = new Leases(() => options.onFree?.())
    this.feed = new Feed({
      // Real time, because a world that was reset counts from 1 again and must not be taken for the one before.
      epoch: host.wallUs().toString(36),
      past: options.past,
      core,
      published: (domainEvent) => {
        // Whatever moved the clock, something may be due by it now.
        if (domainEvent.type === 'clock') {
          this.timekeeper.wake()
          this.participants.tell()
        }
        observer.happened(domainEvent)
      },
      failed: (error) => observer.error(error, 'telling what happened'),
    })
    this.tokenKey = bytes(core.ids, `token-key:${this.id}`)
    const signer = origin.formerIds?.[0] ?? this.id
    this.callbackSecrets = {
      now: bytes(core.ids, `callback-secret:${signer}`),
      old: bytes(core.ids, `old-callback-secret:${signer}`),
    }
    this.#health = new Health(host, observer)
    commit.whenEnded((pieces, failure) => {
      if (failure === undefined) observer.committed?.(pieces)
      this.#committed(failure)
    })
    this.#connections = host.connections()
    const { presentation } = this
    const shared = { core, host, presentation, leases: this.leases, health: this.#health, closing: this.closing }
    this.deliverer = new Deliverer({
      ...shared,
      send: this.send,
      inboxAt: (url) => this.#inboxAt(url),
      secrets: this.callbackSecrets,
    })
    const remote = { host, leases: this.leases, epoch: this.feed.epoch }
    this.forwarders = new Forwarders({
      ...remote,
      kept: readForwarders(core.store.meta, host.wallUs()),
      keep: (forwarders) => void commit.submit(() => core.store.meta.set('forwarders', forwarders)).catch(() => {}),
    })
    this.participants = new Participants({ ...remote, clock: core.clock })
    const { deliverer, participants, feed } = this
    this.timekeeper = new Timekeeper({ ...shared, deliverer, participants, feed })
    if (options.still) core.clock.pause(core.clock.now())
    // Not assigned as it is made: V8 puts such a function among old objects, and with it the whole world, until a major
    // collection.
    const onDue = (dueAtUs: InstantUs) => this.timekeeper.notice(dueAtUs)
    core.store.agenda.onDue = onDue
    this.timekeeper.wake()
  }

  readonly send: Send = async (post) => {
    const to = await this.ownInbox(post.url)
    const forwarded = await this.forwarders.forward(post)
    return forwarded ?? this.#connections.send(to ? { ...post, to } : post)
  }

  /** The name of an own inbox that needs no network. Remembers the last address: most callbacks go to the same one. */
  #inboxAt(url: string): string | undefined {
    if (url === this.#lastInbox?.url) return this.#lastInbox.name
    // Most go to apps. In a copy, an address of the original's is one of the copy's own, and shown as that.
    const inbox = url.includes(INBOX_PATH) && !this.origin.formerIds ? inboxAddress(url) : undefined
    const root = inbox && (inbox.world ?? DEFAULT_WORLD) === this.id ? URL.parse(inbox.root) : undefined
    if (!inbox || root?.pathname !== '/' || !this.host.isHere?.(root)) return undefined
    const name = inbox.path.slice(INBOX_PATH.length)
    // One that sets something by its query is no name.
    if (!INBOX_NAME.test(name)) return undefined
    this.#lastInbox = { url, name }
    return name
  }

  /**
   * In a copy of a world: its own inbox for an address of the original's, so that it does not write to that one's.
   * Undefined for other addresses. Ignores the host, because the copy may run elsewhere.
   */
  async ownInbox(url: string): Promise<URL | undefined> {
    const { formerIds } = this.origin
    const inbox = formerIds && inboxAddress(url)
    if (!inbox || !formerIds.includes(inbox.world ?? DEFAULT_WORLD)) return undefined
    // The server of the address where nobody knows where this one answers.
    const base = (await this.host.ownBaseUrl?.()) ?? inbox.root
    return URL.parse(`${base}/w/${this.id}${inbox.path}`) ?? undefined
  }

  /** Resolves when the change is on disk. */
  perform<K extends CommandKind>(command: { command: K } & Command<K>): Promise<CommandResult<K>> {
    return this.commit.submit(() => perform(this.core, command))
  }

  performNow<K extends CommandKind>(command: { command: K } & Command<K>): CommandResult<K> {
    return this.commit.now(() => perform(this.core, command))
  }

  /** Without leases, and with nothing that falls due, the world can be closed and opened again unnoticed. */
  get idle(): boolean {
    if (!this.leases.free || !this.commit.idle) return false
    const due = { clock: this.core.clock.state(), nextDueUs: this.timekeeper.nextDueUs() }
    return wakesAfterMs(due, this.host.wallUs) === undefined
  }

  /**
   * Aborted when the world closes by a reset, a removal or the end of mfano, so that everything that waits in it can
   * stop.
   */
  get closing(): AbortSignal {
    return this.#closing.signal
  }

  /** The failing parts of the world; empty when all work. Checks the storage, and first tries again what failed. */
  async health(): Promise<Failing[]> {
    if (this.#health.fails('commits')) await this.#probe()
    else this.#lookAtStorage()
    // Work that failed for another reason is tried again too, and its outcome is in the next answer.
    this.#health.retryNow()
    const lack = this.host.lack?.()
    if (lack) this.#health.failed('descriptors', lack)
    else this.#health.works('descriptors')
    return this.#health.failing
  }

  #lookAtStorage(): void {
    try {
      this.core.store.sql.check?.()
    } catch (error) {
      this.#committed(error)
    }
  }

  /** Runs after every commit. The first that works resumes everything that failed. */
  #committed(failure?: unknown): void {
    if (failure !== undefined) {
      if (!this.closing.aborted) this.#health.failed('commits', failure)
    } else if (this.#health.fails('commits')) {
      this.#health.works('commits')
      this.#health.retryNow()
    }
  }

  /**
   * While nothing can be stored: stores as much as many requests would and removes it again, because a few bytes may
   * fit where no payment does. `#committed` hears the result.
   */
  async #probe(): Promise<void> {
    const { meta } = this.core.store
    try {
      await this.commit.submit(() => meta.set('probe', 'x'.repeat(PROBE_BYTES)))
      await this.commit.submit(() => meta.remove('probe'))
    } catch {
      // Health tells of it, and it is tried again.
    }
  }

  runClock(run: ClockRun): Promise<ClockRunResult> {
    return this.timekeeper.run({ ...run, to: (nowUs) => Math.min(run.to(nowUs), LAST_INSTANT_US) })
  }

  /** Stores the clock, so that time does not go back after a restart. */
  keepTime(): void {
    const { clock, store, observer } = this.core
    try {
      store.meta.set('clock', clock.state())
    } catch (error) {
      observer.error(error, 'storing the time')
    }
  }

  /**
   * Commits what waits, stops time and deliveries, and closes the database. What is due stays due, unless it is
   * discarded.
   */
  close(discarded = false): void {
    // A reason of its own spares the making of an exception that nobody throws.
    this.#closing.abort('the world is closed')
    this.feed.close()
    const why = discarded ? 'discarded' : 'closed'
    this.participants.close(why)
    this.forwarders.close(why)
    this.timekeeper.close()
    this.deliverer.close()
    this.#connections.close()
    this.#health.retryNow()
    this.commit.close()
    const { clock, store } = this.core
    if (clock.paused) {
      clock.resume(clock.now())
      this.keepTime()
    }
    store.sql.close(discarded)
  }
}

function bytes(chance: Chance, label: string): Uint8Array {
  const draw = chance.of(label, 0)
  return Uint8Array.from({ length: 32 }, () => draw.below(256))
}

export interface WorldSummary extends WorldHistory {
  scenario: string
  seed: number
  clock: ClockState
  nextDueUs: InstantUs | undefined
  callbacksPaused: boolean
}

export function summaryOf({ core }: World): WorldSummary {
  return { ...summaryIn(core.store.sql), clock: core.clock.state() }
}

export function summaryIn(sql: Sql): WorldSummary {
  requireVersion(sql)
  const meta = new Meta(sql)
  const origin = readMeta(meta, 'origin')
  const scenario = readMeta(meta, 'scenario')
  const clock = readMeta(meta, 'clock')
  if (!origin || !scenario || !clock) throw new Error('This world never began.')
  const { callbacksPaused } = meta
  const nextDueUs = nextDue(sql, callbacksPaused)
  return { scenario: scenario.name, seed: origin.seed, clock, ...worldHistoryIn(sql), nextDueUs, callbacksPaused }
}

export function nowIn({ clock }: Pick<WorldSummary, 'clock'>, wallUs: () => number): InstantUs {
  return new Clock(clock, wallUs).now()
}

/** Real milliseconds until its next due event; undefined when it may stay closed. */
export function wakesAfterMs(
  summary: Pick<WorldSummary, 'clock' | 'nextDueUs'>,
  wallUs: () => number,
): number | undefined {
  if (summary.nextDueUs === undefined || summary.nextDueUs > LAST_INSTANT_US) return undefined
  const waitUs = summary.nextDueUs - nowIn(summary, wallUs)
  if (waitUs <= 0) return 0
  return summary.clock.mode === 'frozen' ? undefined : Math.ceil(waitUs / summary.clock.rate / 1000)
}

export interface Making {
  service: Service
  sql: Sql
  host: Pick<Host, 'wallUs' | 'defer'>
  observer: Core['observer']
  emit: Core['emit']
  loadScenario(stored: () => StoredScenario): Scenario
  /** For a database that holds none. */
  origin?: Origin
}

export function makeCore(making: Making): { core: Core; origin: Origin } {
  const { service, sql, host, observer } = making
  ensureSchema(sql)
  const stored = readMeta(new Meta(sql), 'origin')
  const origin = stored ?? making.origin
  if (!origin) throw new Error('The database holds no world that began.')
  const store = new Store(sharedIn(sql, new Chance(origin.idSeed ?? origin.seed)))
  const commit = new GroupCommit(store, host.defer, (error) => noteFailure(core, error))
  const wallUs = host.wallUs()
  const { startUs, ...pace } = origin.clock
  const clock = readMeta(store.meta, 'clock') ?? { ...pace, worldUs: startUs ?? wallUs, wallUs }
  const core: Core = {
    service,
    store,
    ledger: store.ledger,
    commit,
    clock: new Clock(clock, host.wallUs),
    chance: new Chance(origin.seed),
    ids: store.ids,
    scenario: making.loadScenario(() => scenarioOf(store)).withSeed(origin.seed),
    observer,
    emit: making.emit,
  }
  // Everything at one instant, even if the clock runs.
  if (!stored) commit.now(() => core.clock.hold(core.clock.now(), () => begin(core, origin)))
  if (readMeta(store.meta, 'recording')) core.recorder = new Recorder(store.recorded, core.clock)
  return { core, origin }
}

/** The command was rolled back, but counts of rules must stay: a rule for the third payment has to see refused ones. */
function noteFailure(core: Core, error: unknown): void {
  if (!(error instanceof Refusal)) return
  countRefused(core, error)
  if (core.trace) core.trace.refusal = error
}

function scenarioOf({ meta }: Store): StoredScenario {
  const stored = readMeta(meta, 'scenario')
  if (!stored) throw new Error('The database holds no scenario.')
  return stored
}

function begin(core: Core, origin: Origin): void {
  const { store, clock, scenario } = core
  const atUs = clock.now()
  store.meta.set('origin', origin)
  store.meta.set('scenario', toStored(scenario))
  store.meta.set('clock', clock.state())
  if (origin.recorded)
    store.meta.set('recording', { beganUs: atUs, scenario: portable(scenario) } satisfies WorldRecording)
  const { apiKey, apiSecret: _, secretSha256, ...known } = DEFAULT_ORGANISATION
  const id = store.counters.next('organisation')
  const unset = { collectionCallbackUrl: null, parentId: null }
  store.organisations.insert({ id, ...known, ...unset, createdAtUs: atUs, updatedAtUs: atUs })
  store.organisations.addCredential(id, apiKey, secretSha256, atUs)
  for (const [currency, amountMinor] of Object.entries(scenario.wallets)) {
    if (amountMinor > 0) fund(core, id, currency, amountMinor)
  }
}
