/** Where schedules are run: a mfano with a gate, and apps that are started while others still run. */
import type { World } from '../../core/world.ts'
import { silentLog } from '../../hosts/node/log.ts'
import { settingsOf } from '../../hosts/node/settings.ts'
import { type RunningSimulator, startSimulator } from '../../hosts/node/simulator.ts'
import { AppFailed, type AppProcess } from '../app/app-process.ts'
import type { Merchant } from '../app/merchant-file.ts'
import { NeverQuiet } from '../app/restless.ts'
import { BooksUnreadable } from '../fetch-books.ts'
import { keepCapsule } from '../keep-capsule.ts'
import { judgeBooks, lastRequests, ownFinding, type SubjectOutcome } from '../subject/outcome.ts'
import { booksOf, didNothing } from '../subject/run-merchant.ts'
import { traceOf } from './behaviours.ts'
import { type Choice, recordOf } from './choice.ts'
import { Crossing } from './crossing.ts'
import { execute } from './execute.ts'
import type { Happened, PaymentMet } from './happened.ts'
import type { ScheduleLane } from './lane.ts'
import { scenarioOf } from './scenario-of.ts'
import { noteSchedule } from './schedule-note.ts'
import type { Pace } from './schedule-run.ts'
import { SearchStage } from './stage.ts'

export interface RunnerOptions {
  merchant: Merchant
  seed: number
  /** Apps that are used at a time; half as many wait, started. */
  jobs: number
  /** The longest that an app may take until it is ready, and until it rests, in real milliseconds. */
  readyWithinMs: number
  restWithinMs: number
  signal: AbortSignal
}

/** While there is much to see. */
const HASTY: Pace = { afterStepMs: 0, beforeBooksMs: 0, deafAfterMs: 0 }
/** Before anything is held against an app. */
const PATIENT: Pace = { afterStepMs: 20, beforeBooksMs: 1_000, deafAfterMs: 2_000 }
/** To learn whether it has timers of its own. */
const FIRST: Pace = { afterStepMs: 120, beforeBooksMs: 1_000, deafAfterMs: 2_000 }

/** So often an app that was reset may show that its day goes as after a start. */
const RESET_TRIES = 2

/** A timer may take longer than it took once. */
const LATE_ALLOWANCE = 1.5

/** A run that leaves a capsule in a folder, under a name. */
export interface ScheduleRecording {
  capsuleIn?: string | undefined
  name?: string
  /** Shown the world once the app has ended. */
  inspect?: (world: World) => void
  /** Late work, by a timer of the app's own, is waited for; the `first` time to learn how long that takes. */
  patience?: 'first' | 'patient'
}

/** The result of a run. */
export interface Ran extends SubjectOutcome {
  choices: readonly Choice[]
  happened: readonly Happened[]
  payments: readonly PaymentMet[]
  requests: ScheduleLane['requests']
  told: readonly PaymentMet[]
  /** The payments that findings are about, by their ids. */
  about: ReadonlyMap<string, PaymentMet>
}

/** Where the time of runs went, in milliseconds. */
export interface Spent {
  /** Processor time of the apps; undefined where the system does not say. */
  appMs: number | undefined
  /** Real time of runs in which an app was at rest, and was given time for what it might do by itself. */
  waitingMs: number
}

/** Known of an app since its ordinary day. */
export interface Learned {
  /** Kinds of payment that it was seen to ask for. */
  kinds: readonly string[]
  /** Payments that it asked for. */
  asked: Ran['asked']
  /** It is used again once it has forgotten what was. */
  isRenewed: boolean
  /** One with timers of its own goes on so long after it came to rest, in real milliseconds; 0 for one without. */
  lateMs: number
}

/** Close it when done. */
export class ScheduleRunner {
  readonly #options: RunnerOptions
  readonly #simulator: RunningSimulator
  readonly #crossing: Crossing
  readonly #waiting: Promise<SearchStage>[] = []
  readonly learned: Learned
  readonly #spent: Spent = { appMs: 0, waitingMs: 0 }
  /** Processor time that is in there, of apps that are used again. */
  readonly #counted = new WeakMap<AppProcess, number>()

