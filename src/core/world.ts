/** One sandbox: its parts, joined. */
import type { Command, CommandKind, CommandResult } from './commands.ts'
import type { Core, Observer } from './core.ts'
import type { GroupCommit } from './engine/group-commit.ts'
import type { Connections, Host, Send } from './host.ts'
import type { Chance } from './model/chance.ts'
import type { ClockRun, ClockRunResult } from './model/clock-run.ts'
import type { DomainEvent } from './model/domain-event.ts'
import { type InstantUs, LAST_INSTANT_US } from './model/time.ts'
import { perform } from './perform.ts'
import { Backoff } from './world/backoff.ts'
import { type Making, makeCore } from './world/begin.ts'
import { Deliverer } from './world/deliverer.ts'
import { Feed, type PastEvents } from './world/feed.ts'
import { type Failing, Health } from './world/health.ts'
import { Leases } from './world/leases.ts'
import { inboxHere, ownInbox } from './world/own-inbox.ts'
import { Participants } from './world/participants.ts'
import { Presentation } from './world/presentation.ts'
import { Timekeeper } from './world/timekeeper.ts'
import { Traffic } from './world/traffic.ts'
import type { Origin } from './world-meta.ts'

/** There is room when this much can be stored. */
const PROBE_BYTES = 128 * 1024

/** What a world is made of. */
export interface WorldSettings extends Omit<Making, 'emit'> {
  id: string
  host: Host
  observer: Observer
  /** What had happened in it when it was put away, where it was open before. */
  past?: PastEvents | undefined
  /** What its inboxes keep in all; as usual unless given. */
  inboxBytes?: number | undefined
  /** Nothing happens in it by itself. */
  still?: true
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
  /** Programs whose timers live in its time. */
  readonly participants: Participants
  /** What merchants are told of it. */
  readonly presentation = new Presentation()
  /** Requests to the service that are under way. */
  readonly traffic: Traffic
  /** Signs this world's tokens; a token of another world is foreign. */
  readonly tokenKey: Uint8Array
  /** Signs this world's callbacks, where the scenario has them signed. */
  readonly callbackSecrets: { now: Uint8Array; old: Uint8Array }
  readonly #commit: GroupCommit
  readonly #leases: Leases
  readonly #health: Health
  readonly #probing: Backoff
  readonly #connections: Connections
  readonly #closing = new AbortController()
  #lastInbox: { url: string; name: string } | undefined

