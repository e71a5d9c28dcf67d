/** Where a subject is run: a mfano with a gate, and apps that are started while others still run. One process runs them all. */
import type { ControlBody } from '../../client/control.ts'
import { must } from '../../core/model/must.ts'
import { wallNowMs } from '../../hosts/node/wall.ts'
import { AppFailed } from '../app/app-process.ts'
import type { Merchant } from '../app/merchant-file.ts'
import {
  BEGINNING,
  type JudgeServer,
  makeWorld,
  openServer,
  removeWorld,
  Turns,
  WorldRefused,
} from '../subject/own-worlds.ts'
import { runSuite, type Suite } from '../subject/subject-of.ts'
import type { Patience } from '../subject.ts'
import { FIRST, HASTY, PATIENT, type Pace } from './app-rest.ts'
import { traceOf } from './behaviours.ts'
import { type Choice, moreActs, recordOf } from './choice.ts'
import { emptyRun, type Ran, runOnStage } from './run-app.ts'
import { singlesOf } from './schedules.ts'
import { Stage } from './stage.ts'
import { leftIn, setTelling, type Telling, tracesOf } from './world-left.ts'

/** So often an app that was reset may show that its day goes as after a start. */
const RESET_TRIES = 2
/** A timer may take longer than it took once. */
const LATE_ALLOWANCE = 1.5

export interface RunnerOptions extends Patience {
  merchant: Merchant
  seed?: number | undefined
  /** Apps that are used at a time; half as many wait, started. */
  jobs: number
  tls?: boolean | undefined
  signal: AbortSignal
}

/** An app, or else a suite. */
type RunsOptions = Omit<RunnerOptions, 'merchant'> & { merchant?: Merchant; suite?: Suite }

type WorldBody = ControlBody<'POST', '/worlds'>

export interface ScheduleRecording {
  capsuleIn?: string | undefined
  name?: string
  world?: WorldBody
  tells?: Telling
  isTraced?: true
  /** Late work, by a timer of the app's own, is waited for; the `first` time to learn how long that takes. */
  patience?: 'first' | 'patient'
  /** Goes before runs that look for something new: the sooner a finding is told, the better. */
  isUrgent?: true
}

export interface TimedRun extends Ran {
  tookMs: number
}

export type SubjectRuns = Pick<SubjectRunner, 'run' | 'learn' | 'hold' | 'close'>

export async function withRuns<Done>(options: RunsOptions, work: (runs: SubjectRuns) => Promise<Done>): Promise<Done> {
  const runs = await SubjectRunner.open(options)
  return work(runs).finally(() => runs.close())
}

/** Close it when done. */
export class SubjectRunner {
  readonly #options: RunsOptions
  readonly #server: JudgeServer
  readonly #turns: Turns
  /** Started apps that nobody uses yet. */
  readonly #waiting: Promise<Stage>[] = []
  #kinds: readonly string[] = []
  #asked: Ran['asked']
  #isRenewed = false
  /** One with timers of its own goes on so long after it came to rest, in real milliseconds; 0 for one without. */
  #lateMs = 0

  private constructor(options: RunsOptions, server: JudgeServer) {
    this.#options = options
    this.#server = server
    this.#turns = new Turns(options.jobs)
  }

  static async open(options: RunsOptions): Promise<SubjectRunner> {
    const { jobs, tls, merchant } = options
    return new SubjectRunner(options, await openServer(merchant ? 4 * jobs + 8 : jobs, tls))
  }

  /** Throws only where it is interrupted: what cannot be run is not judged. */
  run(choices: readonly Choice[], recording: ScheduleRecording = {}): Promise<TimedRun> {
    const isFirst = recording.isUrgent ?? recording.patience !== undefined
    return this.#turns.take(() => this.#timed(choices, recording), { first: isFirst })
  }

  /** Until this has ended, only what is urgent begins. */
  hold<T>(work: () => Promise<T>): Promise<T> {
    return this.#turns.hold(work)
  }

  /** Learns from the ordinary day. `isWhole`: many runs follow, for which the app may be used again, by its `reset`. */
  async learn(
    ordinary: Ran,
    isWhole: boolean,
  ): Promise<{ singles: readonly Choice[]; resetUnused?: string | undefined }> {
    const { merchant } = this.#options
    this.#kinds = [...new Set(ordinary.payments.map(({ kind }) => kind))]
    this.#asked = ordinary.asked
    if (!isWhole || !merchant) return { singles: [] }
    return { resetUnused: await this.#trustReset(merchant), singles: singlesOf(ordinary, merchant) }
  }

  async close(): Promise<void> {
    await this.#removeWaiting()
    await this.#server.close()
  }

  async #timed(choices: readonly Choice[], recording: ScheduleRecording): Promise<TimedRun> {
    const { merchant, suite, signal } = this.#options
    signal.throwIfAborted()
    const beganMs = wallNowMs()
    const world = choices.reduce((made, one) => recordOf(one).world?.(one, made) ?? made, recording.world)
    const others = world ? choices.filter((one) => !recordOf(one).world) : choices
    const all = { ...recording, ...(world && { world }) }
    const running = merchant ? this.#runApp(merchant, others, all) : this.#runSuite(must(suite), all)
    const ran = await running.catch((error): Ran => {
      if (error instanceof AppFailed || error instanceof WorldRefused)
        return { ...emptyRun(others), unjudged: error.message, isLost: true }
      throw error
    })
    return { ...ran, choices, tookMs: wallNowMs() - beganMs }
  }

