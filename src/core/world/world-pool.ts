/** Keeps a limited number of worlds open, and opens those with something due. */
import type { Host } from '../host.ts'
import { errorOf, isRecord, must } from '../model/must.ts'
import { Refusal } from '../model/refusal.ts'
import type { Scenario } from '../scenario.ts'
import { hasNoDescriptor } from '../sql.ts'
import { summaryOf, type World, type WorldSummary, wakesAfterMs } from '../world.ts'
import type { PastEvents } from './feed.ts'

const AGAIN_MS = 1_000
const AGAIN_MAX_MS = 60_000
/** No timer runs longer; a later due time is checked again then. */
const ALARM_MAX_MS = 3_600_000
/** Idle worlds to close when no file can be opened: each has at least two files. */
const GIVE_UP = 4

export interface WorldPoolOptions {
  /** Exceeded only while all open worlds are in use. */
  openMax: number
  pinned: string
  host: Pick<Host, 'wallUs' | 'defer' | 'alarm' | 'lack'>
  open(id: string, remembered: Remembered): World
  look(id: string): WorldSummary
  failed(id: string, error: unknown, doing: string): void
}

/** Kept for a closed world, because its database does not hold it. */
export interface Remembered {
  /** Set when its files may have changed since. */
  scenario?: Scenario
  past?: PastEvents
}

interface Closed extends Remembered {
  summary?: WorldSummary
  problem?: unknown
  cancelAlarm?: () => void
}

/**
 * Closes the world that was idle longest when too many are open. Opens one on demand, or when something is due in it.
 * Callers see no difference.
 */
export class WorldPool {
  readonly #options: WorldPoolOptions
  readonly #open = new Map<string, { world: World; usedAt: number }>()
  readonly #closed = new Map<string, Closed>()
  #uses = 0
  #ended = false

  constructor(options: WorldPoolOptions) {
    this.#options = options
  }

  has(id: string): boolean {
    return this.#open.has(id) || this.#closed.has(id)
  }

  ids(): string[] {
    return [...this.#open.keys(), ...this.#closed.keys()].sort()
  }

  get open(): World[] {
    return [...this.#open.values()].map(({ world }) => world)
  }

  get size(): number {
    return this.#open.size + this.#closed.size
  }

  note(id: string, problem?: unknown): void {
    this.#closed.set(id, { problem })
  }

  add(world: World): World {
    this.#makeRoom(1)
    this.#forgetClosed(world.id)
    this.#open.set(world.id, { world, usedAt: ++this.#uses })
    return world
  }

  get(id: string): World {
    const place = this.#open.get(id)
    if (!place) {
      this.#makeRoom(1)
      return this.#wake(id, ++this.#uses)
    }
    place.usedAt = ++this.#uses
    return place.world
  }

  summary(id: string): WorldSummary {
    const place = this.#open.get(id)
    if (place) return summaryOf(place.world)
    const closed = must(this.#closed.get(id))
    if (closed.problem !== undefined) throw closed.problem
    if (!closed.summary) this.#spareFiles()
    closed.summary ??= this.#options.look(id)
    return closed.summary
  }

  close(id: string, discarded = false): void {
    this.#forgetClosed(id)
    this.note(id)
    const place = this.#open.get(id)
    this.#open.delete(id)
    place?.world.close(discarded)
  }

  forget(id: string, discarded = false): void {
    this.close(id, discarded)
    this.#closed.delete(id)
  }

  end(): void {
    this.#ended = true
    for (const world of this.open) if (world.core.clock.mode !== 'frozen') world.keepTime()
    for (const id of this.ids()) this.forget(id)
  }

  /** One world at a time, so that other work runs in between. */
  survey(): void {
    const unseen = [...this.#closed].flatMap(([id, { summary, problem }]) => (summary || problem ? [] : id))
    const next = () => {
      const id = unseen.shift()
      if (id === undefined || this.#ended) return
      this.#look(id)
      this.#options.host.defer(next)
    }
    this.#options.host.defer(next)
  }

  makeRoom(): void {
    this.#makeRoom(0)
  }

  makeRoomForOne(): void {
    this.#makeRoom(1)
    this.#spareFiles()
  }

  #makeRoom(more: number): void {
    this.#closeIdle(this.#open.size + more - this.#options.openMax)
  }

  #spareFiles(): void {
    if (this.#options.host.lack?.()) this.#closeIdle(GIVE_UP)
  }

  #closeIdle(most: number): void {
    if (most <= 0 || this.#ended) return
    const idle = [...this.#open].filter(([id, { world }]) => id !== this.#options.pinned && world.idle)
    idle.sort(([, one], [, other]) => one.usedAt - other.usedAt)
    for (const [id, { world }] of idle.slice(0, most)) this.#sleep(id, world)
  }

  #sleep(id: string, world: World): void {
    const { scenario } = world.core
    const remembered = { past: world.feed.past(), ...(scenario.file !== undefined && { scenario }) }
    const summary = summaryOf(world)
    try {
      this.close(id)
    } catch (error) {
      this.#options.failed(id, error, 'closing an idle world')
    }
    this.#closed.set(id, { summary, ...remembered })
    this.#setAlarm(id, summary)
  }

  #wake(id: string, usedAt: number): World {
    this.#spareFiles()
    try {
      const world = this.#options.open(id, this.#closed.get(id) ?? {})
      this.#forgetClosed(id)
      this.#open.set(id, { world, usedAt })
      return world
    } catch (error) {
      const closed = this.#closed.get(id)
      // A temporary failure is not the world's.
      if (closed && !hasNoDescriptor(error)) closed.problem = error
      const { message } = errorOf(error)
      const hint = isRecord(error) ? error['hint'] : undefined
      throw new Refusal(
        'WORLD_UNREADABLE',
        `the world "${id}" is stored, and cannot be opened: ${message}${hint === undefined ? '' : ` ${hint}`}`,
      )
    }
  }

  #look(id: string): void {
    if (this.#closed.get(id)?.problem !== undefined) return
    this.#tryUntilDone(id, 'looking at a stored world', () => this.#setAlarm(id, this.summary(id)))
  }

  #tryUntilDone(id: string, doing: string, act: () => void, againMs = AGAIN_MS): void {
    const closed = this.#closed.get(id)
    if (!closed || this.#ended) return
    try {
      act()
    } catch (error) {
      // Logged once: a foreign file may stay there for ever.
      if (againMs === AGAIN_MS) this.#options.failed(id, error, doing)
      closed.cancelAlarm?.()
      const again = () => this.#tryUntilDone(id, doing, act, Math.min(againMs * 2, AGAIN_MAX_MS))
      closed.cancelAlarm = this.#options.host.alarm(againMs, again)
    }
  }

  #setAlarm(id: string, summary: WorldSummary): void {
    const closed = this.#closed.get(id)
    const { alarm, wallUs } = this.#options.host
    const afterMs = wakesAfterMs(summary, wallUs)
    if (!closed || afterMs === undefined) return
    closed.cancelAlarm?.()
    closed.cancelAlarm = alarm(Math.min(afterMs, ALARM_MAX_MS), () => {
      if (afterMs > ALARM_MAX_MS) return this.#setAlarm(id, summary)
      // Due work does not count as use, so this world is the first to be closed again.
      this.#tryUntilDone(id, 'waking a world in which something is due', () => this.#wake(id, 0))
    })
  }

  #forgetClosed(id: string): void {
    this.#closed.get(id)?.cancelAlarm?.()
    this.#closed.delete(id)
  }
}
