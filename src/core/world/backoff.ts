/** Waits between retries. Each wait is longer than the one before, so that a lasting failure costs little. */
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