  /** A suite makes its own choices, and leaves no capsule. */
  async #runSuite(suite: Suite, { world, tells, isTraced }: ScheduleRecording): Promise<Ran> {
    const { seed, signal } = this.#options
    const made = await makeWorld(this.#server, { ...world, ...(seed !== undefined && { seed }) })
    try {
      await setTelling(made.control, tells)
      const outcome = await runSuite(suite, made, signal)
      return { ...emptyRun([]), ...outcome, ...(isTraced && { traces: await tracesOf(made.control) }) }
    } finally {
      await removeWorld(this.#server, made.id)
    }
  }

  /** From the app's start to the verdict. */
  async #runApp(
    merchant: Merchant,
    choices: readonly Choice[],
    { capsuleIn, name = 'explored', world, isTraced, patience }: ScheduleRecording,
  ): Promise<Ran> {
    // A finding is seen in an app that was started for it.
    const isFresh = capsuleIn !== undefined || patience !== undefined
    const stage = await (isFresh
      ? this.#open({ ...world, record: capsuleIn !== undefined || undefined })
      : this.#take(world))
    const isKept = this.#isRenewed && !isFresh
    try {
      const ran = await runOnStage(stage, {
        ...{ ...this.#options, merchant, choices, isKept },
        // The first day is run before kinds are known: one without choices is like it, or it could not be confirmed.
        kinds: world ? undefined : choices.length === 0 ? [] : this.#kinds,
        pace: this.#pace(patience),
        asked: this.#ordinaryRequests(choices),
        capsule: capsuleIn === undefined ? undefined : { folder: capsuleIn, name: `${merchant.name}-${name}` },
        ...(patience === 'first' && {
          late: (ms: number) => {
            this.#lateMs = Math.max(this.#lateMs, ms)
          },
        }),
      })
      if (!world) return ran
      const left = await leftIn(stage.control)
      return { ...ran, left, ...(isTraced && { traces: await tracesOf(stage.control) }) }
    } finally {
      if (isKept && stage.isUsable) this.#keep(this.#renewed(stage))
      else await stage.remove()
    }
  }

  /**
   * Has apps used again by the `reset` of the merchant file, if one that was reset goes through the ordinary day as a
   * new one does. Why it is not so, in words; undefined where it is so, or there is no `reset`.
   */
  async #trustReset({ reset }: Merchant): Promise<string | undefined> {
    if (!reset) return undefined
    this.#isRenewed = true
    const fresh = await this.run([])
    const [renewed] = this.#waiting
    await renewed
    const [at, failed] =
      'command' in reset
        ? [reset.command, 'did not end with 0']
        : [`${reset.method} ${reset.path}`, 'was not answered 2xx']
    if (!this.#isRenewed) return `${at} ${failed}`
    // A busy machine may have had an app of several threads do things in another order, once.
    for (let i = 0; i < RESET_TRIES; i++) {
      const again = await this.run([])
      if (again.findings.length === 0 && !again.isLost && traceOf(again) === traceOf(fresh)) return undefined
    }
    this.#isRenewed = false
    await this.#removeWaiting()
    return `after ${at} the ordinary day goes otherwise than after a start`
  }

  #pace(patience: ScheduleRecording['patience']): Pace {
    if (patience === 'first') return FIRST
    const pace = patience === 'patient' ? PATIENT : HASTY
    const afterStepMs = this.#lateMs * LATE_ALLOWANCE
    const atLeast = (ms: number) => Math.max(ms, afterStepMs)
    return { ...pace, afterStepMs, beforeBooksMs: atLeast(pace.beforeBooksMs), deafAfterMs: atLeast(pace.deafAfterMs) }
  }

  /** Money that would be asked for on such a day: an act that is done once more may ask for as much again. */
  #ordinaryRequests(choices: readonly Choice[]): Ran['asked'] {
    return this.#asked?.map((one) => ({ ...one, times: one.times * (1 + moreActs(choices)) }))
  }

  async #removeWaiting(): Promise<void> {
    const waiting = this.#waiting.splice(0)
    await Promise.all(waiting.map((one) => one.then((stage) => stage.remove()).catch(() => {})))
  }

  /** One that waits, started; or that has been used, and is as new. A `world` of its own takes one that can forget. */
  async #take(world?: WorldBody): Promise<Stage> {
    const waiting = world && !this.#isRenewed ? undefined : this.#waiting.shift()
    if (world) return waiting ? this.#renewed(await waiting, world) : this.#open(world)
    const next = waiting ?? this.#open()
    const wanted = this.#isRenewed ? 0 : Math.ceil(this.#options.jobs / 2)
    while (this.#waiting.length < wanted) this.#keep(this.#open())
    return next
  }

  #keep(one: Promise<Stage>): void {
    // Its taker gets the error; until then it must not count as unhandled.
    one.catch(() => {})
    this.#waiting.push(one)
  }

  #open(world?: WorldBody): Promise<Stage> {
    const merchant = must(this.#options.merchant)
    return Stage.open({ ...this.#options, merchant, server: this.#server }, this.#world(world))
  }

  async #renewed(stage: Stage, world?: WorldBody): Promise<Stage> {
    const isNew = await stage.renew(this.#world(world)).catch(() => false)
    if (isNew) return stage
    if (!world) this.#isRenewed = false
    await stage.remove()
    return this.#open(world)
  }

  #world(world: WorldBody = {}): WorldBody {
    const { seed } = this.#options
    return { ...(seed !== undefined && { seed }), clock: { mode: 'frozen', start: BEGINNING }, ...world }
  }
}
