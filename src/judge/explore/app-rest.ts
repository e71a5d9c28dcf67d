import { nextTurn, realPause, wallNowMs } from '../../hosts/node/wall.ts'
import type { AppProcess, OnceAnswered } from '../app/app-process.ts'
import { lookAt } from '../app/following.ts'
import type { AppRequest, Merchant } from '../app/merchant-file.ts'
import { Restless } from '../app/restless.ts'
import type { SubjectOutcome } from '../subject/outcome.ts'
import type { Patience } from '../subject.ts'
import type { Choice } from './choice.ts'
import type { ScheduleLane } from './lane.ts'
import type { Stage } from './stage.ts'

/** Between two looks at an app, what the system holds ready for this process is taken in so often. */
const TURNS = 4
/** Most requests are answered before an app is looked at for the first time: real milliseconds. */
const FIRST_LOOK_MS = 2
/** Real milliseconds between looks at an app that is at work: one that has to wait for a processor is looked at less and less. */
const LOOK_EVERY_MS = 1
const LOOK_EVERY_MOST_MS = 8
const LOOKS_EACH = 8
/** Real milliseconds between looks at what is on its way to an app: each takes the system a millisecond. */
const TRAFFIC_EVERY_MS = 5
/** Before something is taken for stuck, an app is seen at rest so often. */
const STUCK_LOOKS = 3
/** Where the system does not say what a process does, it takes more looks, and longer ones. */
const BLIND_LOOKS = 25
const BLIND_LOOK_EVERY_MS = 3
/** Longer than an app that follows the clock waits for an answer that only time brings, in real milliseconds. */
const FOLLOWS_MS = 2_000

export interface AppRun extends Patience {
  merchant: Merchant
  choices: readonly Choice[]
  /** Kinds of payment that a scenario is made for, of the choices; undefined: the world keeps its own. */
  kinds?: readonly string[] | undefined
  signal: AbortSignal
  pace: Pace
  asked?: SubjectOutcome['asked']
  capsule?: { folder: string; name: string } | undefined
  isKept?: boolean
  /** Told how many real milliseconds after it had come to rest an app went on, by a timer of its own. */
  late?: ((ms: number) => void) | undefined
}

/**
 * How long nothing must have happened until nothing more is expected, in real milliseconds. For an app without timers of
 * its own it is all the same: what sleeps goes on sleeping.
 */
export interface Pace {
  afterStepMs: number
  /** After a step that was not waited for yet. */
  afterNewStepMs: number
  beforeBooksMs: number
  /** Until a callback that a sleeping app does not answer is given up, as the service gives it up some time. */
  deafAfterMs: number
}

/** For runs of a search: what they find is repeated with more time before it counts. */
export const HASTY: Pace = { afterStepMs: 0, afterNewStepMs: 0, beforeBooksMs: 0, deafAfterMs: 0 }
/** For runs that confirm a finding, so that no app is blamed for being read too soon. */
export const PATIENT: Pace = { afterStepMs: 0, afterNewStepMs: 20, beforeBooksMs: 1_000, deafAfterMs: 2_000 }
/** For the ordinary day, long enough to learn whether the app has timers of its own. */
export const FIRST: Pace = { afterStepMs: 0, afterNewStepMs: 120, beforeBooksMs: 1_000, deafAfterMs: 2_000 }

interface Idle {
  looks: number
  forMs: number
}

export class AppRest {
  readonly #run: AppRun
  readonly #stage: Stage
  readonly #app: AppProcess
  readonly #lane: ScheduleLane
  #crashed = false
  #asleep: boolean | undefined
  #asking = 0
  #sending = 0
  /** Grows with whatever may wake the app up, besides what passes between it and its world. */
  #stirs = 0
  #restedAfter = ''
  readonly #steps = new Set<string>()
  #seen = 0
  #letsGo = true
  #arrived = 0
  #trafficSeenMs = 0

  constructor(stage: Stage, run: AppRun) {
    this.#run = run
    this.#stage = stage
    this.#app = stage.app
    this.#lane = stage.lane
  }

