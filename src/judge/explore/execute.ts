/** Carries out one schedule with one app in one world: the same schedule, the same run. */
import type { Control } from '../../client/control.ts'
import { toldZone, zonedText } from '../../core/model/calendar.ts'
import { must } from '../../core/model/must.ts'
import { isoInstant, parseInstant } from '../../core/model/time.ts'
import { nextTurn, realPause, wallNowMs } from '../../hosts/node/wall.ts'
import type { AppProcess } from '../app/app-process.ts'
import { lookAt } from '../app/following.ts'
import { type AppRequest, hasOwnWork, type Merchant } from '../app/merchant-file.ts'
import { NeverQuiet, Restless } from '../app/restless.ts'
import { allRecords, type Choice, recordOf } from './choice.ts'
import type { Hands } from './choices/choice-record.ts'
import { type CalendarEnd, type DayStep, dayOf, justBefore } from './day.ts'
import type { ScheduleLane } from './lane.ts'

/** Between two looks at an app, what the system holds ready for this process is taken in so often. */
const TURNS = 4
/** Real milliseconds between looks at an app that is at work: one that has to wait for a processor is looked at less and less. */
const LOOK_EVERY_MS = 1
const LOOK_EVERY_MOST_MS = 8
const LOOKS_EACH = 8
/** Before something is taken for stuck, an app is seen at rest so often. */
const STUCK_LOOKS = 3
/** Where the system does not say what a process does, it takes more looks, and longer ones. */
const BLIND_LOOKS = 25
const BLIND_LOOK_EVERY_MS = 3
/** An act that nobody answers while the app sleeps: it waits for a timer of its own, or for good. */
const ACT_PATIENCE_MS = 2_000
/** Longer than an app that follows the clock waits for an answer that only time brings, in real milliseconds. */
const FOLLOWS_MS = 2_000
/** What an app may ask the service for in one run. */
const REQUESTS_MAX = 1_500
/** World time that goes on while an answer is held. */
const HELD_MOST_MS = 60_000
/** How often time may be moved until nothing happens any more. */
const MOVES_MAX = 120
/** Moves of time to see whether the app's own work still changes something. */
const TICK_STEPS = ['2m', '12m', '3h', '26h', '3d']

/** What a run needs. */
export interface ScheduleRun {
  merchant: Merchant
  app: AppProcess
  lane: ScheduleLane
  /** Of the world. */
  control: Control
  signal: AbortSignal
  /** The longest that an app may work without a rest, and until it is ready again, in milliseconds. */
  patienceMs: number
  readyWithinMs: number
  pace: Pace
  /** How the app answered what was asked of it, in order. */
  acts: string[]
  /** Told how many real milliseconds after it had come to rest an app went on, by a timer of its own. */
  late?: ((ms: number) => void) | undefined
  /** Ends the service, and starts it again on its own data. */
  restartService(): Promise<void>
}

/**
 * How long nothing must have happened until nothing more is expected, in real milliseconds. For an app without timers of
 * its own it is all the same: what sleeps goes on sleeping.
 */
export interface Pace {
  /** After each step. */
  afterStepMs: number
  /** Before the books are read. */
  beforeBooksMs: number
  /** Until a callback that a sleeping app does not answer is given up, as the service gives it up some time. */
  deafAfterMs: number
}

/** Goes through the day as the choices have it, and leaves the app at rest. Throws `NeverQuiet` and `AppFailed`. */
export async function execute(run: ScheduleRun, choices: readonly Choice[]): Promise<void> {
  await new Execution(run, choices).day()
}

/** Where two things are to happen at once, both are begun before either is answered. What holds for the whole run goes first. */
function orderOf(choices: readonly Choice[]): ScheduleLane['barrier'] {
  for (const record of allRecords.toReversed()) {
    const orders = choices.map((one) => (recordOf(one) === record ? record.effects.order?.(one) : undefined))
    const first = orders.find((order) => order !== undefined)
    if (first) return first
  }
  return undefined
}

/** What is done at the same time: an act, or the app's own work. */
interface Beside {
  act: string | undefined
}

/** Something that the app is asked for, and how often it was by then. */
interface Asked {
  request: AppRequest
  n: number
}

