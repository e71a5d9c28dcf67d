import type { Core } from '../engine/core.ts'
import type { GroupCommit } from '../engine/group-commit.ts'
import { tellOfClock } from '../engine/happening.ts'
import { perform } from '../engine/perform.ts'
import { Refusal } from '../model/refusal.ts'
import type { InstantUs } from '../model/time.ts'
import { type Due, LANE } from '../store/agenda.ts'
import type { Deliverer } from './deliverer.ts'
import type { Holds } from './holds.ts'

/** Steps taken in one commit, so that requests are served in between. */
const BATCH = 500
/** Timers hold at most this; a later due time is looked at again then. */
const ALARM_MAX_MS = 3_600_000

/** Calls back after some real milliseconds, and gives a function that cancels. */
export type Alarm = (afterMs: number, ring: () => void) => () => void

/** What an advance did. */
export interface Advanced {
  nowUs: InstantUs
  steps: number
  callbacks: { delivered: number; failed: number }
}

/**
 * Makes the future happen: takes what is due from the agenda and performs it. By itself as the clock goes, or step by
 * step from due event to due event when somebody moves the clock.
 */
export class Timekeeper {
  readonly #core: Core
  readonly #commit: GroupCommit
  readonly #deliverer: Deliverer
  readonly #alarm: Alarm
  readonly #holds: Holds
  #cancelAlarm: (() => void) | undefined
  #alarmAtUs = Number.POSITIVE_INFINITY
  #running = false
  #again = false
  #closed = false
  /** Advances wait for each other. */
  #advancing: Promise<unknown> = Promise.resolve()

  constructor(core: Core, commit: GroupCommit, deliverer: Deliverer, alarm: Alarm, holds: Holds) {
    this.#core = core
    this.#commit = commit
    this.#deliverer = deliverer
    this.#alarm = alarm
    this.#holds = holds
  }