  crash(process?: string): void {
    this.#crashed = true
    this.#app.crash(process)
  }

  stir(): void {
    this.#stirs++
  }

  async ask(request: AppRequest, values: Parameters<AppProcess['ask']>[1]): Promise<OnceAnswered> {
    const { signal, restWithinMs } = this.#run
    const limit = AbortSignal.any([signal, AbortSignal.timeout(2 * restWithinMs)])
    let isSent = false
    const sent = () => {
      if (!isSent) this.#sending--
      isSent = true
    }
    this.stir()
    this.#sending++
    this.#asking++
    try {
      return await this.#app.ask(request, values, limit, sent)
    } finally {
      sent()
      this.#asking--
    }
  }

  async begun(): Promise<void> {
    this.#letsGo = false
    await this.#watch(realPause, ({ looks }) => looks > 0 && this.#hasArrived())
    this.#letsGo = true
  }

  async until(
    work: Promise<unknown>,
    { patienceMs, whenStuck }: { patienceMs: number; whenStuck?: () => boolean },
  ): Promise<void> {
    let done = false
    const settled = work
      .catch(() => {})
      .then(() => {
        done = true
      })
    const pause = (ms: number) => Promise.race([settled, realPause(ms)])
    await pause(FIRST_LOOK_MS)
    if (done) return
    const { merchant } = this.#run
    await this.#watch(pause, ({ looks, forMs }) => {
      if (done) return true
      // An app that follows the clock comes to rest without an answer that it waits for, after a while.
      if (looks < STUCK_LOOKS || (whenStuck && merchant.follows && forMs < FOLLOWS_MS)) return false
      if (whenStuck?.()) return false
      return (this.#lane.holds && !whenStuck) || (patienceMs > 0 && forMs > patienceMs)
    })
  }

  /** Waits until the app sleeps, asks for nothing and is told nothing; `forMs`: for so long. */
  async rest(forMs = this.#stepMs()): Promise<void> {
    const { late } = this.#run
    const [app, lane] = [this.#app, this.#lane]
    if (!this.#crashed) app.check()
    if (forMs === 0 && !this.#crashed && this.#restedAfter === this.#reached) return
    let restedMs: number | undefined
    let events = lane.happened.length
    await this.#watch(realPause, (idle) => {
      if (!this.#crashed) app.check()
      if (lane.happened.length > events && restedMs !== undefined) late?.(restedMs)
      events = lane.happened.length
      if (idle.looks > 0) restedMs = idle.forMs
      return idle.looks > 0 && lane.sends === 0 && !lane.waits && idle.forMs >= forMs
    })
    this.#restedAfter = this.#reached
  }

  /** Steps of one sort are waited for once: the same events, with payments in the same states. */
  #stepMs(): number {
    const { afterStepMs, afterNewStepMs } = this.#run.pace
    if (afterNewStepMs <= afterStepMs) return afterStepMs
    const { happened } = this.#lane
    const states = new Map<string, string>()
    for (const one of happened)
      if (one.what === 'payment') states.set(`${one.kind} ${one.nth}`, `${one.kind} ${one.status}`)
    const events = happened.slice(this.#seen).map((one) => `${one.what} ${'operation' in one ? one.operation : ''}`)
    this.#seen = happened.length
    const step = [...new Set([...states.values(), ...events])].sort().join()
    const isNew = !this.#steps.has(step)
    this.#steps.add(step)
    return isNew ? afterNewStepMs : afterStepMs
  }

  get #reached(): string {
    return `${this.#lane.passed} ${this.#stirs}`
  }

  /**
   * Looks again and again, until it is enough. Meanwhile what would wait for ever is let go: answers that are held until
   * now, and callbacks that a sleeping app does not answer.
   */
  async #watch(pause: (ms: number) => Promise<void>, enough: (idle: Idle) => boolean): Promise<void> {
    const { signal, pace, restWithinMs } = this.#run
    const lane = this.#lane
    const restless = new Restless(this.#app, restWithinMs)
    let looks = 0
    let busyLooks = 0
    let idleSinceMs = wallNowMs()
    let events = lane.happened.length
    for (;;) {
      signal.throwIfAborted()
      if (this.#crashed) await this.#recover()
      const atRest = await this.#isAtRest()
      if (atRest && lane.dies()) continue
      const nowMs = wallNowMs()
      looks = atRest ? looks + 1 : 0
      if (!atRest || lane.happened.length > events) idleSinceMs = nowMs
      events = lane.happened.length
      const forMs = nowMs - idleSinceMs
      if (enough({ looks, forMs })) return
      if (looks > 0 && this.#letsGo && lane.waits && this.#hasArrived() && lane.letOneGo()) looks = 0
      else if (looks >= STUCK_LOOKS && lane.sends > 0 && forMs >= pace.deafAfterMs && this.#giveUpOne()) looks = 0
      const atUs = this.#stage.world.core.clock.now()
      restless.look({ asleep: this.#asleep, open: lane.open, begun: lane.requests.length, atUs })
      busyLooks = atRest ? 0 : busyLooks + 1
      await pause(Math.min(LOOK_EVERY_MS + Math.floor(busyLooks / LOOKS_EACH), LOOK_EVERY_MOST_MS))
    }
  }

  /** Gives up a callback that is not going to be answered: none that has not reached the app yet, or is answered. */
  #giveUpOne(): boolean {
    return this.#isQuiet() && this.#lane.giveUpOne()
  }

  /** Whether all that was sent to the app is with it, where the system says. What is with it stays there. */
  #hasArrived(): boolean {
    const { callbacks, unanswered } = this.#lane
    if (this.#sending > 0) return false
    if (unanswered > 0 && this.#arrived !== callbacks && !this.#isQuiet()) return false
    this.#arrived = callbacks
    return true
  }

  #isQuiet(): boolean {
    const nowMs = wallNowMs()
    if (nowMs - this.#trafficSeenMs < TRAFFIC_EVERY_MS) return false
    this.#trafficSeenMs = nowMs
    const { traffic } = this.#app
    return !traffic || (!traffic.underWay && traffic.callers >= this.#lane.unanswered + this.#asking)
  }

  async #isAtRest(): Promise<boolean> {
    const [app, lane] = [this.#app, this.#lane]
    const events = lane.happened.length
    if (this.#run.merchant.follows) return this.#saysItRests(events)
    this.#asleep = undefined
    // Nothing rests yet, whatever the app does: a look would be for nothing.
    if (lane.open > 0) return false
    const before = app.activity
    this.#asleep = before?.asleep
    if (!before) return this.#isStill(events)
    if (!before.asleep) return false
    // Requests sent before it fell asleep are here after a few turns.
    for (let i = 0; i < TURNS; i++) await nextTurn()
    const after = app.activity
    return (
      after?.asleep === true && after.switches === before.switches && lane.open === 0 && lane.happened.length === events
    )
  }

  async #saysItRests(events: number): Promise<boolean> {
    const lane = this.#lane
    const { asleep, requests } = await lookAt(this.#stage.control)
    this.#asleep = asleep
    return asleep && lane.open === 0 && requests <= lane.allOpen && lane.happened.length === events
  }

  async #isStill(events: number): Promise<boolean> {
    const lane = this.#lane
    for (let i = 0; i < BLIND_LOOKS; i++) {
      if (lane.open > 0 || lane.happened.length > events) return false
      await realPause(BLIND_LOOK_EVERY_MS)
    }
    return true
  }

  async #recover(): Promise<void> {
    const { readyWithinMs: withinMs, signal } = this.#run
    while (this.#crashed) {
      this.#crashed = false
      this.stir()
      await this.#app.restart({ withinMs, signal }).catch((error) => {
        // The schedule ended it once more, at a request that it sent before it was ready.
        if (!this.#crashed) throw error
      })
    }
    this.#lane.happened.push({ what: 'restart' })
  }
}
