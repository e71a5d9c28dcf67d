/** Searches for the order of events that makes an app's books wrong. */
import { must } from '../../core/model/must.ts'
import { wallNowMs } from '../../hosts/node/wall.ts'
import type { AppFinding } from '../subject/outcome.ts'
import { Turns } from '../subject/own-worlds.ts'
import { behavioursOf, traceOf } from './behaviours.ts'
import { type Choice, choiceSort, type KnownSchedule } from './choice.ts'
import { confirm } from './confirm.ts'
import type { Ran } from './run-app.ts'
import type { RunnerOptions, ScheduleRecording, Spent } from './schedule-runner.ts'
import { ScheduleRunners } from './schedule-runners.ts'
import { Schedules } from './schedules.ts'
import { shrink } from './shrink.ts'

/**
 * When a schedule is drawn, what all showed but the last so many counts: always as many, so that a seed is worth the same
 * everywhere. More than a machine runs at a time, so that none waits for another.
 */
const AHEAD = 24
/** Runs that are tried beside each other to shrink a schedule: always as many, for the same reason. */
const SHRINKING = 6
const TOO_LATE = 'its time was over before the ordinary day had been judged. Give it more, with --within 2m'

export interface ExplorerOptions extends RunnerOptions {
  seed: number
  /** Real milliseconds for all of it: the search, the shrinking of what it finds, and runs that confirm it. */
  withinMs: number
  /** The most schedules; undefined where time is the only limit. */
  schedules?: number | undefined
  /** With so many findings there is enough to do. */
  findingsMax: number
  /** Schedules to run before any other: those of earlier findings. */
  replay: readonly FoundEarlier[]
  /** Each finding leaves a capsule in this folder. */
  capsules?: string | undefined
  /** Only those that are replayed. */
  onlyReplay?: boolean
  /** Told of each finding once it is certain. */
  found?(finding: ExploreFinding): void
  /** Told of each run as it ends. */
  ran?(ran: Ran): void
  /** Told of each schedule of earlier findings once it has run. */
  replayed?(one: Replayed): void
}

/** A finding that was found once, by the name of its file. */
export interface FoundEarlier extends KnownSchedule {
  name: string
}

/** `back`: its schedule shows it again. `gone`: it does not. `unjudged`: the app could not be judged under it. */
export interface Replayed {
  name: string
  code: string
  verdict: 'back' | 'gone' | 'unjudged'
}

/** A finding with the fewest choices that lead to it. */
export interface ExploreFinding extends AppFinding {
  choices: readonly Choice[]
  /** The run that shows it. */
  ran: Ran
}

export interface Explored {
  merchant: string
  findings: ExploreFinding[]
  /** Seen, and not each time under the same schedule. */
  unstable: UnstableFinding[]
  /** Seen each time the books were read at once, and never when the app was given more time: no findings. */
  tooSoon: ExploreFinding[]
  /** Seen, and not yet shrunk nor seen again when it was interrupted, or its time was over. */
  unshrunk: ExploreFinding[]
  /** The fate of earlier findings. */
  replayed: Replayed[]
  /** Why the app could not be judged at all. */
  unjudged?: string
  /** Why the app is started for every schedule although its file has a `reset`. */
  resetUnused?: string
  /** Runs, runs that came to something of their own, and behaviours of the app that were seen. */
  schedules: { run: number; distinct: number; behaviours: number }
  tookMs: number
  /** Where the time went, in milliseconds; `mfanoMs`: processor time of this process. */
  spent: Spent & { mfanoMs: number }
  interrupted: boolean
}

/** A finding that its schedule did not show each time. */
export interface UnstableFinding extends ExploreFinding {
  /** A run of the same schedule that did not show it. */
  without: Ran
}

/** Runs schedules until there is no time left; what was found so far when it is interrupted. */
export async function runExplorer(options: ExplorerOptions): Promise<Explored> {
  const { withinMs, onlyReplay } = options
  const signal = onlyReplay ? options.signal : AbortSignal.any([options.signal, AbortSignal.timeout(withinMs)])
  const runner = await ScheduleRunners.open({ ...options, signal })
  const search = new Search(options, runner, signal)
  try {
    await search.run()
  } catch (error) {
    if (!signal.aborted) throw error
  } finally {
    await runner.close()
  }
  return search.explored()
}

