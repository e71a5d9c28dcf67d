import { type Core, emitClockEvent } from '../core.ts'
import type { Clock } from '../engine/clock.ts'
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
      taken += await this.#core.commit.submit(() => this.#takeBatch())
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
    const { closing, feed, host, participants } = this.#parts
    const { clock, commit, store } = this.#core
    const { agenda } = store
    const { most = Number.POSITIVE_INFINITY, timeoutMs, left } = run
    const fromUs = clock.now()
    const targetUs = Math.max(run.to(fromUs), fromUs)
    let steps = 0
    let late = left?.aborted ?? false
    const done = () => steps + recorder.attempts + instants.timers
    const stop = () => {
      this.#deliverer.releaseWaiters()
      participants.releaseWaiters()
    }
    const recorder = new ClockRunRecorder(feed, run, () => done() >= most && stop())
    const instants = new SharedInstants({
      clock,
      participants,
      deliverer: this.#deliverer,
      nextOfWorldUs: () =>
        this.#deliverer.busy ? 0 : Math.min(agenda.earliest(LANE.steps), this.#deliverer.nextDueUs(), targetUs + 1),
      attempts: () => recorder.attempts,
    })
    const end = () => {
      late = true
      stop()
    }
    const cancelTimeout = timeoutMs === undefined ? () => {} : alarmAfter(host, timeoutMs, end)
    left?.addEventListener('abort', end)
    const delivered = async () => {
      await instants.workThrough(() => late || done() >= most)
      recorder.endRound()
    }
    let doneUs = fromUs
    let ended: Ended | undefined = run.already?.() ? 'breakpoint_holds' : undefined
    clock.pause(fromUs)
    try {
      if (ended === undefined) await delivered()
      while (!closing.aborted && ended === undefined) {
        // One that joined meanwhile has not said yet what is due in it.
        if (participants.working && !late && done() < most) await delivered()
        const nextStep = agenda.earliest(LANE.steps)
        const nextDelivery = this.#deliverer.nextDueUs()
        const nextTimer = participants.nextDueUs()
        const next = Math.min(nextStep, nextDelivery, nextTimer)
        // Attempts that are still under way, and participants at work, were not waited for to their end.
        if (this.#deliverer.busy || (late && participants.working)) ended = late ? 'timeout' : 'step_limit'
        // Events due at the instant of the breakpoint happen too, because they are due now.
        else if (recorder.broke && next > clock.now()) ended = 'breakpoint_holds'
        else if (run.untilIdle && next === Number.POSITIVE_INFINITY) ended = 'nothing_pending'
        else if (next > targetUs) ended = 'target_reached'
        else if (late) ended = 'timeout'
        else if (done() >= most) ended = 'step_limit'
        if (ended) break
        clock.pause(Math.max(next, clock.now()))
        if (nextStep <= Math.min(nextDelivery, nextTimer))
          steps += await commit.submit(() => {
            const limit = Math.min(BATCH, most - done())
            return this.#takeSteps(Math.min(targetUs, nextDelivery, nextTimer), limit, run.until !== undefined)
          })
        doneUs = clock.now()
        await delivered()
      }
      if (ended === 'target_reached') clock.pause(targetUs)
      if (ended !== undefined && !late) await instants.arrive()
    } finally {
      cancelTimeout()
      left?.removeEventListener('abort', end)
      recorder.close()
      clock.resume(ended !== undefined && !closing.aborted ? clock.now() : doneUs)
      this.#alarmAtUs = Number.POSITIVE_INFINITY
      // It failed on the way, so alarms in the meantime were missed.
      if (ended === undefined) this.wake()
    }
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
    const { callbacks, broke, happened, counts } = recorder
    return {
      fromUs,
      nowUs: clock.now(),
      steps,
      callbacks,
      ended,
      broke,
      happened,
      absent: participants.absent,
      counts,
    }
  }

  #takeBatch(): number {
    return this.#deliverer.handingOver(() => takeDue(this.#core, this.#core.clock.now(), BATCH))
  }

  /**
   * One batch of a run, up to `byUs`. It goes from instant to instant, because a step may add or cancel the next. It
   * ends after an instant that wrote a callback, which must be delivered before time goes on, or after any: a breakpoint
   * is checked at the commit.
   */
  #takeSteps(byUs: InstantUs, limit: number, onlyOne: boolean): number {
    const { clock, store } = this.#core
    const callbacksBefore = store.counters.current('callback')
    let taken = 0
    while (taken < limit) {
      const next = store.agenda.earliest(LANE.steps)
      if (next > byUs) break
      if (next > clock.now()) {
        if (taken > 0 && (onlyOne || store.counters.current('callback') > callbacksBefore)) break
        clock.pause(next)
      }
      taken += takeDue(this.#core, next, limit - taken)
    }
    return taken
  }

  nextDueUs(): InstantUs | undefined {
    const { sql, meta } = this.#core.store
    return nextDue(sql, meta.callbacksPaused)
  }

  close(): void {
    this.#cancelAlarm?.()
  }
}

