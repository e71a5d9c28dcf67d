/** Decides when an app never comes to rest. Processor time decides, so that a busy machine causes no wrong verdict. */
import { counted } from '../../core/model/text.ts'
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
/** Requests of an app before it has to rest, or the world's time goes on. */
const REQUESTS_MAX = 2_000

export class NeverQuiet extends Error {}

export interface RestlessLook {
  asleep: boolean | undefined
  /** Requests of the app that are not answered, and all that it ever began. */
  open: number
  begun: number
  /** World time, where it may go on between two looks: an app that polls has all the time that this takes. */
  atUs?: number
}

export class Restless {
  readonly #app: Pick<AppProcess, 'processorMs'>
  readonly #patienceMs: number
  readonly #nowMs: () => number
  #beganMs: number
  /** Processor time before the first look that came late enough: most waits are over sooner. */
  #usedMs: number | undefined
  #asleepSinceMs: number
  #asleepLooks = 0
  #first: RestlessLook | undefined
  #begun = 0

  /** `patienceMs` is processor time where the system reports it, otherwise real time. */
  constructor(app: Pick<AppProcess, 'processorMs'>, patienceMs: number, nowMs = wallNowMs) {
    this.#app = app
    this.#patienceMs = patienceMs
    this.#nowMs = nowMs
    this.#beganMs = nowMs()
    this.#asleepSinceMs = this.#beganMs
  }

  /** Throws `NeverQuiet` once it is certain. */
  look(seen: RestlessLook): void {
    const { asleep, open, begun } = seen
    const nowMs = this.#nowMs()
    if (this.#first && this.#first.atUs !== seen.atUs) {
      this.#beganMs = nowMs
      this.#usedMs = undefined
      this.#first = undefined
    }
    this.#first ??= seen
    const asked = begun - this.#first.begun
    if (asked > REQUESTS_MAX)
      throw new NeverQuiet(`The app asked the service ${asked} times without ever coming to rest.`)
    // One that sleeps whenever it is looked at, and asks for something else each time, waits for a slow machine.
    const isAtWork = asleep === false || begun !== this.#begun
    this.#begun = begun
    if (isAtWork) this.#asleepSinceMs = nowMs
    if (nowMs - this.#beganMs >= this.#patienceMs * UNMEASURED_SHARE) this.#usedMs ??= this.#app.processorMs
    this.#asleepLooks = isAtWork ? 0 : this.#asleepLooks + 1
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
    // An app that was started again began at nothing.
    this.#usedMs = Math.min(this.#usedMs, usedMs)
    return usedMs - this.#usedMs > this.#patienceMs || nowMs - this.#beganMs > FORGIVEN_TIMES * this.#patienceMs
  }

  #never(what: string): never {
    throw new NeverQuiet(`The app did not come to rest within ${this.#patienceMs / 1000} s: ${what}.`)
  }
}
