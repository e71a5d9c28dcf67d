import type { Core, Observer } from '../core.ts'
import { alarmAfter, type Host } from '../host.ts'
import { Refusal } from '../model/refusal.ts'
import { storageRefusal } from '../sql.ts'

/** Handed to the parts of a world that work by themselves. */
export interface WorldParts {
  core: Core
  host: Host
  leases: Leases
  health: Health
  closing: AbortSignal
}

/** Counts the users of a world. A world without users may be closed to save memory, and opens again on demand. */
export class Leases {
  readonly requests = { open: 0, begun: 0 }
  #count = 0
  readonly #onFree: () => void

  constructor(onFree: () => void) {
    this.#onFree = onFree
  }

  /** Keeps the world open until the returned function is called. A request ends with its answer, or its caller. */
  take(by?: 'request'): () => void {
    this.#count++
    if (by === 'request') {
      this.requests.open++
      this.requests.begun++
    }
    let held = true
    return () => {
      if (!held) return
      held = false
      this.#count--
      if (by === 'request') this.requests.open--
      if (this.#count === 0) this.#onFree()
    }
  }

  get free(): boolean {
    return this.#count === 0
  }
}

export type HealthPart = 'commits' | 'time' | 'callbacks' | 'descriptors'

const doing: Record<HealthPart, string> = {
  commits: 'storing changes',
  time: 'performing what is due',
  callbacks: 'delivering callbacks',
  descriptors: 'opening files and connections',
}

export interface Failing {
  part: HealthPart
  sinceUs: number
  why: string
}

const FIRST_MS = 100
const LONGEST_MS = 30_000

/**
 * The failing parts of a world, and when what failed is tried again. Each wait is longer than the one before, so that a
 * lasting failure costs little.
 */
export class Health {
  readonly #failing = new Map<HealthPart, Failing>()
  /** Works of each part that failed, and are tried again. */
  readonly #retried = { commits: 0, time: 0, callbacks: 0, descriptors: 0 }
  readonly #host: Host
  readonly #observer: Observer
  #nextMs = FIRST_MS
  #cancelAlarm: (() => void) | undefined
  #waiting: (() => void)[] = []

  constructor(host: Host, observer: Observer) {
    this.#host = host
    this.#observer = observer
  }

  /** Logs one line when several parts fail for one reason. */
  failed(part: HealthPart, error: unknown): void {
    const before = this.#failing.get(part)
    const refusal = storageRefusal(error)
    const why = refusal instanceof Refusal ? refusal.details : error instanceof Error ? error.message : String(error)
    const known = this.failing.some((other) => other.why === why)
    this.#failing.set(part, { part, sinceUs: before?.sinceUs ?? this.#host.wallUs(), why })
    if (!known) this.#observer.error(error, doing[part])
  }

  works(part: HealthPart): void {
    if (this.#failing.delete(part) && this.#failing.size === 0) this.#nextMs = FIRST_MS
  }

  fails(part: HealthPart): boolean {
    return this.#failing.has(part)
  }

  get failing(): Failing[] {
    return [...this.#failing.values()]
  }

  /** Does it again until it works, or the world closes. The part works again when all of its works do. */
  async untilItWorks(
    part: HealthPart,
    closing: AbortSignal,
    work: () => Promise<void>,
    failed = (_: unknown) => {},
  ): Promise<void> {
    for (let fails = false; !closing.aborted; fails = true) {
      try {
        await work()
        if (fails && --this.#retried[part] === 0) this.works(part)
        return
      } catch (error) {
        if (closing.aborted) return
        if (!fails) this.#retried[part]++
        this.failed(part, error)
        failed(error)
        await this.#wait()
      }
    }
  }

  #wait(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve)
      if (this.#cancelAlarm) return
      this.#cancelAlarm = alarmAfter(this.#host, this.#nextMs, () => this.retryNow())
      this.#nextMs = Math.min(this.#nextMs * 2, LONGEST_MS)
    })
  }

  /** Tries at once, because the cause may be gone. */
  retryNow(): void {
    this.#cancelAlarm?.()
    this.#cancelAlarm = undefined
    for (const resolve of this.#waiting.splice(0)) resolve()
  }
}
