/** Where schedules are run: a mfano with a gate, and apps that are started while others still run. One process runs them all. */
import type { ControlBody } from '../../client/control.ts'
import { AppFailed } from '../app/app-process.ts'
import type { Merchant } from '../app/merchant-file.ts'
import { BEGINNING, openServer, WorldRefused } from '../subject/own-worlds.ts'
import type { Patience } from '../subject.ts'
import { FIRST, HASTY, PATIENT, type Pace } from './app-rest.ts'
import { traceOf } from './behaviours.ts'
import { type Choice, recordOf } from './choice.ts'
import { lostRun, type Ran, runOnStage } from './run-app.ts'
import { singlesOf } from './schedules.ts'
import { Stage } from './stage.ts'
import { leftIn, type Telling, tracesOf } from './world-left.ts'

export interface RunnerOptions extends Patience {
  merchant: Merchant
  seed?: number | undefined
  /** Apps that are used at a time; half as many wait, started. */
  jobs: number
  tls?: boolean | undefined
  signal: AbortSignal
}

/** So often an app that was reset may show that its day goes as after a start. */
const RESET_TRIES = 2

/** A timer may take longer than it took once. */
const LATE_ALLOWANCE = 1.5

export interface ScheduleRecording {
  capsuleIn?: string | undefined
  name?: string
  world?: ControlBody<'POST', '/worlds'>
  tells?: Telling
  isTraced?: true
  /** Late work, by a timer of the app's own, is waited for; the `first` time to learn how long that takes. */
  patience?: 'first' | 'patient'
  /** Goes before runs that look for something new: the sooner a finding is told, the better. */
  isUrgent?: true
}

interface Learned {
  kinds: readonly string[]
  asked: Ran['asked']
  isRenewed: boolean
  /** One with timers of its own goes on so long after it came to rest, in real milliseconds; 0 for one without. */
  lateMs: number
}

interface Learnt {
  singles: readonly Choice[]
  resetUnused?: string | undefined
}

type OwnServer = Awaited<ReturnType<typeof openServer>>

/** Close it when done. */
export class ScheduleRunner {
  readonly #options: RunnerOptions
  readonly #server: OwnServer
  readonly #waiting: Promise<Stage>[] = []
  readonly #learned: Learned = { kinds: [], asked: undefined, isRenewed: false, lateMs: 0 }

  private constructor(options: RunnerOptions, server: OwnServer) {
    this.#options = options
    this.#server = server
  }

  static async open(options: RunnerOptions): Promise<ScheduleRunner> {
    return new ScheduleRunner(options, await openServer({ worlds: 4 * options.jobs + 8, tls: options.tls }))
  }