class Search {
  readonly #options: ExplorerOptions
  readonly #runner: ScheduleRunners
  readonly #signal: AbortSignal
  readonly #beganMs = wallNowMs()
  readonly #began = process.cpuUsage()
  readonly #findings: ExploreFinding[] = []
  readonly #unstable: UnstableFinding[] = []
  readonly #tooSoon: ExploreFinding[] = []
  /** The fewest choices so far that showed a code, of what is being shrunk. */
  readonly #fewest = new Map<string, Ran>()
  /** Runs that were seen to their end, and not yet judged. */
  readonly #toJudge = new Set<Ran>()
  readonly #replayed: Replayed[] = []
  readonly #traces = new Set<string>()
  readonly #behaviours = new Set<string>()
  readonly #turns: Turns
  #schedules: Schedules | undefined
  #begun = 0
  #run = 0
  #unjudged: string | undefined
  /** The ordinary day was judged, which is the least that a verdict takes. */
  #isBegun = false
  #resetUnused: string | undefined

  /** `signal`: ends with the time, too. */
  constructor(options: ExplorerOptions, runner: ScheduleRunners, signal: AbortSignal) {
    this.#options = options
    this.#runner = runner
    this.#signal = signal
    this.#turns = new Turns(options.jobs)
  }

  async run(): Promise<void> {
    const { merchant, seed, replay, onlyReplay } = this.#options
    const first = await this.#execute([], { patience: 'first' })
    this.#runner.ordinaryDayWas(first)
    await this.#judge(first)
    this.#isBegun = true
    // A mistake on an ordinary day comes on every other.
    if (first.unjudged !== undefined || this.#findings.length > 0) {
      this.#unjudged = first.unjudged
      return
    }
    // An app that died at once, one time, has shown nothing that could be varied.
    const base = this.#unstable.at(-1)?.without ?? first
    this.#runner.ordinaryDayWas(base)
    if (!onlyReplay) this.#resetUnused = await this.#runner.trustReset()
    for (const one of replay) await this.#replay(one)
    if (onlyReplay) return
    this.#schedules = new Schedules(base, merchant, seed)
    await this.#draw(this.#schedules)
  }

