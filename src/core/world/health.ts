/** Failing parts of a world, and since when. */
import type { Observer } from '../core.ts'
import { Refusal } from '../model/refusal.ts'
import { storageRefusal } from '../model/storage-failure.ts'

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
  readonly #observer: Pick<Observer, 'error'>

  constructor(wallUs: () => number, observer: Pick<Observer, 'error'>) {
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