  /** Learns from the ordinary day. `isWhole`: many runs follow, for which the app may be used again, by its `reset`. */
  async learn(ordinary: Ran, isWhole: boolean): Promise<Learnt> {
    const { payments, asked } = ordinary
    this.#learned.kinds = [...new Set(payments.map(({ kind }) => kind))]
    this.#learned.asked = asked
    if (!isWhole) return { singles: [] }
    return { resetUnused: await this.#trustReset(), singles: singlesOf(ordinary, this.#options.merchant) }
  }

  /** Runs a schedule, from the app's start to the verdict. Throws only where it is interrupted. */
  async run(choices: readonly Choice[], recording: ScheduleRecording = {}): Promise<Ran> {
    try {
      return await this.#run(choices, recording)
    } catch (error) {
      if (error instanceof AppFailed || error instanceof WorldRefused) return lostRun(choices, error.message)
      throw error
    }
  }

  async #run(
    choices: readonly Choice[],
    { capsuleIn, name = 'explored', world, isTraced, patience }: ScheduleRecording,
  ): Promise<Ran> {
    const { merchant } = this.#options
    // A finding is seen in an app that was started for it.
    const isFresh = capsuleIn !== undefined || patience !== undefined
    const stage = await (isFresh
      ? this.#open({ ...world, record: capsuleIn !== undefined || undefined })
      : this.#take(world))
    const isKept = this.#learned.isRenewed && !isFresh
    try {
      const ran = await runOnStage(stage, {
        ...this.#options,
        choices,
        // The first day is run before kinds are known: one without choices is like it, or it could not be confirmed.
        kinds: world ? undefined : choices.length === 0 ? [] : this.#learned.kinds,
        pace: this.#pace(patience),
        asked: this.#usual(choices),
        capsule: capsuleIn === undefined ? undefined : { folder: capsuleIn, name: `${merchant.name}-${name}` },
        isKept,
        ...(patience === 'first' && {
          late: (ms: number) => {
            this.#learned.lateMs = Math.max(this.#learned.lateMs, ms)
          },
        }),
      })
      if (!world) return ran
      const traces = isTraced && (await tracesOf(stage.control))
      return { ...ran, left: await leftIn(stage.control), ...(traces && { traces }) }
    } finally {
      if (isKept && stage.isUsable) this.#keep(this.#renewed(stage))
      else await stage.remove()
    }
  }

  /**
   * Has apps used again by the `reset` of the merchant file, if one that was reset goes through the ordinary day as a
   * new one does. Why it is not so, in words; undefined where it is so, or there is no `reset`.
   */
  async #trustReset(): Promise<string | undefined> {
    const { reset } = this.#options.merchant
    if (!reset) return undefined
    this.#learned.isRenewed = true
    const fresh = await this.run([])
    const [renewed] = this.#waiting
    await renewed
    const [at, failed] =
      'command' in reset
        ? [reset.command, 'did not end with 0']
        : [`${reset.method} ${reset.path}`, 'was not answered 2xx']
    if (!this.#learned.isRenewed) return `${at} ${failed}`
    // A busy machine may have had an app of several threads do things in another order, once.
    for (let i = 0; i < RESET_TRIES; i++) {
      const again = await this.run([])
      if (again.findings.length === 0 && !again.isLost && traceOf(again) === traceOf(fresh)) return undefined
    }
    this.#learned.isRenewed = false
    await this.#removeWaiting()
    return `after ${at} the ordinary day goes otherwise than after a start`
  }

  #pace(patience: ScheduleRecording['patience']): Pace {
    if (patience === 'first') return FIRST
    const pace = patience === 'patient' ? PATIENT : HASTY
    const afterStepMs = Math.max(pace.afterStepMs, this.#learned.lateMs * LATE_ALLOWANCE)
    const atLeast = (ms: number) => Math.max(ms, afterStepMs)
    return { afterStepMs, beforeBooksMs: atLeast(pace.beforeBooksMs), deafAfterMs: atLeast(pace.deafAfterMs) }
  }

  /** Money that would be asked for on such a day: an act that is done once more may ask for as much again. */
  #usual(choices: readonly Choice[]): Ran['asked'] {
    const more = choices.reduce((sum, one) => sum + (recordOf(one).moreActs?.(one) ?? 0), 0)
    return this.#learned.asked?.map((one) => ({ ...one, times: one.times * (1 + more) }))
  }

  async close(): Promise<void> {
    await this.#removeWaiting()
    await this.#server.close()
  }

  async #removeWaiting(): Promise<void> {
    const waiting = this.#waiting.splice(0)
    await Promise.all(waiting.map((one) => one.then((stage) => stage.remove()).catch(() => {})))
  }

  /** One that waits, started; or that has been used, and is as new. A `world` of its own takes one that can forget. */
  async #take(world?: ControlBody<'POST', '/worlds'>): Promise<Stage> {
    const waiting = world && !this.#learned.isRenewed ? undefined : this.#waiting.shift()
    if (world) return waiting ? this.#renewed(await waiting, world) : this.#open(world)
    const next = waiting ?? this.#open()
    const wanted = this.#learned.isRenewed ? 0 : Math.ceil(this.#options.jobs / 2)
    while (this.#waiting.length < wanted) this.#keep(this.#open())
    return next
  }

  #keep(one: Promise<Stage>): void {
    // Its taker gets the error; until then it must not count as unhandled.
    one.catch(() => {})
    this.#waiting.push(one)
  }

  #open(world: ControlBody<'POST', '/worlds'> = {}): Promise<Stage> {
    return Stage.open({ ...this.#options, server: this.#server }, { ...this.#world, ...world })
  }

  get #world(): ControlBody<'POST', '/worlds'> {
    const { seed } = this.#options
    return { ...(seed !== undefined && { seed }), clock: { mode: 'frozen', start: BEGINNING } }
  }

  async #renewed(stage: Stage, world?: ControlBody<'POST', '/worlds'>): Promise<Stage> {
    const isNew = await stage.renew({ ...this.#world, ...world }).catch(() => false)
    if (isNew) return stage
    if (!world) this.#learned.isRenewed = false
    await stage.remove()
    return this.#open(world)
  }
}
