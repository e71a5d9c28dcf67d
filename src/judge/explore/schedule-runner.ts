/** Where schedules are run: a mfano with a gate, and apps that are started while others still run. */
import { type Control, type ControlBody, controlOf } from '../../client/control.ts'
import { keepCapsule } from '../../hosts/node/keep-capsule.ts'
import { silentLog } from '../../hosts/node/log/log.ts'
import { settingsOf } from '../../hosts/node/settings.ts'
import { type RunningSimulator, startSimulator } from '../../hosts/node/simulator.ts'
import type { World } from '../../world/world.ts'
import { AppFailed, AppProcess } from '../app-process.ts'
import { BooksUnreadable } from '../fetch-books.ts'
import type { Outcome } from '../gauntlet.ts'
import { judgeBooks } from '../judge-books.ts'
import type { Merchant } from '../merchant-file.ts'
import { NeverQuiet } from '../restless.ts'
import { booksOf } from '../run-merchant.ts'
import type { Choice } from './choice.ts'
import { Crossing } from './crossing.ts'
import { execute, type Pace } from './execute.ts'
import { type Happened, Lane, type PaymentMet } from './lane.ts'
import { scenarioOf } from './scenario-of.ts'
import { noteSchedule } from './schedule-note.ts'

/** Every world begins then, so that a run is the same every day. */
const BEGINNING = '2025-01-24T16:28:00'

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

/** What a timer took once, it may take longer. */
const LATE_ALLOWANCE = 1.5

/** A run that leaves a capsule in a folder, under a name. */
export interface Recording {
  capsuleIn?: string | undefined
  name?: string
  /** Shown the world once the app has ended. */
  inspect?: (world: World) => void
  /** What an app does late, by a timer of its own, is waited for; the `first` time to learn how long that takes. */
  patience?: 'first' | 'patient'
}

/** What a run came to. */
export interface Ran extends Outcome {
  choices: readonly Choice[]
  happened: readonly Happened[]
  payments: readonly PaymentMet[]
  requests: Lane['requests']
  told: readonly PaymentMet[]
  /** The payment that a finding is about, where it is about one of the world's. */
  about(requestId: string | undefined): PaymentMet | undefined
}

/** An app that has started in a world of its own. */
interface Ready {
  app: AppProcess
  lane: Lane
  control: Control
  world(): World
  restartService(): Promise<void>
  remove(): Promise<void>
}

/** Close it when done. */
export class ScheduleRunner {
  readonly #options: RunnerOptions
  readonly #simulator: RunningSimulator
  readonly #crossing: Crossing
  readonly #ready: Promise<Ready>[] = []
  /** Kinds of payment that the app was seen to ask for. */
  kinds: readonly string[] = []
  /** What it asked for on the ordinary day. */
  asked: Ran['asked']
  /** An app with timers of its own goes on so long after it came to rest, in real milliseconds; 0 for one without. */
  #lateMs = 0

  private constructor(options: RunnerOptions, simulator: RunningSimulator, crossing: Crossing) {
    this.#options = options
    this.#simulator = simulator
    this.#crossing = crossing
  }

  static async open(options: RunnerOptions): Promise<ScheduleRunner> {
    const crossing = new Crossing()
    const settings = settingsOf({ port: '0', data: ':memory:', log: 'off' })
    const simulator = await startSimulator({ ...settings, openWorlds: 4 * options.jobs + 8 }, silentLog, {
      gate: crossing,
    })
    return new ScheduleRunner(options, simulator, crossing)
  }

