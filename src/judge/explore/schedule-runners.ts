/** Runs schedules in as many threads as there is work for: for light apps, or on many processors, one would be the limit. */
import { availableParallelism } from 'node:os'
import { errorOf } from '../../core/model/must.ts'
import type { Choice } from './choice.ts'
import {
  type Ran,
  type RunnerOptions,
  type ScheduleRecording,
  ScheduleRunner,
  type Spent,
  sumIfKnown,
} from './schedule-runner.ts'
import { SearchThread } from './search-thread.ts'

/** Runs at a time that keep one thread at work. */
const RUNS_PER_THREAD = 3
/** A search that is over sooner is not worth another thread, which loads all of mfano. */
const ALONE_RUNS = 32

/** A thread, and how many runs are under way in it. */
interface Place {
  runner: Pick<ScheduleRunner, 'run' | 'close' | 'spent'>
  running: number
}

/** Close it when done. */
export class ScheduleRunners {
  readonly #options: RunnerOptions
  readonly #own: ScheduleRunner
  readonly #places: Place[]
  readonly #threads: number
  #starting: Promise<void>[] = []
  #failed: Error | undefined
  #begun = 0

  private constructor(options: RunnerOptions, threads: number, own: ScheduleRunner) {
    this.#options = options
    this.#threads = threads
    this.#own = own
    this.#places = [{ runner: own, running: 0 }]
  }

  static async open({
    merchant,
    seed,
    jobs,
    readyWithinMs,
    restWithinMs,
    signal,
  }: RunnerOptions): Promise<ScheduleRunners> {
    const threads = Math.max(1, Math.min(Math.floor(jobs / RUNS_PER_THREAD), availableParallelism()))
    const shared = { merchant, seed, jobs: Math.ceil(jobs / threads), readyWithinMs, restWithinMs, signal }
    return new ScheduleRunners(shared, threads, await ScheduleRunner.open(shared))
  }

  /** Its result holds for every other run. */
  ordinaryDayWas({ payments, asked }: Ran): void {
    Object.assign(this.#own.learned, { kinds: [...new Set(payments.map(({ kind }) => kind))], asked })
  }

  trustReset(): Promise<string | undefined> {
    return this.#own.trustReset()
  }

  /** Runs a schedule where the fewest are under way. Throws as `ScheduleRunner.run` does. */
  async run(choices: readonly Choice[], recording: ScheduleRecording = {}): Promise<Ran> {
    if (++this.#begun > ALONE_RUNS && this.#starting.length === 0) this.#startThreads()
    if (this.#failed) throw this.#failed
    const place = this.#places.reduce((least, one) => (one.running < least.running ? one : least))
    place.running++
    try {
      return await place.runner.run(choices, recording)
    } finally {
      place.running--
    }
  }

  #startThreads(): void {
    const start = () => SearchThread.start(this.#options, this.#own.learned)
    this.#starting = Array.from({ length: this.#threads - 1 }, () =>
      start().then(
        (runner) => {
          this.#places.push({ runner, running: 0 })
        },
        (error) => {
          this.#failed = errorOf(error)
        },
      ),
    )
  }

  get spent(): Spent {
    const all = this.#places.map(({ runner }) => runner.spent)
    return {
      appMs: sumIfKnown(...all.map(({ appMs }) => appMs)),
      waitingMs: all.reduce((sum, { waitingMs }) => sum + waitingMs, 0),
    }
  }

  /** Ends every app, and every mfano. */
  async close(): Promise<void> {
    await Promise.all(this.#starting)
    await Promise.all(this.#places.map(({ runner }) => runner.close()))
  }
}
