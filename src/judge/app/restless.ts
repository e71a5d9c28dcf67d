/** Decides when an app never comes to rest. Processor time decides, so that a busy machine causes no wrong verdict. */
import { counted } from '../../core/model/counted.ts'
import { wallNowMs } from '../../hosts/node/wall.ts'
import type { AppProcess } from './app-process.ts'

/**
 * Looks at which the app slept with an open request, before it counts as stuck. Many, because an answer can be slow on
 * a busy machine.
 */
const ASLEEP_LOOKS = 500
/** Multiple of the patience after which even an idle app is given up. */
const FORGIVEN_TIMES = 15

/** Share of the patience in which processor time is not measured. */
const UNMEASURED_SHARE = 0.01

export class NeverQuiet extends Error {}

export class Restless {
  readonly #app: Pick<AppProcess, 'processorMs'>
  readonly #patienceMs: number
  readonly #nowMs: () => number
  readonly #beganMs: number
  /** Processor time before the first look that came late enough: most waits are over sooner. */
  #usedMs: number | undefined
  #asleepSinceMs: number
  #asleepLooks = 0

  /** `patienceMs` is processor time where the system reports it, otherwise real time. */
  constructor(app: Pick<AppProcess, 'processorMs'>, patienceMs: number, nowMs = wallNowMs) {
    this.#app = app
    this.#patienceMs = patienceMs
    this.#nowMs = nowMs
    this.#beganMs = nowMs()
    this.#asleepSinceMs = this.#beganMs
  }

  look(asleep: boolean | undefined, open: number): void {
    const nowMs = this.#nowMs()
    if (asleep === false) this.#asleepSinceMs = nowMs
    if (nowMs - this.#beganMs >= this.#patienceMs * UNMEASURED_SHARE) this.#usedMs ??= this.#app.processorMs
    this.#asleepLooks = asleep === false ? 0 : this.#asleepLooks + 1
    if (nowMs - this.#beganMs <= this.#patienceMs) return
    if (this.#isWaiting(nowMs) && open > 0) this.#never(`${counted(open, 'request')} still under way`)
    if (this.#isWorking(nowMs)) this.#never('it is at work all the time')
  }

  /** An answer from this machine would have come by now, so the app waits for something that never comes. */
  #isWaiting(nowMs: number): boolean {
    return this.#asleepLooks >= ASLEEP_LOOKS && nowMs - this.#asleepSinceMs > this.#patienceMs
  }

  #isWorking(nowMs: number): boolean {
    const usedMs = this.#app.processorMs
    if (usedMs === undefined || this.#usedMs === undefined) return true
    // Who was started again began at nothing.
    this.#usedMs = Math.min(this.#usedMs, usedMs)
    return usedMs - this.#usedMs > this.#patienceMs || nowMs - this.#beganMs > FORGIVEN_TIMES * this.#patienceMs
  }

  #never(what: string): never {
    throw new NeverQuiet(`The app did not come to rest within ${this.#patienceMs / 1000} s: ${what}.`)
  }
}