  private constructor(options: RunnerOptions, learned: Learned, simulator: RunningSimulator, crossing: Crossing) {
    this.#options = options
    this.learned = learned
    this.#simulator = simulator
    this.#crossing = crossing
  }

  static async open(options: RunnerOptions, learned: Partial<Learned> = {}): Promise<ScheduleRunner> {
    const crossing = new Crossing()
    const settings = settingsOf({ port: '0', data: ':memory:', log: 'off' })
    const simulator = await startSimulator({ ...settings, openWorlds: 4 * options.jobs + 8 }, silentLog, {
      gate: crossing,
    })
    const known = { kinds: [], asked: undefined, isRenewed: false, lateMs: 0, ...learned }
    return new ScheduleRunner(options, known, simulator, crossing)
  }

  /** Runs a schedule, from the app's start to the verdict. Only an interruption, or an app that does not start, throws. */
  async run(
    choices: readonly Choice[],
    { capsuleIn, name = 'explored', patience, inspect }: ScheduleRecording = {},
  ): Promise<Ran> {
    const { merchant, signal, readyWithinMs, restWithinMs } = this.#options
    // A finding is seen in an app that was started for it.
    const isFresh = capsuleIn !== undefined || patience !== undefined
    const stage = await (isFresh ? this.#open(capsuleIn !== undefined) : this.#take())
    const { app, lane, control } = stage
    let isUsable = this.learned.isRenewed && !isFresh && !inspect
    const ran = (outcome: SubjectOutcome): Ran => ({
      ...outcome,
      choices,
      happened: lane.happened,
      payments: lane.payments.all,
      requests: lane.requests,
      told: lane.told,
      about: new Map(
        outcome.findings.flatMap(({ requestId = '' }) => {
          const met = lane.payments.byUuid(requestId)
          return met ? [[requestId, met] as const] : []
        }),
      ),
    })
    try {
      lane.begin(choices)
      // The first day is run before kinds are known: one without choices is like it, or it could not be confirmed.
      const scenario = scenarioOf(choices, choices.length === 0 ? [] : this.learned.kinds)
      if (capsuleIn !== undefined)
        await noteSchedule(control, { explored: [...choices], kinds: [...this.learned.kinds] })
      await control('PUT', '/scenario', { body: scenario })
      const restless: SubjectOutcome['findings'] = []
      const acts: string[] = []
      try {
        const pace = this.#pace(patience)
        const late = (ms: number) => {
          this.learned.lateMs = Math.max(this.learned.lateMs, ms)
        }
        const run = {
          ...(patience === 'first' && { late }),
          merchant,
          app,
          lane,
          control,
          world: () => stage.world,
          signal,
          patienceMs: restWithinMs,
          readyWithinMs,
          pace,
          acts,
          waited: (ms: number) => {
            this.#spent.waitingMs += ms
          },
          restartService: () => stage.restartService(),
        }
        await execute(run, choices)
      } catch (error) {
        if (!(error instanceof NeverQuiet)) throw error
        isUsable = false
        restless.push(ownFinding('never_quiet', error.message))
      }
      const books = await booksOf(app, merchant, signal)
      // An app that is used again rests, and its world stands still.
      if (!isUsable) await app.stop()
      inspect?.(stage.world)
      const outcome = await judgeBooks({ control, asked: this.#usual(choices) }, books)
      const blamed = outcome.findings.filter(({ requestId }) => {
        const met = lane.payments.byUuid(requestId)
        return !met || !lane.isUnknowable(met)
      })
      const capsule =
        capsuleIn && (await keepCapsule(() => control.open('GET', '/capsule'), `${merchant.name}-${name}`, capsuleIn))
      const findings = [...restless, ...blamed]
      // Where a choice keeps an app from paying, that it does not is right.
      const idle = choices.length === 0 && findings.length === 0 && lane.payments.all.length === 0
      return ran({
        ...outcome,
        findings: findings.map((one) => ({ ...one, ...(capsule && { capsule }) })),
        ...(idle && outcome.unjudged === undefined && { idle, unjudged: didNothing(acts, app.said) }),
      })
    } catch (error) {
      isUsable = false
      signal.throwIfAborted()
      if (error instanceof AppFailed)
        return ran({
          findings: [ownFinding(error.code, error.message, await lastRequests(control))],
          warnings: [],
        })
      if (error instanceof BooksUnreadable) return ran({ findings: [], warnings: [], unjudged: error.message })
      throw error
    } finally {
      this.#count(app)
      if (isUsable && lane.open === 0 && lane.sends === 0) this.#keep(this.#renewed(stage))
      else await stage.remove()
    }
  }

  /**
   * Has apps used again by the `reset` of the merchant file, if one that was reset goes through the ordinary day as a
   * new one does. Why it is not so, in words; undefined where it is so, or there is no `reset`.
   */
  async trustReset(): Promise<string | undefined> {
    const { reset } = this.#options.merchant
    if (!reset) return undefined
    this.learned.isRenewed = true
    const fresh = await this.run([])
    const [renewed] = this.#waiting
    await renewed
    const [at, failed] =
      'command' in reset
        ? [reset.command, 'did not end with 0']
        : [`${reset.method} ${reset.path}`, 'was not answered 2xx']
    if (!this.learned.isRenewed) return `${at} ${failed}`
    // A busy machine may have had an app of several threads do things in another order, once.
    for (let i = 0; i < RESET_TRIES; i++) {
      const again = await this.run([])
      if (again.findings.length === 0 && traceOf(again) === traceOf(fresh)) return undefined
    }
    this.learned.isRenewed = false
    await this.#removeWaiting()
    return `after ${at} the ordinary day goes otherwise than after a start`
  }

  get spent(): Spent {
    return { ...this.#spent }
  }

  #count(app: AppProcess): void {
    const { processorMs } = app
    this.#spent.appMs = sumIfKnown(this.#spent.appMs, processorMs, -(this.#counted.get(app) ?? 0))
    this.#counted.set(app, processorMs ?? 0)
  }

  #pace(patience: ScheduleRecording['patience']): Pace {
    if (patience === 'first') return FIRST
    const pace = patience === 'patient' ? PATIENT : HASTY
    const afterStepMs = Math.max(pace.afterStepMs, this.learned.lateMs * LATE_ALLOWANCE)
    const atLeast = (ms: number) => Math.max(ms, afterStepMs)
    return { afterStepMs, beforeBooksMs: atLeast(pace.beforeBooksMs), deafAfterMs: atLeast(pace.deafAfterMs) }
  }

  /** Money that would be asked for on such a day: an act that is done once more may ask for as much again. */
  #usual(choices: readonly Choice[]): Ran['asked'] {
    const more = choices.reduce((sum, one) => sum + (recordOf(one).moreActs?.(one) ?? 0), 0)
    return this.learned.asked?.map((one) => ({ ...one, times: one.times * (1 + more) }))
  }

  /** Ends every app, and the mfano. */
  async close(): Promise<void> {
    await this.#removeWaiting()
    await this.#simulator.close()
  }

  async #removeWaiting(): Promise<void> {
    const waiting = this.#waiting.splice(0)
    await Promise.all(waiting.map((one) => one.then((stage) => stage.remove()).catch(() => {})))
  }

  /** One that waits, started; or that has been used, and is as new. */
  #take(): Promise<SearchStage> {
    const next = this.#waiting.shift() ?? this.#open()
    const wanted = this.learned.isRenewed ? 0 : Math.ceil(this.#options.jobs / 2)
    while (this.#waiting.length < wanted) this.#keep(this.#open())
    return next
  }

  #keep(one: Promise<SearchStage>): void {
    // Its taker learns of it.
    one.catch(() => {})
    this.#waiting.push(one)
  }

  #open(record = false): Promise<SearchStage> {
    return SearchStage.open({ ...this.#options, simulator: this.#simulator, crossing: this.#crossing, record })
  }

  async #renewed(stage: SearchStage): Promise<SearchStage> {
    const isNew = await stage.renew().catch(() => false)
    if (isNew) return stage
    this.learned.isRenewed = false
    await stage.remove()
    return this.#open()
  }
}

/** Undefined where one of them is. */
export function sumIfKnown(...numbers: (number | undefined)[]): number | undefined {
  return numbers.reduce((sum, one) => (sum === undefined || one === undefined ? undefined : sum + one), 0)
}
