import type { Observer } from '../core.ts'
import { alarmAfter, type Host } from '../host.ts'
import { Refusal } from '../model/refusal.ts'
import { storageRefusal } from '../sql.ts'

/** Counts the users of a world. A world without users may be closed to save memory, and opens again on demand. */
export class Leases {
  #count = 0
  readonly #onFree: () => void

  constructor(onFree: () => void) {
    this.#onFree = onFree
  }

  take(): () => void {
    this.#count++
    let held = true
    return () => {
      if (!held) return
      held = false
      this.#count--
      if (this.#count === 0) this.#onFree()
    }
  }

  get free(): boolean {
    return this.#count === 0
  }
}

/** From the first byte of a request to the end of its answer, or until the caller gives up. Keeps the world open. */
export class Traffic {
  readonly #leases: Leases
  #open = 0
  #begun = 0

  constructor(leases: Leases) {
    this.#leases = leases
  }

  begin(): () => void {
    this.#open++
    this.#begun++
    const release = this.#leases.take()
    let open = true
    return () => {
      if (open) this.#open--
      open = false
      release()
    }
  }

  get open(): number {
    return this.#open
  }

  get begun(): number {
    return this.#begun
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

export class Health {
  readonly #failing = new Map<HealthPart, Failing>()
  readonly #wallUs: () => number
  readonly #observer: Observer

  constructor(wallUs: () => number, observer: Observer) {
    this.#wallUs = wallUs
    this.#observer = observer
  }

  /** Logs one line when several parts fail for one reason. */
  failed(part: HealthPart, error: unknown): void {
    const before = this.#failing.get(part)
    const refusal = storageRefusal(error)
    const why = refusal instanceof Refusal ? refusal.details : error instanceof Error ? error.message : String(error)
    const known = this.failing.some((other) => other.why === why)
    this.#failing.set(part, { part, sinceUs: before?.sinceUs ?? this.#wallUs(), why })
    if (!known) this.#observer.error(error, doing[part])
  }

  works(part: HealthPart): void {
    this.#failing.delete(part)
  }

  fails(part: HealthPart): boolean {
    return this.#failing.has(part)
  }

  get failing(): Failing[] {
    return [...this.#failing.values()]
  }
}

// Waits between retries. Each wait is longer than the one before, so that a lasting failure costs little.

const FIRST_MS = 100
const LONGEST_MS = 30_000

export class Backoff {
  readonly #host: Host
  #nextMs = FIRST_MS
  #cancelAlarm: (() => void) | undefined
  #waiting: (() => void)[] = []

  constructor(host: Host) {
    this.#host = host
  }

  wait(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve)
      if (this.#cancelAlarm) return
      this.#cancelAlarm = alarmAfter(this.#host, this.#nextMs, () => this.hurry())
      this.#nextMs = Math.min(this.#nextMs * 2, LONGEST_MS)
    })
  }

  get waits(): boolean {
    return this.#waiting.length > 0
  }

  hurry(): void {
    this.#cancelAlarm?.()
    this.#cancelAlarm = undefined
    for (const resolve of this.#waiting.splice(0)) resolve()
  }

  /** After a success, so that the next failure starts with a short wait. */
  reset(): void {
    this.#nextMs = FIRST_MS
    this.hurry()
  }
}
