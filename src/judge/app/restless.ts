/** When an app is taken for one that never comes to rest: by what it does, so that a busy machine makes it none. */
import { counted } from '../../core/model/counted.ts'
import { wallNowMs } from '../../hosts/node/wall.ts'
import type { AppProcess } from './app-process.ts'

/** An app that sleeps while a request of its own is open was seen to do so at so many looks. */
const ASLEEP_LOOKS = 500
/** Who does nothing for so many times as long as an app may work is waited for no longer. */
const FORGIVEN_TIMES = 15

/** An app that never comes to rest; the message says what it kept doing. */
export class NeverQuiet extends Error {}

/** Follows an app that is expected to come to rest soon. */
export class Restless {
  readonly #app: Pick<AppProcess, 'processorMs'>
  readonly #patienceMs: number
  readonly #nowMs: () => number
  readonly #beganMs: number
  #usedMs: number | undefined
  #asleepSinceMs: number
  #asleepLooks = 0

  /** `patienceMs`: how long it may work on end, in milliseconds of a processor where the system tells of those. */
  constructor(app: Pick<AppProcess, 'processorMs'>, patienceMs: number, nowMs = wallNowMs) {
    this.#app = app
    this.#patienceMs = patienceMs
    this.#usedMs = app.processorMs
    this.#nowMs = nowMs
    this.#beganMs = nowMs()
    this.#asleepSinceMs = this.#beganMs
  }

  /** Tells of one look at it: whether it slept, and how many of its requests were under way. Throws `NeverQuiet`. */
  look(asleep: boolean | undefined, open: number): void {
    const nowMs = this.#nowMs()
    if (asleep === false) this.#asleepSinceMs = nowMs
    this.#asleepLooks = asleep === false ? 0 : this.#asleepLooks + 1
    if (nowMs - this.#beganMs <= this.#patienceMs) return
    if (this.#isWaiting(nowMs) && open > 0) this.#never(`${counted(open, 'request')} still under way`)
    if (this.#isWorking(nowMs)) this.#never('it is at work all the time')
  }

  /** Everything that it waits for was done long ago, had it been something that is done here. */
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
