/** Runs schedules in as many threads as there is work for: for light apps, or on many processors, one would be the limit. */

import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { isMainThread, type MessagePort, parentPort, Worker, workerData } from 'node:worker_threads'
import { errorOf, must } from '../../core/model/must.ts'
import { AppFailed } from '../app/app-process.ts'
import { WorldRefused } from '../subject/own-worlds.ts'
import type { Choice } from './choice.ts'
import type { Ran } from './run-app.ts'
import {
  type Learned,
  type RunnerOptions,
  type ScheduleRecording,
  ScheduleRunner,
  type Spent,
  sumIfKnown,
} from './schedule-runner.ts'

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

  static async open(options: RunnerOptions): Promise<ScheduleRunners> {
    const { merchant, seed, jobs, tls, readyWithinMs, restWithinMs, signal } = options
    const threads = Math.max(1, Math.min(Math.floor(jobs / RUNS_PER_THREAD), availableParallelism()))
    const shared = { merchant, seed, jobs: Math.ceil(jobs / threads), tls, readyWithinMs, restWithinMs, signal }
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

// Runs schedules in a thread of its own. This module is its program, too: as such it has work in its `workerData`.

/** The search that a thread is made for. */
interface SearchWork {
  search: { options: Omit<RunnerOptions, 'signal'>; learned: Learned }
}

type ToThread = { run: number; choices: readonly Choice[]; recording: ScheduleRecording } | 'abort' | 'close'

/** The outcome of a run. `spent`: by all runs until then. */
type FromThread =
  | 'ready'
  | { run: number; ran: Ran; spent: Spent }
  | { run: number; failed: { code: AppFailed['code'] | typeof REFUSED | undefined; message: string } }

const REFUSED = 'world_refused'

/** Close it when done. */
class SearchThread {
  readonly #worker: Worker
  readonly #signal: AbortSignal
  readonly #waiting = new Map<number, PromiseWithResolvers<Ran>>()
  #runs = 0
  #failed: unknown
  spent: Spent = { appMs: 0, waitingMs: 0 }

  private constructor(worker: Worker, signal: AbortSignal) {
    this.#worker = worker
    this.#signal = signal
    worker.on('message', (message: FromThread) => this.#hear(message))
    // An unforeseen error ends every run that waits or would, and so the search.
    worker.on('error', (error) => {
      this.#failed = error
      for (const { reject } of this.#waiting.values()) reject(error)
    })
    signal.addEventListener('abort', () => this.#tell('abort'), { once: true })
    if (signal.aborted) this.#tell('abort')
  }

  static async start({ signal, ...options }: RunnerOptions, learned: Learned): Promise<SearchThread> {
    const work: SearchWork = { search: { options, learned } }
    const worker = new Worker(new URL(import.meta.url), { workerData: work })
    await once(worker, 'message')
    return new SearchThread(worker, signal)
  }

  /** As `ScheduleRunner` does it. */
  async run(choices: readonly Choice[], recording: ScheduleRecording): Promise<Ran> {
    if (this.#failed !== undefined) throw this.#failed
    const run = ++this.#runs
    const waiting = Promise.withResolvers<Ran>()
    this.#waiting.set(run, waiting)
    this.#tell({ run, choices, recording })
    return waiting.promise
  }

  async close(): Promise<void> {
    if (this.#worker.threadId < 0) return
    const exited = once(this.#worker, 'exit')
    this.#tell('close')
    await exited
  }

  #tell(message: ToThread): void {
    this.#worker.postMessage(message)
  }

  #hear(message: FromThread): void {
    if (message === 'ready') return
    const { resolve, reject } = must(this.#waiting.get(message.run))
    this.#waiting.delete(message.run)
    if ('ran' in message) {
      this.spent = message.spent
      resolve(message.ran)
    } else if (this.#signal.aborted) reject(this.#signal.reason)
    else {
      const { code, message: text } = message.failed
      if (code === REFUSED) reject(new WorldRefused(text))
      else reject(code === undefined ? new Error(text) : new AppFailed(code, text))
    }
  }
}

async function serve({ options, learned }: SearchWork['search'], port: MessagePort): Promise<void> {
  const controller = new AbortController()
  const runner = await ScheduleRunner.open({ ...options, signal: controller.signal }, learned)
  const tell = (message: FromThread) => port.postMessage(message)
  const under = new Set<Promise<void>>()
  const run = async ({ run, choices, recording }: Exclude<ToThread, string>) => {
    try {
      const ran = await runner.run(choices, recording)
      tell({ run, ran, spent: runner.spent })
    } catch (error) {
      const code = error instanceof AppFailed ? error.code : error instanceof WorldRefused ? REFUSED : undefined
      tell({ run, failed: { code, message: error instanceof Error ? error.message : String(error) } })
    }
  }
  port.on('message', async (message: ToThread) => {
    if (message === 'abort') return controller.abort()
    if (message !== 'close') {
      const running = run(message).finally(() => under.delete(running))
      under.add(running)
      return
    }
    controller.abort()
    await Promise.all(under)
    await runner.close()
    // Ends this thread alone.
    process.exit(0)
  })
  tell('ready')
}

const { search }: Partial<SearchWork> = workerData ?? {}
if (!isMainThread && parentPort && search) await serve(search, parentPort)
