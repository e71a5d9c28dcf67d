import { type Core, emitClockEvent } from '../core.ts'
import { alarmAfter } from '../host.ts'
import { type ClockRun, type ClockRunResult, type Ended, LANE } from '../model/due.ts'
import type { CallbackDomainEvent, DomainEvent } from '../model/journal.ts'
import { must } from '../model/must.ts'
import { commonReasons, refused } from '../model/refusal.ts'
import { type InstantUs, LAST_INSTANT_US } from '../model/time.ts'
import { takeDue } from '../perform.ts'
import { nextDue } from '../store/agenda-table.ts'
import type { Deliverer } from './deliverer.ts'
import type { Feed } from './feed.ts'
import type { WorldParts } from './leases.ts'
import type { Participants } from './participants.ts'

/** Steps per commit, so that requests are served in between. */
const BATCH = 240
/** Milliseconds, by the faster of both clocks. A short wait between batches puts more steps into one commit. */
const GATHERING_MS = 5
/** No timer runs longer; a later due time is checked again then. */
const ALARM_MAX_MS = 3_600_000

interface TimekeeperParts extends WorldParts {
  deliverer: Deliverer
  participants: Participants
  feed: Feed
}

export class Timekeeper {
  readonly #parts: TimekeeperParts
  readonly #core: Core
  readonly #deliverer: Deliverer
  #cancelAlarm: (() => void) | undefined
  #alarmAtUs = Number.POSITIVE_INFINITY
  #running = false
  #again = false
  #keptUs: InstantUs | undefined
  #lastRun: Promise<unknown> = Promise.resolve()

