import { wallNowMs } from '../../hosts/node/wall.ts'
import { behavioursOf, traceOf } from './behaviours.ts'
import type { KnownSchedule } from './choice.ts'
import { Engine, type EngineOptions, TOO_LATE } from './engine.ts'
import type { Ran } from './run-app.ts'
import { Schedules } from './schedules.ts'
import { type RunnerOptions, type SubjectRuns, type TimedRun, withRuns } from './subject-runs.ts'

export interface ExplorerOptions extends RunnerOptions, Pick<EngineOptions, 'found'> {
  seed: number
  /** Real milliseconds for all of it: the search, the shrinking of what it finds, and runs that confirm it. */
  withinMs: number
  schedules?: number | undefined
  /** With so many findings there is enough to do. */
  findingsMax: number
  /** Schedules to run before any other: those of earlier findings. */
  replay: readonly FoundEarlier[]
  capsules?: string | undefined
  onlyReplay?: boolean
  replayed?(one: Replayed): void
}

export interface FoundEarlier extends KnownSchedule {
  name: string
}

/** `back`: its schedule shows it again. `gone`: it does not. `unjudged`: the app could not be judged under it. */
export interface Replayed {
  name: string
  code: string
  verdict: 'back' | 'gone' | 'unjudged'
}

export type Explored = ReturnType<Search['explored']>

/** Runs schedules until there is no time left; what was found so far when it is interrupted. */
export async function runExplorer(options: ExplorerOptions): Promise<Explored> {
  const { withinMs, onlyReplay } = options
  const signal = onlyReplay ? options.signal : AbortSignal.any([options.signal, AbortSignal.timeout(withinMs)])
  const enough = new AbortController()
  // The second ends runs that are not needed any more.
  return withRuns({ ...options, signal: AbortSignal.any([signal, enough.signal]) }, async (runs) => {
    const search = new Search(options, runs, signal)
    await search.run(() => enough.abort())
    return search.explored()
  })
}

class Search {
  readonly #options: ExplorerOptions
  readonly #engine: Engine
  readonly #beganMs = wallNowMs()
  readonly #replayed: Replayed[] = []
  readonly #traces = new Set<string>()
  readonly #behaviours = new Set<string>()
  #begun = 0
  #run = 0
  #unjudged: string | undefined = TOO_LATE
  #resetUnused: string | undefined

  /** `signal`: ends with the time, too. */
  constructor(options: ExplorerOptions, runs: SubjectRuns, signal: AbortSignal) {
    this.#options = options
    const repeated = (one: Ran) => this.#count(one, true)
    this.#engine = new Engine({ ...options, capsules: options.capsules, runs, signal, repeated })
  }

  async run(ended: () => void): Promise<void> {
    const { merchant, seed, replay, onlyReplay } = this.#options
    const { first, base } = await this.#engine.ordinaryDay()
    if (!first) return
    this.#count(first, true)
    this.#unjudged = first.unjudged
    if (!base) return
    const learnt = await this.#engine.learn(base, !onlyReplay)
    this.#resetUnused = learnt?.resetUnused
    for (const one of replay) await this.#replay(one)
    if (!onlyReplay) await this.#draw(new Schedules(base, merchant, seed), ended)
  }

  async #draw(schedules: Schedules, ended: () => void): Promise<void> {
    const { schedules: most = Number.POSITIVE_INFINITY } = this.#options
    const engine = this.#engine
    const next = () => {
      const choices = this.#begun < most ? schedules.next() : undefined
      if (choices) this.#begun++
      return choices
    }
    const judged = async (ran: TimedRun) => {
      if (ran.isLost) {
        this.#unjudged = ran.unjudged
        return false
      }
      this.#count(ran)
      schedules.learn(ran)
      for (const { verdict, found } of await engine.judge(ran))
        if (found && verdict === 'certain') schedules.spare(found.choices)
      return true
    }
    await engine.inTurn(next, judged, ended)
  }

  explored() {
    const { merchant, signal } = this.#options
    const unjudged = signal.aborted && this.#unjudged === TOO_LATE ? undefined : this.#unjudged
    return {
      ...{ merchant: merchant.name, ...this.#engine.lists, replayed: this.#replayed },
      ...(unjudged !== undefined && { unjudged }),
      /** Why the app is started for every schedule although its file has a `reset`. */
      ...(this.#resetUnused !== undefined && { resetUnused: this.#resetUnused }),
      schedules: { run: this.#run, distinct: this.#traces.size, behaviours: this.#behaviours.size },
      tookMs: wallNowMs() - this.#beganMs,
      interrupted: signal.aborted,
    }
  }

  /** `isNew`: it was not counted when it began. */
  #count(ran: Ran, isNew = false): void {
    if (isNew) this.#begun++
    this.#run++
    this.#traces.add(traceOf(ran))
    for (const behaviour of behavioursOf(ran)) this.#behaviours.add(behaviour)
  }

  async #replay({ name, code, choices }: FoundEarlier): Promise<void> {
    const ran = await this.#engine.run(choices, { isUrgent: true })
    if (!ran) return
    this.#count(ran, true)
    await this.#engine.judge(ran, code)
    if (this.#options.signal.aborted) return
    const isShown = ran.findings.some((one) => one.code === code)
    const one: Replayed = { name, code, verdict: isShown ? 'back' : ran.unjudged === undefined ? 'gone' : 'unjudged' }
    this.#replayed.push(one)
    this.#options.replayed?.(one)
  }
}