  /** Something was put on the agenda for `dueAtUs`; wakes when that is sooner than what was known. */
  notice(dueAtUs: InstantUs): void {
    if (dueAtUs < this.#alarmAtUs && !this.#core.clock.held) this.#core.afterCommit(() => this.wake())
  }

  /** Performs what is due by now, then waits for the next. Safe to call at any time. */
  wake(): void {
    if (this.#closed || this.#core.clock.held) return
    if (this.#running) {
      this.#again = true
      return
    }
    this.#running = true
    const release = this.#holds.take()
    this.#perform()
      .catch((error) => this.#core.observer.error(error, 'performing what is due'))
      .finally(() => {
        this.#running = false
        if (this.#again) {
          this.#again = false
          this.wake()
        }
        release()
      })
  }

  async #perform(): Promise<void> {
    for (;;) {
      if (this.#closed || this.#core.clock.held) return
      const due = this.#core.store.agenda.earliest(LANE.steps)
      if (due === undefined || due > this.#core.clock.now()) break
      await this.#commit.submitParts(() => this.#takeSteps(this.#core.clock.now()))
      this.#deliverer.pump()
    }
    this.#deliverer.pump()
    this.#setAlarm()
  }

  #setAlarm(): void {
    this.#cancelAlarm?.()
    this.#cancelAlarm = undefined
    const next = Math.min(
      this.#core.store.agenda.earliest(LANE.steps) ?? Number.POSITIVE_INFINITY,
      this.#deliverer.nextDueUs() ?? Number.POSITIVE_INFINITY,
    )
    this.#alarmAtUs = next
    const { rate } = this.#core.clock
    if (next === Number.POSITIVE_INFINITY || rate === 0) return
    const afterMs = Math.max(0, Math.ceil((next - this.#core.clock.now()) / rate / 1000))
    this.#cancelAlarm = this.#alarm(Math.min(afterMs, ALARM_MAX_MS), () => {
      this.#alarmAtUs = Number.POSITIVE_INFINITY
      this.wake()
    })
  }

  /**
   * Moves the clock to an instant, from due event to due event: at each the steps, then the callbacks they caused and
   * those that were due, answered or given up, before time goes on. Nothing is jumped over.
   */
  advance(target: (nowUs: InstantUs) => InstantUs): Promise<Advanced> {
    // Advances wait for each other, and each starts from where the one before it ended.
    const release = this.#holds.take()
    const mine = this.#advancing.then(() => this.#advance(target(this.#core.clock.now()))).finally(release)
    this.#advancing = mine.catch(() => {})
    return mine
  }

  async #advance(toUs: InstantUs): Promise<Advanced> {
    const { clock, store } = this.#core
    const before = this.#deliverer.counts()
    const target = Math.max(toUs, clock.now())
    let steps = 0
    const fromUs = clock.now()
    clock.hold(fromUs)
    try {
      await this.#deliverer.settled()
      while (!this.#closed) {
        const nextStep = store.agenda.earliest(LANE.steps) ?? Number.POSITIVE_INFINITY
        const nextDelivery = this.#deliverer.nextDueUs() ?? Number.POSITIVE_INFINITY
        const next = Math.min(nextStep, nextDelivery)
        if (next > target) break
        clock.hold(Math.max(next, clock.now()))
        steps += await this.#commit.submitParts(() => {
          const taken = nextStep <= nextDelivery ? this.#takeSteps(Math.min(target, nextDelivery), true) : 0
          // With the steps it performed, so that a crash on the way does not turn time back.
          store.meta.set('clock', clock.state())
          return taken
        })
        await this.#deliverer.settled()
      }
    } finally {
      clock.release(this.#closed ? clock.now() : target)
    }
    if (this.#closed)
      throw new Refusal(
        'SERVICE_UNAVAILABLE',
        'this world was reset or removed, or mfano is stopping, while time moved',
      )
    await this.#commit.submit(() => {
      store.meta.set('clock', clock.state())
      if (clock.now() > fromUs) tellOfClock(this.#core, fromUs)
    })
    this.#alarmAtUs = Number.POSITIVE_INFINITY
    this.wake()
    const after = this.#deliverer.counts()
    return {
      nowUs: clock.now(),
      steps,
      callbacks: { delivered: after.delivered - before.delivered, failed: after.failed - before.failed },
    }
  }

  /**
   * One batch of steps due by `byUs`; gives how many. With `exactly`, it goes from instant to instant, because a step
   * may put the next one or a cancellation between those that wait: the clock shows each one's due time, and the batch
   * ends with the instant in which a callback was written, because it must be delivered before time goes on.
   */
  #takeSteps(byUs: InstantUs, exactly = false): number {
    const { clock, store } = this.#core
    if (!exactly) return this.#takeDue(byUs, BATCH)
    const callbacksBefore = store.counters.current('callback')
    let taken = 0
    while (taken < BATCH) {
      const next = store.agenda.earliest(LANE.steps)
      if (next === undefined || next > byUs) break
      if (next > clock.now()) {
        if (store.counters.current('callback') > callbacksBefore) break
        clock.hold(next)
      }
      taken += this.#takeDue(next, BATCH - taken)
    }
    return taken
  }

  /** Performs the first steps that are due by an instant, and takes them off the agenda. */
  #takeDue(byUs: InstantUs, limit: number): number {
    const { agenda } = this.#core.store
    const rows = agenda.due(LANE.steps, byUs, limit)
    const step = (row: Due) => perform(this.#core, { command: 'step-payment', seq: row.subject, event: row.event })
    // One savepoint for all, because they hardly ever fail; one each when one did, so that it stops nobody else.
    const all = this.#commit.attempt(() => rows.forEach(step))
    for (const row of all.ok ? [] : rows) {
      const outcome = this.#commit.attempt(() => step(row))
      if (!outcome.ok) this.#core.observer.error(outcome.error, `step ${row.event} of payment ${row.subject}`)
    }
    const last = rows.at(-1)
    if (last) agenda.removeThrough(LANE.steps, last)
    return rows.length
  }

  /** What the timekeeper is waiting for, if anything. */
  nextDueUs(): InstantUs | undefined {
    const next = Math.min(
      this.#core.store.agenda.earliest(LANE.steps) ?? Number.POSITIVE_INFINITY,
      this.#core.store.agenda.earliest(LANE.deliveries) ?? Number.POSITIVE_INFINITY,
    )
    return next === Number.POSITIVE_INFINITY ? undefined : next
  }

  close(): void {
    this.#closed = true
    this.#cancelAlarm?.()
  }
}