  /** Runs schedules beside each other, and judges them in the order in which they were drawn. */
  async #draw(schedules: Schedules): Promise<void> {
    const { schedules: most = Number.POSITIVE_INFINITY } = this.#options
    const ahead: Promise<Ran | undefined>[] = []
    try {
      while (!this.#isEnough) {
        while (ahead.length < AHEAD && this.#begun < most) {
          const choices = schedules.next()
          if (!choices) break
          this.#begun++
          const running = this.#turns.take(() => this.#runAhead(choices))
          // The waiting run learns of it.
          running.catch(() => {})
          ahead.push(running)
        }
        const next = ahead.shift()
        if (!next) return
        const ran = await next
        if (!ran) return
        this.#count(ran)
        schedules.learn(ran)
        // The sooner a finding is told, the better.
        await this.#turns.hold(() => this.#judge(ran))
      }
    } finally {
      await Promise.allSettled(ahead)
    }
  }

  /** Undefined where it is not needed any more. */
  async #runAhead(choices: readonly Choice[]): Promise<Ran | undefined> {
    if (this.#isEnough) return undefined
    const ran = await this.#runner.run(choices)
    this.#toJudge.add(ran)
    this.#options.ran?.(ran)
    return ran
  }

  explored(): Explored {
    const isLate = !this.#isBegun && !this.#options.signal.aborted
    const unjudged = this.#unjudged ?? (isLate ? TOO_LATE : undefined)
    return {
      merchant: this.#options.merchant.name,
      findings: this.#findings,
      unstable: this.#unstable,
      tooSoon: this.#tooSoon,
      unshrunk: this.#unshrunk,
      replayed: this.#replayed,
      ...(unjudged !== undefined && { unjudged }),
      ...(this.#resetUnused !== undefined && { resetUnused: this.#resetUnused }),
      schedules: { run: this.#run, distinct: this.#traces.size, behaviours: this.#behaviours.size },
      tookMs: wallNowMs() - this.#beganMs,
      spent: { ...this.#runner.spent, mfanoMs: this.#processorMs },
      interrupted: this.#options.signal.aborted,
    }
  }

  get #processorMs(): number {
    const { user, system } = process.cpuUsage(this.#began)
    return Math.round((user + system) / 1000)
  }

  get #isEnough(): boolean {
    return this.#signal.aborted || this.#findings.length >= this.#options.findingsMax
  }

  /** Findings of runs that were not judged in time: one of each code, with the fewest choices. */
  get #unshrunk(): ExploreFinding[] {
    if (!this.#signal.aborted) return []
    const first = new Map<string, ExploreFinding>()
    for (const ran of [...this.#fewest.values(), ...this.#toJudge])
      for (const finding of ran.findings)
        if (!first.has(finding.code) && !this.#isExplained(finding.code, ran.choices))
          first.set(finding.code, { ...finding, choices: ran.choices, ran })
    return [...first.values()]
  }

  async #execute(choices: readonly Choice[], recording: ScheduleRecording = {}): Promise<Ran> {
    this.#begun++
    const ran = await this.#turns.take(() => this.#runner.run(choices, recording), { first: true })
    this.#count(ran)
    this.#options.ran?.(ran)
    return ran
  }

  #count(ran: Ran): void {
    this.#run++
    this.#traces.add(traceOf(ran))
    for (const behaviour of behavioursOf(ran)) this.#behaviours.add(behaviour)
  }

  async #replay({ name, code, choices }: FoundEarlier): Promise<void> {
    const ran = await this.#execute(choices)
    await this.#judge(ran, code)
    const isShown = ran.findings.some((one) => one.code === code)
    const one: Replayed = { name, code, verdict: isShown ? 'back' : ran.unjudged === undefined ? 'gone' : 'unjudged' }
    this.#replayed.push(one)
    this.#options.replayed?.(one)
  }

  /** Every sort of finding of a run, shrunk and seen again; where it shows the `known` one, only that. */
  async #judge(ran: Ran, known?: string): Promise<void> {
    this.#toJudge.add(ran)
    const shown = new Set(ran.findings.map((one) => one.code))
    for (const code of known !== undefined && shown.has(known) ? [known] : shown) {
      if (this.#isExplained(code, ran.choices) || this.#findings.length >= this.#options.findingsMax) continue
      await this.#shrinkAndNote(ran, code)
    }
    this.#toJudge.delete(ran)
  }

  async #shrinkAndNote(ran: Ran, code: string): Promise<void> {
    const finding = ran.findings.find((one) => one.code === code)
    const shows = async (choices: readonly Choice[]) => {
      const again = await this.#execute(choices)
      const isShown = again.findings.some((one) => one.code === code)
      if (isShown && choices.length < (this.#fewest.get(code) ?? ran).choices.length) this.#fewest.set(code, again)
      return isShown
    }
    const about = ran.about.get(finding?.requestId ?? '')
    const choices = ran.choices.length === 0 ? [] : await shrink(ran.choices, shows, { jobs: SHRINKING, about })
    const { capsules } = this.#options
    const run = (recording: ScheduleRecording) => this.#execute(choices, recording)
    // The ordinary day was patient from the beginning.
    const [confirmed] = await confirm([code], run, { name: code, capsules, isHasty: choices.length > 0 })
    this.#fewest.delete(code)
    const { verdict, shown = ran, without } = must(confirmed)
    if (verdict === 'too-soon') {
      if (finding) this.#tooSoon.push({ ...finding, choices, ran })
    } else this.#note(code, choices, shown, without)
  }

  /** `without`: a run of that schedule which does not show it. */
  #note(code: string, choices: readonly Choice[], ran: Ran, without: Ran | undefined): void {
    const found = ran.findings.find((one) => one.code === code)
    if (!found) return
    const finding = { ...found, choices, ran }
    const isKnown = (known: readonly ExploreFinding[]) =>
      known.some((one) => one.code === code && sorts(one.choices) === sorts(choices))
    if (without) {
      if (!isKnown(this.#unstable)) this.#unstable.push({ ...finding, without })
      return
    }
    this.#schedules?.spare(choices)
    if (isKnown(this.#findings)) return
    this.#findings.push(finding)
    this.#options.found?.(finding)
  }

  /** A run that made the choices of a finding shows nothing new by showing it too. */
  #isExplained(code: string, choices: readonly Choice[]): boolean {
    const made = new Set(choices.map(choiceSort))
    return this.#findings.some(
      (one) => one.code === code && one.choices.every((choice) => made.has(choiceSort(choice))),
    )
  }
}

function sorts(choices: readonly Choice[]): string {
  return choices.map(choiceSort).sort().join(', ')
}