  /** Runs a schedule, from the app's start to the verdict. Only an interruption, or an app that does not start, throws. */
  async run(
    choices: readonly Choice[],
    { capsuleIn, name = 'explored', patience, inspect }: Recording = {},
  ): Promise<Ran> {
    const { merchant, signal, readyWithinMs, restWithinMs } = this.#options
    const ready = capsuleIn === undefined ? await this.#take() : await this.#prepare(true)
    const { app, lane, control, remove, restartService } = ready
    const ran = (outcome: Outcome): Ran => ({
      ...outcome,
      choices,
      happened: lane.happened,
      payments: lane.payments,
      requests: lane.requests,
      told: lane.told,
      about: (requestId) => lane.paymentOf(requestId),
    })
    try {
      lane.begin(choices)
      const scenario = scenarioOf(choices, this.kinds)
      if (capsuleIn !== undefined) await noteSchedule(control, { explored: [...choices], kinds: [...this.kinds] })
      await control('PUT', '/scenario', { body: scenario })
      const restless: Outcome['findings'] = []
      try {
        const pace = this.#pace(patience)
        const late = (ms: number) => {
          this.#lateMs = Math.max(this.#lateMs, ms)
        }
        const run = {
          ...(patience === 'first' && { late }),
          merchant,
          app,
          lane,
          control,
          signal,
          patienceMs: restWithinMs,
          readyWithinMs,
          pace,
          restartService,
        }
        await execute(run, choices)
      } catch (error) {
        if (!(error instanceof NeverQuiet)) throw error
        restless.push({ code: 'never_quiet', text: error.message, requests: [] })
      }
      const books = await booksOf(app, merchant, signal)
      await app.stop()
      inspect?.(ready.world())
      const outcome = await judgeBooks({ control, asked: this.#usual(choices) }, books)
      const capsule =
        capsuleIn && (await keepCapsule(() => control.open('GET', '/capsule'), `${merchant.name}-${name}`, capsuleIn))
      const findings = [...restless, ...outcome.findings]
      return ran({ ...outcome, findings: findings.map((one) => ({ ...one, ...(capsule && { capsule }) })) })
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof AppFailed)
        return ran({ findings: [{ code: error.code, text: error.message, requests: [] }], warnings: [] })
      if (error instanceof BooksUnreadable) return ran({ findings: [], warnings: [], unjudged: error.message })
      throw error
    } finally {
      await remove()
    }
  }

  #pace(patience: Recording['patience']): Pace {
    if (patience === 'first') return FIRST
    const pace = patience === 'patient' ? PATIENT : HASTY
    const afterStepMs = Math.max(pace.afterStepMs, this.#lateMs * LATE_ALLOWANCE)
    const atLeast = (ms: number) => Math.max(ms, afterStepMs)
    return { afterStepMs, beforeBooksMs: atLeast(pace.beforeBooksMs), deafAfterMs: atLeast(pace.deafAfterMs) }
  }

  /** What would be asked for on such a day: whoever does an act once more may ask for as much again. */
  #usual(choices: readonly Choice[]): Ran['asked'] {
    const more = choices.filter((one) => one.do === 'act' || (one.do === 'beside' && one.act !== undefined)).length
    return this.asked?.map((one) => ({ ...one, times: one.times * (1 + more) }))
  }

  /** Ends every app, and the mfano. */
  async close(): Promise<void> {
    await Promise.all(this.#ready.map((one) => one.then(({ remove }) => remove()).catch(() => {})))
    await this.#simulator.close()
  }

  #take(): Promise<Ready> {
    const next = this.#ready.shift() ?? this.#prepare()
    while (this.#ready.length < Math.ceil(this.#options.jobs / 2)) {
      const one = this.#prepare()
      // Who takes it learns of it.
      one.catch(() => {})
      this.#ready.push(one)
    }
    return next
  }

  async #prepare(record = false): Promise<Ready> {
    const { merchant, seed, readyWithinMs, signal } = this.#options
    signal.throwIfAborted()
    const { baseUrl: url, fetch } = this.#simulator
    const server = controlOf(url, { fetch })
    const asked = { seed, record: record || undefined, clock: { mode: 'frozen', start: BEGINNING } } as ControlBody<
      'POST',
      '/worlds'
    >
    const { id, baseUrl, credentials } = await server('POST', '/worlds', { body: asked })
    const lane = new Lane()
    const world = () => this.#simulator.worlds.get(id)
    lane.follow(world())
    this.#crossing.serve(id, lane)
    const clear = async () => {
      this.#crossing.close(lane)
      await server('DELETE', '/worlds/:id', { path: { id } }).catch(() => {})
    }
    try {
      const app = await AppProcess.start(merchant, { baseUrl, credentials }, { withinMs: readyWithinMs, signal })
      this.#crossing.listen(new URL(app.url).port, lane)
      const remove = async () => {
        await app.stop()
        await clear()
      }
      const restartService = async () => {
        lane.happened.push({ what: 'service-restart' })
        const stored = await server.open('GET', '/worlds/:id/file', { path: { id } })
        await server('PUT', '/worlds/:id/file', { path: { id }, body: stored.body as ReadableStream })
        lane.follow(world())
      }
      return { app, lane, control: controlOf(baseUrl, { fetch }), remove, restartService, world }
    } catch (error) {
      await clear()
      throw error
    }
  }
}
