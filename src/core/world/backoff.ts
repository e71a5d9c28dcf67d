/** Waits between the tries of something that fails: longer each time, so that it is tried for as long as it takes. */
import { alarmAfter, type Host } from '../host.ts'

const FIRST_MS = 100
const LONGEST_MS = 30_000

export class Backoff {
  readonly #host: Pick<Host, 'alarm' | 'wallUs'>
  #nextMs = FIRST_MS
  #cancelAlarm: (() => void) | undefined
  #waiting: (() => void)[] = []

  constructor(host: Pick<Host, 'alarm' | 'wallUs'>) {
    this.#host = host
  }

  /** Resolves when it is time for the next try; all who wait go together. */
  wait(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve)
      if (this.#cancelAlarm) return
      this.#cancelAlarm = alarmAfter(this.#host, this.#nextMs, () => this.hurry())
      this.#nextMs = Math.min(this.#nextMs * 2, LONGEST_MS)
    })
  }

  /** Whether anybody waits. */
  get waits(): boolean {
    return this.#waiting.length > 0
  }

  /** It is time now: somebody wants to know, or the cause may be gone. */
  hurry(): void {
    this.#cancelAlarm?.()
    this.#cancelAlarm = undefined
    for (const resolve of this.#waiting.splice(0)) resolve()
  }

  /** It works: the next failure is a first one again. */
  reset(): void {
    this.#nextMs = FIRST_MS
    this.hurry()
  }
}
