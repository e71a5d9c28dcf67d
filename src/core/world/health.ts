/** What of a world does not work at the moment, and since when. */
import type { Observer } from '../core.ts'
import { Refusal } from '../model/refusal.ts'
import { refusalOf } from '../model/storage-failure.ts'

/** Storing what is asked of it, making due what is planned, telling merchants, opening files and connections. */
export type Part = 'commits' | 'time' | 'callbacks' | 'descriptors'

const doing: Record<Part, string> = {
  commits: 'storing changes',
  time: 'performing what is due',
  callbacks: 'delivering callbacks',
  descriptors: 'opening files and connections',
}

/** A part that fails. */
export interface Failing {
  part: Part
  /** Real time, in microseconds, of the first failure in a row. */
  sinceUs: number
  /** Of the last one. */
  why: string
}

/** Kept by those who do the work, read by whoever asks. */
export class Health {
  readonly #failing = new Map<Part, Failing>()
  readonly #wallUs: () => number
  readonly #observer: Pick<Observer, 'error'>

  constructor(wallUs: () => number, observer: Pick<Observer, 'error'>) {
    this.#wallUs = wallUs
    this.#observer = observer
  }

  /** It failed. Logged once for all parts that fail for the same reason. */
  failed(part: Part, error: unknown): void {
    const before = this.#failing.get(part)
    const refusal = refusalOf(error)
    const why = refusal instanceof Refusal ? refusal.details : error instanceof Error ? error.message : String(error)
    const known = this.failing.some((other) => other.why === why)
    this.#failing.set(part, { part, sinceUs: before?.sinceUs ?? this.#wallUs(), why })
    if (!known) this.#observer.error(error, doing[part])
  }

  /** It works, or works again. */
  works(part: Part): void {
    this.#failing.delete(part)
  }

  fails(part: Part): boolean {
    return this.#failing.has(part)
  }

  /** What fails now; empty when all is well. */
  get failing(): Failing[] {
    return [...this.#failing.values()]
  }
}
