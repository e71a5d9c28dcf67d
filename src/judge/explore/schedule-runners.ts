/** Runs schedules in as many threads as there is work for: for light apps, or on many processors, one would be the limit. */

import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { isMainThread, MessageChannel, type MessagePort, parentPort, Worker, workerData } from 'node:worker_threads'
import { errorOf } from '../../core/model/must.ts'
import { unlessAborted } from '../subject/own-worlds.ts'
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
import { singlesOf } from './schedules.ts'

/** Runs at a time that keep one thread at work. */
const RUNS_PER_THREAD = 3
/** A search that is over sooner is not worth another thread, which loads all of mfano. */
const ALONE_RUNS = 32

/** A thread, and how many runs are under way in it. */
interface Place {
  runner: Pick<ScheduleRunner, 'run' | 'close' | 'spent'>
  running: number
}

interface Learnt {
  /** Single choices to try, where they are asked for; none for a suite. */
  singles: readonly Choice[]
  /** Why the app is started for every run although its file has a `reset`. */
  resetUnused?: string | undefined
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

  /** Learns from the ordinary day. `isWhole`: many runs follow, for which the app may be used again, by its `reset`. */
  async learn(ordinary: Ran, isWhole: boolean): Promise<Learnt> {
    const { payments, asked } = ordinary
    Object.assign(this.#own.learned, { kinds: [...new Set(payments.map(({ kind }) => kind))], asked })
    if (!isWhole) return { singles: [] }
    return { resetUnused: await this.#own.trustReset(), singles: singlesOf(ordinary, this.#options.merchant) }
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

/** A run, and where its outcome is sent; without an outcome where it was interrupted. */
interface RunWanted {
  choices: readonly Choice[]
  recording: ScheduleRecording
  port: MessagePort
}

/** `spent`: by all runs until then. */
interface RunEnded {
  ran: Ran
  spent: Spent
}

/** Close it when done. */
class SearchThread {
  readonly #worker: Worker
  readonly #signal: AbortSignal
  #failed: unknown
  spent: Spent = { appMs: 0, waitingMs: 0 }

  private constructor(worker: Worker, signal: AbortSignal) {
    this.#worker = worker
    this.#signal = signal
    worker.on('error', (error) => {
      this.#failed = error
    })
    signal.addEventListener('abort', () => worker.postMessage('abort'), { once: true })
    if (signal.aborted) worker.postMessage('abort')
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
    const { port1, port2 } = new MessageChannel()
    const wanted: RunWanted = { choices, recording, port: port2 }
    const ended = Promise.race([once(port1, 'message'), once(port1, 'close').then(() => [])])
    this.#worker.postMessage(wanted, [port2])
    const [answer]: (RunEnded | undefined)[] = await ended
    port1.close()
    this.#signal.throwIfAborted()
    // A thread that ends by an unforeseen error ends every run in it, and so the search.
    if (!answer) throw this.#failed ?? new Error('A thread of the search ended.')
    this.spent = answer.spent
    return answer.ran
  }

  async close(): Promise<void> {
    if (this.#worker.threadId < 0) return
    const exited = once(this.#worker, 'exit')
    this.#worker.postMessage('close')
    await exited
  }
}

async function serve({ options, learned }: SearchWork['search'], parent: MessagePort): Promise<void> {
  const controller = new AbortController()
  const { signal } = controller
  const runner = await ScheduleRunner.open({ ...options, signal }, learned)
  const under = new Set<Promise<void>>()
  const run = async ({ choices, recording, port }: RunWanted) => {
    const ran = await unlessAborted(signal, () => runner.run(choices, recording))
    if (ran) port.postMessage({ ran, spent: runner.spent } satisfies RunEnded)
    port.close()
  }
  parent.on('message', async (message: RunWanted | 'abort' | 'close') => {
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
  parent.postMessage('ready')
}

const { search }: Partial<SearchWork> = workerData ?? {}
if (!isMainThread && parentPort && search) await serve(search, parentPort)