  constructor(options: WorldSettings) {
    const { host, observer } = options
    const { core, commit, origin } = makeCore({ ...options, emit: (domainEvent) => this.feed.record(domainEvent) })
    this.id = options.id
    this.host = host
    this.origin = origin
    this.core = core
    if (options.inboxBytes !== undefined) core.store.inbox.bytesMax = options.inboxBytes
    this.#commit = commit
    this.#leases = new Leases(() => options.onFree?.())
    this.traffic = new Traffic(this.#leases)
    this.feed = new Feed({
      // Real time, because a world that was reset counts from 1 again and must not be taken for the one before.
      epoch: host.wallUs().toString(36),
      past: options.past,
      undo: core.store.undo,
      afterCommit: core.afterCommit,
      published: (domainEvent) => this.#published(domainEvent, observer),
      failed: (error) => observer.error(error, 'telling what happened'),
    })
    this.tokenKey = bytes(core.ids, `token-key:${this.id}`)
    const signer = origin.formerIds?.[0] ?? this.id
    this.callbackSecrets = {
      now: bytes(core.ids, `callback-secret:${signer}`),
      old: bytes(core.ids, `old-callback-secret:${signer}`),
    }
    this.#health = new Health(host.wallUs, observer)
    this.#probing = new Backoff(host)
    commit.whenEnded((pieces, failure) => {
      if (failure === undefined) observer.committed?.(pieces)
      this.#committed(failure)
    })
    this.#connections = host.connections()
    const { presentation } = this
    const shared = { core, commit, host, presentation, leases: this.#leases, health: this.#health }
    this.deliverer = new Deliverer({
      ...shared,
      send: this.send,
      inboxAt: (url) => this.#inboxAt(url),
      secrets: this.callbackSecrets,
      closing: this.closing,
    })
    this.participants = new Participants({ clock: core.clock, host, leases: this.#leases, epoch: this.feed.epoch })
    const { deliverer, participants, feed } = this
    this.timekeeper = new Timekeeper({ ...shared, deliverer, participants, feed })
    if (options.still) core.clock.pause(core.clock.now())
    core.store.agenda.onAdd = (dueAtUs) => this.timekeeper.notice(dueAtUs)
    this.timekeeper.wake()
  }

  #published(domainEvent: DomainEvent, observer: Observer): void {
    // Whatever moved the clock, something may be due by it now.
    if (domainEvent.type === 'clock') {
      this.timekeeper.wake()
      this.participants.tell()
    }
    observer.happened(domainEvent)
  }

  /** Sends to where a callback of this world goes. */
  readonly send: Send = async (post) => {
    const to = await this.ownInbox(post.url)
    return this.#connections.send(to ? { ...post, to } : post)
  }

  /** The inbox here that an address leads to, remembered for the next callback: most go to the same. */
  #inboxAt(url: string): string | undefined {
    if (url === this.#lastInbox?.url) return this.#lastInbox.name
    // In a copy, an address of the original's is one of the copy's own, and shown as that.
    const name = this.origin.formerIds ? undefined : inboxHere(url, this.id, this.host)
    if (name !== undefined) this.#lastInbox = { url, name }
    return name
  }

  /** The inbox that an address means in a copy of a world; undefined for an address that is taken at its word. */
  async ownInbox(url: string): Promise<URL | undefined> {
    const { formerIds } = this.origin
    return formerIds && ownInbox(url, { id: this.id, formerIds }, await this.host.ownBaseUrl?.())
  }

  /** The one door for change, from outside: resolves when the change is on disk. */
  perform<K extends CommandKind>(command: { command: K } & Command<K>): Promise<CommandResult<K>> {
    return this.#commit.submit(() => perform(this.core, command))
  }

  /** Performs a command at once, for a start that needs what it asks for. Throws when it cannot be stored. */
  performNow<K extends CommandKind>(command: { command: K } & Command<K>): CommandResult<K> {
    return this.#commit.now(() => perform(this.core, command))
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

  /**
   * What of the world does not work: empty when it does what it should. Looks at the storage, and has what failed tried
   * again before it answers.
   */
  async health(): Promise<Failing[]> {
    if (this.#health.fails('commits')) await this.#probe()
    else this.#lookAtStorage()
    // What failed for another reason is tried again too, and its outcome is in the next answer.
    this.timekeeper.hurry()
    this.deliverer.hurry()
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

  /** After every commit: one that failed is followed by tries until one works, and then all that failed goes on. */
  #committed(failure?: unknown): void {
    if (failure === undefined) {
      if (!this.#health.fails('commits')) return
      this.#health.works('commits')
      this.#probing.reset()
      this.timekeeper.hurry()
      this.deliverer.hurry()
    } else if (!this.closing.aborted) {
      this.#health.failed('commits', failure)
      if (!this.#probing.waits) void this.#probing.wait().then(() => this.#probe())
    }
  }

  /**
   * Stores as much as many requests would, and removes it again, while nothing can be stored: a few bytes may fit where
   * no payment does. What comes of it is told to `#committed`.
   */
  async #probe(): Promise<void> {
    if (!this.#health.fails('commits')) return
    const { meta } = this.core.store
    try {
      await this.#commit.submit(() => meta.set('probe', 'x'.repeat(PROBE_BYTES)))
      await this.#commit.submit(() => meta.remove('probe'))
    } catch {
      // Health tells of it, and it is tried again.
    }
  }

  /** Moves the clock, from due event to due event: to an instant, or to one worked out from the now of its turn. */
  advance(target: InstantUs | ((nowUs: InstantUs) => InstantUs)): Promise<ClockRunResult> {
    return this.runClock({ to: typeof target === 'number' ? () => target : target })
  }

  /** Moves the clock until nothing is due any more, a breakpoint holds, or it has gone on for long enough. */
  runClock(run: ClockRun): Promise<ClockRunResult> {
    return this.timekeeper.run({ ...run, to: (nowUs) => Math.min(run.to(nowUs), LAST_INSTANT_US) })
  }

  /** Stores how far time has gone, which is stored with every commit too: it is not to be shorter after a restart. */
  keepTime(): void {
    const { clock, store, observer } = this.core
    try {
      store.meta.set('clock', clock.state())
    } catch (error) {
      observer.error(error, 'storing the time')
    }
  }

  /** Commits what waits, stops time and deliveries, closes the database. What is due stays due, unless it is discarded. */
  close(discarded = false): void {
    // A reason of its own spares the making of an exception that nobody throws.
    this.#closing.abort('the world is closed')
    this.feed.close()
    this.participants.close()
    this.timekeeper.close()
    this.deliverer.close()
    this.#connections.close()
    this.#probing.hurry()
    this.#commit.close()
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
