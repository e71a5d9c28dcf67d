import type { Host } from '../host.ts'
import { errorOf, isRecord, must } from '../model/must.ts'
import { Refusal } from '../model/refusal.ts'
import type { Scenario } from '../scenario.ts'
import { hasNoDescriptor } from '../sql.ts'
import { summaryOf, type World, type WorldSummary, wakesAfterMs } from '../world.ts'
import type { PastEvents } from './feed.ts'

/** Idle worlds to close when no file can be opened: each has at least two files. */
const GIVE_UP = 4
/** Worlds in use that are met in one search for idle ones, which a request waits for; the next search begins with others. */
const BUSY_MAX = 8

export interface WorldPoolOptions {
  /** Exceeded only while all open worlds are in use, or something falls due in them. */
  openMax: number
  pinned: string
  host: Pick<Host, 'wallUs' | 'defer' | 'lack'>
  open(id: string, remembered: Remembered): World
  look(id: string): WorldSummary
  failed(id: string, error: unknown, doing: string): void
}

/** Kept for a closed world, because its database does not hold it. */
export interface Remembered {
  /** As it was read from its file, which may have changed since. */
  scenario?: Scenario
  past?: PastEvents
}

interface Closed extends Remembered {
  summary?: WorldSummary
  problem?: unknown
}

/**
 * Closes the world that was idle longest when too many are open, and opens one on demand. Callers see no difference: a
 * world in which something falls due by its clock is not idle.
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
    this.#closed.delete(world.id)
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

  /** Opens the closed worlds in which something falls due; one at a time, so that other work runs in between. */
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
    const longest = [...this.#open].sort(([, one], [, other]) => one.usedAt - other.usedAt)
    let closed = 0
    let busy = 0
    for (const [id, place] of longest) {
      if (closed === most || busy === BUSY_MAX) return
      if (id === this.#options.pinned) continue
      if (place.world.idle) {
        this.#sleep(id, place.world)
        closed++
      } else {
        place.usedAt = ++this.#uses
        busy++
      }
    }
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
  }

  #wake(id: string, usedAt: number): World {
    this.#spareFiles()
    try {
      const world = this.#options.open(id, this.#closed.get(id) ?? {})
      this.#closed.delete(id)
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
    if (!this.#closed.has(id)) return
    try {
      if (wakesAfterMs(this.summary(id), this.#options.host.wallUs) !== undefined) this.#wake(id, 0)
    } catch (error) {
      this.#options.failed(id, error, 'looking at a stored world')
    }
  }
}