  constructor(parts: TimekeeperParts) {
    this.#parts = parts
    this.#core = parts.core
    this.#deliverer = parts.deliverer
    parts.core.commit.atEnd(() => this.#keepTime())
  }

  /** Stored with every change, so that a crash or a clock that is set back cannot turn world time back. */
  #keepTime(): void {
    const { clock, store } = this.#core
    const nowUs = clock.now()
    if (nowUs === this.#keptUs || (clock.mode === 'frozen' && !clock.paused)) return
    const before = this.#keptUs
    store.undo.onRollback(() => {
      this.#keptUs = before
    })
    this.#keptUs = nowUs
    store.meta.set('clock', clock.state())
  }

  /** Hears of each new row. While it runs, or a run moves the clock, the agenda is looked at again anyway. */
  notice(dueAtUs: InstantUs): void {
    const { clock, commit } = this.#core
    const isNext = () => dueAtUs < this.#alarmAtUs && !this.#running && !clock.paused
    const act = () => (dueAtUs <= clock.now() ? this.wake() : isNext() && this.#setAlarm(dueAtUs))
    if (isNext()) commit.afterCommit(act)
  }

  wake(): void {
    const { closing, health, leases } = this.#parts
    if (closing.aborted || this.#core.clock.paused) return
    if (this.#running) {
      this.#again = true
      health.retryNow()
      return
    }
    this.#running = true
    const release = leases.take()
    void health
      .untilItWorks('time', closing, () => this.#runDue())
      .then(() => {
        this.#running = false
        if (this.#again) {
          this.#again = false
          this.wake()
        }
        release()
      })
  }

  async #runDue(): Promise<void> {
    let taken = 0
    for (;;) {
      if (this.#parts.closing.aborted || this.#core.clock.paused) return
      if (this.#core.store.agenda.earliest(LANE.steps) > this.#core.clock.now()) break
      const take = () => takeDue(this.#core, this.#core.clock.now(), BATCH)
      taken += await this.#core.commit.submit(() => this.#deliverer.handingOver(take))
      this.#deliverer.pump()
    }
    this.#deliverer.pump()
    const next = Math.min(this.#core.store.agenda.earliest(LANE.steps), this.#deliverer.nextDueUs())
    this.#setAlarm(next, taken > 0 ? GATHERING_MS / Math.max(1, this.#core.clock.rate) : 0)
  }

  #setAlarm(next: InstantUs, leastMs = 0): void {
    this.#cancelAlarm?.()
    this.#cancelAlarm = undefined
    this.#alarmAtUs = next
    const { rate } = this.#core.clock
    if (this.#parts.closing.aborted || next > LAST_INSTANT_US || rate === 0) return
    const afterMs = Math.max(leastMs, Math.ceil((next - this.#core.clock.now()) / rate / 1000))
    this.#cancelAlarm = this.#parts.host.alarm(Math.min(afterMs, ALARM_MAX_MS), () => {
      this.#alarmAtUs = Number.POSITIVE_INFINITY
      this.wake()
    })
  }

  /**
   * Moves the clock, from due event to due event: at each the steps, then the timers of participants, then the callbacks
   * that were caused and those that were due, answered or given up, before time goes on. Nothing is jumped over.
   */
  run(run: ClockRun): Promise<ClockRunResult> {
    // Runs wait for each other, and each starts where the one before ended.
    const release = this.#parts.leases.take()
    const mine = this.#lastRun.then(() => this.#runTo(run)).finally(release)
    this.#lastRun = mine.catch(() => {})
    return mine
  }

  async #runTo(run: ClockRun): Promise<ClockRunResult> {
    const { closing, participants } = this.#parts
    const { clock, commit, store } = this.#core
    const fromUs = clock.now()
    const moving = new MovingClock(this.#parts, run, fromUs)
    try {
      await moving.move()
    } finally {
      clock.resume(moving.ended !== undefined && !closing.aborted ? clock.now() : moving.doneUs)
      this.#alarmAtUs = Number.POSITIVE_INFINITY
      // It failed on the way, so alarms in the meantime were missed.
      if (moving.ended === undefined) this.wake()
    }
    const { ended, steps, callbacks, broke, happened, counts } = moving
    if (closing.aborted || ended === undefined)
      throw refused(
        commonReasons.worldClosed,
        'this world was reset or removed, or mfano is stopping, while time moved',
      )
    await commit
      .submit(() => {
        store.meta.set('clock', clock.state())
        if (clock.now() > fromUs) emitClockEvent(this.#core, fromUs)
      })
      .finally(() => this.wake())
    participants.tell()
    const { absent } = participants
    return { fromUs, nowUs: clock.now(), steps, callbacks, ended, broke, happened, absent, counts }
  }

  nextDueUs(): InstantUs | undefined {
    const { sql, meta } = this.#core.store
    return nextDue(sql, meta.callbacksPaused)
  }

  close(): void {
    this.#cancelAlarm?.()
  }
}

/** A move of the clock under way, with what it has caused so far. */
class MovingClock {
  readonly happened: DomainEvent[] = []
  readonly counts: ClockRunResult['counts'] = {}
  readonly callbacks = { delivered: 0, failed: 0 }
  broke: DomainEvent | undefined
  steps = 0
  ended: Ended | undefined
  /** All that was due up to here is done. */
  doneUs: InstantUs
  readonly #parts: TimekeeperParts
  readonly #run: ClockRun
  readonly #targetUs: InstantUs
  #late: boolean
  /** Events up to here are sorted. */
  #sorted = 0
  #timers = 0
  #restedAtUs: InstantUs | undefined
  #attemptsThen = 0

  constructor(parts: TimekeeperParts, run: ClockRun, fromUs: InstantUs) {
    this.#parts = parts
    this.#run = run
    this.#targetUs = Math.max(run.to(fromUs), fromUs)
    this.#late = run.left?.aborted ?? false
    this.doneUs = fromUs
  }

  async move(): Promise<void> {
    const { core, feed, host, participants } = this.#parts
    const { already, left, timeoutMs } = this.#run
    const end = () => {
      this.#late = true
      this.#stop()
    }
    const stopListening = feed.listen({ kind: 'settle', happened: (one) => this.#write(one), ended() {} })
    const cancelTimeout = timeoutMs === undefined ? () => {} : alarmAfter(host, timeoutMs, end)
    left?.addEventListener('abort', end)
    participants.beginRun()
    if (already?.()) this.ended = 'breakpoint_holds'
    core.clock.pause(this.doneUs)
    try {
      await this.#goOn()
      if (this.ended === 'target_reached') core.clock.pause(this.#targetUs)
      if (this.ended !== undefined && !this.#late && this.#restedAtUs !== core.clock.now()) await this.#rest()
    } finally {
      cancelTimeout()
      left?.removeEventListener('abort', end)
      stopListening()
    }
  }

  async #goOn(): Promise<void> {
    const { closing, core, deliverer, participants } = this.#parts
    const { clock, commit, store } = core
    if (this.ended === undefined) await this.#workThrough()
    while (!closing.aborted && this.ended === undefined) {
      // One that joined meanwhile has not said yet what is due in it.
      if (participants.working && !this.#isEnough) await this.#workThrough()
      const nextStep = store.agenda.earliest(LANE.steps)
      const nextOther = Math.min(deliverer.nextDueUs(), participants.nextDueUs())
      const next = Math.min(nextStep, nextOther)
      this.ended = this.#endBefore(next)
      if (this.ended !== undefined) return
      clock.pause(Math.max(next, clock.now()))
      if (nextStep <= nextOther)
        this.steps += await commit.submit(() => this.#takeSteps(Math.min(this.#targetUs, nextOther)))
      this.doneUs = clock.now()
      await this.#workThrough()
    }
  }

  #endBefore(next: InstantUs): Ended | undefined {
    const { core, deliverer, participants } = this.#parts
    // Attempts that are still under way, and participants at work, were not waited for to their end.
    if (deliverer.busy || (this.#late && participants.working)) return this.#late ? 'timeout' : 'step_limit'
    // Events due at the instant of the breakpoint happen too, because they are due now.
    if (this.broke && next > core.clock.now()) return 'breakpoint_holds'
    if (this.#run.untilIdle && next === Number.POSITIVE_INFINITY) return 'nothing_pending'
    if (next > this.#targetUs) return 'target_reached'
    if (this.#late) return 'timeout'
    return this.#isEnough ? 'step_limit' : undefined
  }

  /**
   * One batch, up to `byUs`. It goes from instant to instant, because a step may add or cancel the next. It ends after
   * an instant that wrote a callback, which must be delivered before time goes on, or after any: a breakpoint is checked
   * at the commit.
   */
  #takeSteps(byUs: InstantUs): number {
    const { core } = this.#parts
    const { clock, store } = core
    const limit = Math.min(BATCH, this.#left)
    const onlyOne = this.#run.until !== undefined
    const callbacksBefore = store.counters.current('callback')
    let taken = 0
    while (taken < limit) {
      const next = store.agenda.earliest(LANE.steps)
      if (next > byUs) break
      if (next > clock.now()) {
        if (taken > 0 && (onlyOne || store.counters.current('callback') > callbacksBefore)) break
        clock.pause(next)
      }
      taken += takeDue(core, next, limit - taken)
    }
    return taken
  }

  /**
   * Runs everything that is due now: timers first, because a program that receives something must know the time; then
   * callbacks, and what the programs do with them.
   */
  async #workThrough(): Promise<void> {
    const { deliverer } = this.#parts
    while (!this.#isEnough) {
      if (this.#concernsParticipants()) await this.#rest()
      if (this.#isEnough) break
      await deliverer.whenIdle()
      if (!this.#hasTold()) break
    }
    this.#sortAttempts()
  }

  async #rest(): Promise<void> {
    const { core, deliverer, participants } = this.#parts
    if (participants.count === 0) return
    const nowUs = core.clock.now()
    if (participants.nextDueUs() <= nowUs) this.#timers++
    this.#restedAtUs = nowUs
    this.#attemptsThen = this.#attempts
    const nextStep = core.store.agenda.earliest(LANE.steps)
    await participants.rest(deliverer.busy ? 0 : Math.min(nextStep, deliverer.nextDueUs(), this.#targetUs + 1))
  }

  #hasTold(): boolean {
    return this.#parts.participants.count > 0 && this.#attempts !== this.#attemptsThen
  }

  /** An instant at which only the world has something to do is not granted, because no participant would notice it. */
  #concernsParticipants(): boolean {
    const { core, participants, deliverer } = this.#parts
    if (participants.count === 0) return false
    // One that moved by itself may have been told something at an instant at which it was not granted rest.
    if (participants.working || this.#hasTold()) return true
    const nowUs = core.clock.now()
    if (participants.nextDueUs() <= nowUs || this.#restedAtUs === undefined) return true
    return this.#restedAtUs !== nowUs && (deliverer.busy || deliverer.nextDueUs() <= nowUs)
  }

  get #attempts(): number {
    return this.callbacks.delivered + this.callbacks.failed
  }

  /** Steps, attempts and timers that it may still take. */
  get #left(): number {
    const { most = Number.POSITIVE_INFINITY } = this.#run
    return most - this.steps - this.#attempts - this.#timers - this.#parts.participants.timers
  }

  get #isEnough(): boolean {
    return this.#late || this.#left <= 0
  }

  #stop(): void {
    this.#parts.deliverer.releaseWaiters()
    this.#parts.participants.releaseWaiters()
  }

  #write(domainEvent: DomainEvent): void {
    if (this.happened.length < (this.#run.keep ?? 0)) this.happened.push(domainEvent)
    this.counts[domainEvent.type] = (this.counts[domainEvent.type] ?? 0) + 1
    if (isAttempt(domainEvent)) this.callbacks[domainEvent.attempt?.error === null ? 'delivered' : 'failed']++
    if (this.broke === undefined && this.#run.until?.(domainEvent)) this.broke = domainEvent
    if (this.#left <= 0) this.#stop()
  }

  /** Receivers answer in any order, and runs must repeat. */
  #sortAttempts(): void {
    const places: number[] = []
    for (let i = this.#sorted; i < this.happened.length; i++) if (isAttempt(this.happened[i])) places.push(i)
    const attempts = places.map((place) => this.happened[place]).filter(isAttempt)
    attempts.sort((a, b) => a.id - b.id || a.attempts - b.attempts)
    for (const [i, place] of places.entries()) this.happened[place] = must(attempts[i])
    this.#sorted = this.happened.length
  }
}

function isAttempt(domainEvent: DomainEvent | undefined): domainEvent is DomainEvent & CallbackDomainEvent {
  return domainEvent?.type === 'callback' && domainEvent.attempt !== null
}