class ClockRunRecorder {
  readonly happened: DomainEvent[] = []
  readonly counts: ClockRunResult['counts'] = {}
  readonly callbacks = { delivered: 0, failed: 0 }
  broke: DomainEvent | undefined
  readonly #run: ClockRun
  readonly #written: () => void
  readonly #stopListening: () => void
  #round = 0

  constructor(feed: Feed, run: ClockRun, written: () => void) {
    this.#run = run
    this.#written = written
    this.#stopListening = feed.listen({
      kind: 'settle',
      happened: (domainEvent) => this.#write(domainEvent),
      ended() {},
    })
  }

  /** Sorts the attempts of one instant, because receivers answer in any order and runs must repeat. */
  endRound(): void {
    const places: number[] = []
    for (let i = this.#round; i < this.happened.length; i++) if (isAttempt(this.happened[i])) places.push(i)
    const attempts = places.map((place) => this.happened[place]).filter(isAttempt)
    attempts.sort((a, b) => a.id - b.id || a.attempts - b.attempts)
    for (const [i, place] of places.entries()) this.happened[place] = must(attempts[i])
    this.#round = this.happened.length
  }

  get attempts(): number {
    return this.callbacks.delivered + this.callbacks.failed
  }

  close(): void {
    this.#stopListening()
  }

  #write(domainEvent: DomainEvent): void {
    if (this.happened.length < (this.#run.keep ?? 0)) this.happened.push(domainEvent)
    this.counts[domainEvent.type] = (this.counts[domainEvent.type] ?? 0) + 1
    if (isAttempt(domainEvent)) this.callbacks[domainEvent.attempt?.error === null ? 'delivered' : 'failed']++
    if (this.broke === undefined && this.#run.until?.(domainEvent)) this.broke = domainEvent
    this.#written()
  }
}

function isAttempt(domainEvent: DomainEvent | undefined): domainEvent is DomainEvent & CallbackDomainEvent {
  return domainEvent?.type === 'callback' && domainEvent.attempt !== null
}

interface InstantParts {
  clock: Clock
  participants: Participants
  deliverer: Deliverer
  nextOfWorldUs(): InstantUs
  attempts(): number
}

class SharedInstants {
  #timers = 0
  readonly #parts: InstantParts
  #restedAtUs: InstantUs | undefined
  #attemptsThen = 0

  constructor(parts: InstantParts) {
    this.#parts = parts
    parts.participants.beginRun()
  }

  get timers(): number {
    return this.#timers + this.#parts.participants.timers
  }

  /**
   * Runs everything that is due now: timers first, because a program that receives something must know the time; then
   * callbacks, and what the programs do with them. `enough` stops it.
   */
  async workThrough(enough: () => boolean): Promise<void> {
    const { deliverer } = this.#parts
    while (!enough()) {
      if (this.#concernsParticipants()) await this.rest()
      if (enough()) return
      await deliverer.whenIdle()
      if (!this.#hasTold()) return
    }
  }

  async rest(): Promise<void> {
    const { clock, participants, attempts, nextOfWorldUs } = this.#parts
    if (participants.count === 0) return
    const nowUs = clock.now()
    if (participants.nextDueUs() <= nowUs) this.#timers++
    this.#restedAtUs = nowUs
    this.#attemptsThen = attempts()
    await participants.rest(nextOfWorldUs())
  }

  async arrive(): Promise<void> {
    if (this.#restedAtUs !== this.#parts.clock.now()) await this.rest()
  }

  #hasTold(): boolean {
    const { participants, attempts } = this.#parts
    return participants.count > 0 && attempts() !== this.#attemptsThen
  }

  /** An instant at which only the world has something to do is not granted, because no participant would notice it. */
  #concernsParticipants(): boolean {
    const { clock, participants, deliverer } = this.#parts
    if (participants.count === 0) return false
    // One that moved by itself may have been told something at an instant at which it was not granted rest.
    if (participants.working || this.#hasTold()) return true
    const nowUs = clock.now()
    if (this.#restedAtUs === nowUs) return participants.nextDueUs() <= nowUs
    if (this.#restedAtUs === undefined || participants.nextDueUs() <= nowUs) return true
    return deliverer.busy || deliverer.nextDueUs() <= nowUs
  }
}