class Execution {
  readonly #run: ScheduleRun
  readonly #choices: readonly Choice[]
  readonly #uses = new Map<string, number>()
  #crashed = false
  /** Whether the app slept at the last look, where the system says. */
  #asleep: boolean | undefined
  #moves = 0
  /** Requests of people that the app has not answered. */
  #asking = 0
  /** Answers that are held are let go, one after another. */
  #letsGo = true

  readonly #hands: Hands = {
    restartApp: async () => {
      this.#run.lane.happened.push({ what: 'crash', at: 'rest' })
      this.#crash()
      await this.#rest()
    },
    restartService: () => this.#run.restartService(),
    act: (name) => this.#act(name),
    pass: (by) => this.#move({ by }),
    passUntil: (end) => this.#moveUntil(end),
    newestIn: () => this.#run.lane.newest((kind) => kind.direction === 'in'),
    collect: async (way, body) => {
      await this.#run.control('POST', '/collections/:way', { path: { way }, body })
      await this.#rest()
    },
  }

  constructor(run: ScheduleRun, choices: readonly Choice[]) {
    this.#run = run
    this.#choices = choices
    run.lane.barrier = orderOf(choices)
    run.lane.crash = () => this.#crash()
  }

  async day(): Promise<void> {
    // An app that is told the time knows it before anybody does anything.
    await this.#tick()
    for (const [i, step] of dayOf(this.#run.merchant).entries()) {
      const now = this.#choices.filter((one) => 'step' in one && one.step === i + 1)
      for (const one of now) await recordOf(one).effects.before?.(one, this.#hands)
      const [beside] = now.flatMap((one) => recordOf(one).effects.beside?.(one) ?? [])
      await this.#step(step, beside)
    }
    await this.#rest(this.#run.pace.beforeBooksMs)
  }

  async #step(step: DayStep, beside: Beside | undefined): Promise<void> {
    if (step === 'settle') return this.#settle()
    if (step === 'follow') {
      while (await this.#moveToDue(beside)) this.#tooMany()
      return
    }
    await this.#act(step.act, beside)
  }

  /** Somebody does something; and `beside` it something else is done. */
  async #act(name: string, beside?: Beside): Promise<void> {
    const asked = [this.#use(name), this.#useOf(beside)]
    await this.#asked(asked.filter((one) => one !== undefined))
  }

  /** An act, with how often it was done by then. */
  #use(name: string): Asked | undefined {
    const { merchant, lane } = this.#run
    const request = merchant.acts.find((one) => one.name === name)?.request
    if (!request) return undefined
    const n = (this.#uses.get(name) ?? 0) + 1
    this.#uses.set(name, n)
    lane.happened.push({ what: 'act', name, n })
    return { request, n }
  }

  #useOf(beside: Beside | undefined): Asked | undefined {
    if (!beside) return undefined
    const { tick } = this.#run.merchant
    return beside.act === undefined ? tick && { request: tick, n: 1 } : this.#use(beside.act)
  }

  async #tick(): Promise<void> {
    const { merchant, lane } = this.#run
    if (!merchant.tick) return
    lane.happened.push({ what: 'tick' })
    await this.#asked([{ request: merchant.tick, n: 1 }])
  }

  /**
   * Sends requests, each when the app can do no more for those before; goes on without an answer where it waits for
   * something that does not come.
   */
  async #asked(requests: readonly Asked[]): Promise<void> {
    const now = await this.#now()
    const sent: Promise<unknown>[] = []
    for (const one of requests) {
      if (sent.length > 0) await this.#begun()
      sent.push(this.#send([one], now))
    }
    await this.#until(Promise.all(sent), { patienceMs: ACT_PATIENCE_MS })
    await this.#rest()
  }

  /** Waits until the app can do no more for what it was asked: it waits for an answer that is held, or is done. */
  async #begun(): Promise<void> {
    this.#letsGo = false
    await this.#watch(realPause, ({ looks }) => looks > 0 && this.#hasArrived())
    this.#letsGo = true
  }

  #send(requests: readonly Asked[], now: string): Promise<unknown> {
    const { app, signal, patienceMs } = this.#run
    return Promise.all(
      requests.map(({ request, n }) => {
        this.#asking++
        return (
          app
            .ask(request, { n: String(n), now }, AbortSignal.any([signal, AbortSignal.timeout(2 * patienceMs)]))
            // What the app makes of its caller is no matter here: the books tell what it did.
            .then(
              ({ status }) => void this.#run.acts.push(`${request.path} ${status}`),
              () => {},
            )
            .finally(() => {
              this.#asking--
            })
        )
      }),
    )
  }

  /** Lets happen what is due, until nothing is; then time goes on as long as the app's own work changes anything. */
  async #settle(): Promise<void> {
    const { merchant } = this.#run
    const steps = hasOwnWork(merchant) ? TICK_STEPS : TICK_STEPS.slice(0, 1)
    let before: string | undefined
    for (let step = 0; step < steps.length; this.#tooMany()) {
      if (await this.#moveToDue()) {
        step = 0
        before = undefined
      } else {
        before ??= await this.#state()
        await this.#move({ by: must(steps[step]) })
        const after = await this.#state()
        step = after === before ? step + 1 : 0
        before = after
      }
    }
  }

  /** All that can change by itself: what the app believes, and what it asked for, in vain or not. */
  async #state(): Promise<string> {
    const { app, lane, merchant, signal, patienceMs } = this.#run
    const books = await app
      .ask(merchant.books, {}, AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]))
      .catch(() => undefined)
    return `${lane.payments.length} ${lane.refused} ${books?.text}`
  }

  /** Moves time to what is due next; false where nothing is. */
  async #moveToDue(beside?: Beside): Promise<boolean> {
    const { nextDue, now } = await this.#run.control('GET', '/clock')
    if (nextDue === null) return false
    const far = Date.parse(nextDue) - Date.parse(now) > HELD_MOST_MS
    await this.#move({ to: must([nextDue, now].sort()[1]) }, { far, beside })
    return true
  }

  /** Time goes on, `far` or not, with what is due on the way; then the app does its own work. */
  async #move(
    body: { by: string } | { to: string },
    { far = true, beside }: { far?: boolean; beside?: Beside | undefined } = {},
  ): Promise<void> {
    const { control, lane } = this.#run
    // No request hangs for longer than any app would wait.
    if (far && lane.letAllGo()) await this.#rest()
    const moving = control('POST', '/clock/advance', { body })
    const besides = this.#useOf(beside)
    const working = besides && this.#send([besides], await this.#now())
    // Deliveries may wait for an app that waits for its answer.
    await this.#until(Promise.all([moving, working]), { patienceMs: 0, whenStuck: () => lane.letAllGo() })
    lane.letAllGo()
    const { now, timezone } = await moving
    lane.happened.push({ what: 'time', now: zonedText(must(parseInstant(now)), toldZone(timezone)) })
    await this.#rest()
    await this.#tick()
  }

  async #moveUntil(end: CalendarEnd): Promise<void> {
    const { now, timezone } = await this.#run.control('GET', '/clock')
    await this.#move({ to: isoInstant(justBefore(end, must(parseInstant(now)), toldZone(timezone))) })
  }

  async #now(): Promise<string> {
    return (await this.#run.control('GET', '/clock')).now
  }

  #tooMany(): void {
    if (this.#moves++ >= MOVES_MAX)
      throw new NeverQuiet(`Time was moved ${MOVES_MAX} times, and each time there was something new: it never ends.`)
  }

  /** Waits for work to end, or as long as there is sense in it. */
  async #until(
    work: Promise<unknown>,
    { patienceMs, whenStuck }: { patienceMs: number; whenStuck?: () => boolean },
  ): Promise<void> {
    let done = false
    const settled = work
      .catch(() => {})
      .then(() => {
        done = true
      })
    const { lane } = this.#run
    await this.#watch(
      (ms) => Promise.race([settled, realPause(ms)]),
      ({ looks, forMs }) => {
        if (done) return true
        // An app that follows the clock comes to rest without an answer that it waits for, after a while.
        if (looks < STUCK_LOOKS || (whenStuck && this.#run.merchant.follows && forMs < FOLLOWS_MS)) return false
        if (whenStuck?.()) return false
        return (lane.holds && !whenStuck) || (patienceMs > 0 && forMs > patienceMs)
      },
    )
  }

  /** Waits until the app sleeps, asks for nothing and is told nothing; `forMs`: for so long. */
  async #rest(forMs = this.#run.pace.afterStepMs): Promise<void> {
    const { lane, app, late } = this.#run
    let restedMs: number | undefined
    let events = lane.happened.length
    await this.#watch(realPause, (idle) => {
      if (!this.#crashed) app.check()
      if (lane.happened.length > events && restedMs !== undefined) late?.(restedMs)
      events = lane.happened.length
      if (idle.looks > 0) restedMs = idle.forMs
      return idle.looks > 0 && lane.sends === 0 && !lane.waits && idle.forMs >= forMs
    })
  }

  /**
   * Looks again and again, until it is enough. `enough` is told how often in a row the app was seen at rest, and for how
   * many real milliseconds. Meanwhile what would wait for ever is let go: answers that are held until now, and callbacks
   * that a sleeping app does not answer.
   */
  async #watch(
    pause: (ms: number) => Promise<void>,
    enough: (idle: { looks: number; forMs: number }) => boolean,
  ): Promise<void> {
    const { app, lane, signal, pace, patienceMs } = this.#run
    const restless = new Restless(app, patienceMs)
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
      if (lane.begun > REQUESTS_MAX)
        throw new NeverQuiet(`The app asked the service ${lane.begun} times without ever coming to rest.`)
      restless.look(this.#asleep, lane.open)
      busyLooks = atRest ? 0 : busyLooks + 1
      await pause(Math.min(LOOK_EVERY_MS + Math.floor(busyLooks / LOOKS_EACH), LOOK_EVERY_MOST_MS))
    }
  }

  /** Gives up a callback that is not going to be answered: none that has not reached the app yet. */
  #giveUpOne(): boolean {
    return this.#hasArrived() && this.#run.lane.giveUpOne()
  }

  /** Whether all that was sent to the app is with it, where the system says. */
  #hasArrived(): boolean {
    const { app, lane } = this.#run
    const { traffic } = app
    return !traffic || (!traffic.underWay && traffic.callers >= lane.sent + this.#asking)
  }

  /** Whether there was an instant at which nothing of the app ran, and nothing was on its way to it. */
  async #isAtRest(): Promise<boolean> {
    const { lane, app, merchant } = this.#run
    const events = lane.happened.length
    if (merchant.follows) return this.#saysItRests(events)
    const before = app.activity
    this.#asleep = before?.asleep
    if (!before) return this.#isStill(events)
    if (!before.asleep || lane.open > 0) return false
    // What it sent before it fell asleep is here after a few turns.
    for (let i = 0; i < TURNS; i++) await nextTurn()
    const after = app.activity
    return (
      after?.asleep === true && after.switches === before.switches && lane.open === 0 && lane.happened.length === events
    )
  }

  /** Whether it says that nothing in it runs, and waits for no answers but those that are held. */
  async #saysItRests(events: number): Promise<boolean> {
    const { lane, control } = this.#run
    const { asleep, requests } = await lookAt(control)
    this.#asleep = asleep
    return asleep && lane.open === 0 && requests <= lane.allOpen && lane.happened.length === events
  }

  async #isStill(events: number): Promise<boolean> {
    const { lane } = this.#run
    for (let i = 0; i < BLIND_LOOKS; i++) {
      if (lane.open > 0 || lane.happened.length > events) return false
      await realPause(BLIND_LOOK_EVERY_MS)
    }
    return true
  }

  #crash(): void {
    this.#crashed = true
    this.#run.app.crash()
  }

  async #recover(): Promise<void> {
    const { app, lane, readyWithinMs, signal } = this.#run
    while (this.#crashed) {
      this.#crashed = false
      await app.restart({ withinMs: readyWithinMs, signal }).catch((error) => {
        // It asked for something before it was ready, and that was where it was to end once more.
        if (!this.#crashed) throw error
      })
    }
    lane.happened.push({ what: 'restart' })
  }
}
