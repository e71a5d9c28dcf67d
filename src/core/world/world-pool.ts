import { type Databases, type Host, using } from '../host.ts'
import { errorOf, isRecord, must } from '../model/must.ts'
import { Refusal } from '../model/refusal.ts'
import { DEFAULT_WORLD } from '../new-world.ts'
import type { Scenario } from '../scenario.ts'
import { hasNoDescriptor, type Sql } from '../sql.ts'
import { summaryIn, summaryOf, type World, type WorldSummary, wakesAfterMs } from '../world.ts'
import type { PastEvents } from './feed.ts'

/** Idle worlds to close when no file can be opened: each has at least two files. */
const GIVE_UP = 4
/** Worlds in use that are met in one search for idle ones, which a request waits for; the next search begins with others. */
const BUSY_MAX = 8

export interface WorldPoolOptions {
  databases: Databases
  host: Host
  /** Idle worlds beyond this are closed until somebody asks for them; worlds in use may be more. */
  openMax: number
  /**
   * The world that is always open, at whose address others are created; `default` unless the server has a single world.
   */
  home?: string | undefined
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
export abstract class WorldPool {
  readonly host: Host
  protected readonly home: string
  readonly #databases: Databases
  readonly #openMax: number
  /** The one that was used last stands last. */
  readonly #open = new Map<string, World>()
  readonly #closed = new Map<string, Closed>()
  protected ended = false

  constructor({ databases, host, openMax, home = DEFAULT_WORLD }: WorldPoolOptions) {
    this.host = host
    this.home = home
    this.#databases = databases
    this.#openMax = openMax
  }

  abstract failed(id: string, error: unknown, doing: string): void
  protected abstract require(id: string): void
  protected abstract opened(id: string, sql: Sql, remembered: Remembered): World

  has(id: string): boolean {
    return this.#open.has(id) || this.#closed.has(id)
  }

  ids(): string[] {
    const others = [...this.#open.keys(), ...this.#closed.keys()].filter((id) => id !== DEFAULT_WORLD)
    return [DEFAULT_WORLD, ...others.sort()]
  }

  get open(): World[] {
    return [...this.#open.values()]
  }

  get count(): number {
    return this.#open.size + this.#closed.size
  }

  protected note(id: string, problem?: unknown): void {
    this.#closed.set(id, { problem })
  }

  protected add(world: World): World {
    this.makeRoom(1)
    this.#closed.delete(world.id)
    this.#open.set(world.id, world)
    return world
  }

  get(id: string): World {
    const world = this.#open.get(id)
    if (!world) {
      this.require(id)
      this.makeRoom(1)
      return this.#wake(id)
    }
    this.#open.delete(id)
    this.#open.set(id, world)
    return world
  }

  protected summary(id: string): WorldSummary {
    const world = this.#open.get(id)
    if (world) return summaryOf(world)
    const closed = must(this.#closed.get(id))
    if (closed.problem !== undefined) throw closed.problem
    if (!closed.summary) this.#spareFiles()
    closed.summary ??= using(this.#databases.open(id), summaryIn)
    return closed.summary
  }

  protected closeOne(id: string, discarded = false): void {
    this.note(id)
    const world = this.#open.get(id)
    this.#open.delete(id)
    world?.close(discarded)
  }

  protected forget(id: string, discarded = false): void {
    this.closeOne(id, discarded)
    this.#closed.delete(id)
  }

  close(): void {
    this.ended = true
    for (const world of this.open) if (world.core.clock.mode !== 'frozen') world.keepTime()
    for (const id of this.ids()) this.forget(id)
  }

  /** Opens the closed worlds in which something falls due; one at a time, so that other work runs in between. */
  protected survey(): void {
    const unseen = [...this.#closed].flatMap(([id, { summary, problem }]) => (summary || problem ? [] : id))
    const next = () => {
      const id = unseen.shift()
      if (id === undefined || this.ended) return
      this.#look(id)
      this.host.defer(next)
    }
    this.host.defer(next)
  }

  protected makeRoom(more: number): void {
    const tooMany = this.#open.size + more - this.#openMax
    if (tooMany > 0) this.#closeIdle(tooMany)
    if (more > 0) this.#spareFiles()
  }

  #spareFiles(): void {
    if (this.host.lack?.()) this.#closeIdle(GIVE_UP)
  }

  #closeIdle(most: number): void {
    if (this.ended) return
    let closed = 0
    let busy = 0
    for (const world of this.open) {
      if (closed === most || busy === BUSY_MAX) return
      if (world.id === this.home) continue
      if (world.idle) {
        this.#sleep(world)
        closed++
      } else {
        this.#open.delete(world.id)
        this.#open.set(world.id, world)
        busy++
      }
    }
  }

  #sleep(world: World): void {
    const { id } = world
    const { scenario } = world.core
    const remembered = { past: world.feed.past(), ...(scenario.file !== undefined && { scenario }) }
    const summary = summaryOf(world)
    try {
      this.closeOne(id)
    } catch (error) {
      this.failed(id, error, 'closing an idle world')
    }
    this.#closed.set(id, { summary, ...remembered })
  }

  #wake(id: string): World {
    this.#spareFiles()
    try {
      return this.add(this.opened(id, this.#databases.open(id), this.#closed.get(id) ?? {}))
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
      if (wakesAfterMs(this.summary(id), this.host.wallUs) !== undefined) this.#wake(id)
    } catch (error) {
      this.failed(id, error, 'looking at a stored world')
    }
  }
}
