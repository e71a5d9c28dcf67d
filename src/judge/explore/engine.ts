/** The engine of every judge: runs a subject under choices, shrinks what a run shows, and repeats it before it counts. */
import type { AppFinding } from '../subject/outcome.ts'
import { unlessAborted } from '../subject/own-worlds.ts'
import { type Choice, choiceSort, keyOf } from './choice.ts'
import type { Ran } from './run-app.ts'
import { shrink } from './shrink.ts'
import type { ScheduleRecording, SubjectRuns, TimedRun } from './subject-runs.ts'
import { nameOfChoices } from './tell.ts'

/** A finding counts when the same shows it again so often. */
export const AGAIN = 3
export const TOO_LATE = 'its time was over before the ordinary day had been judged. Give it more, with --within 5m'
/** Runs that are made ahead of the one that is judged. More than a machine runs at a time, so that none waits for another. */
const AHEAD = 24
/** Runs that are tried beside each other to shrink a schedule: always as many, so that a seed is worth the same everywhere. */
const SHRINKING = 6
/** Runs more, where chance may have shown it: of many findings that come and go, some come three times. */
const MORE_RUNS = 6

export interface Found extends AppFinding {
  choices: readonly Choice[]
  ran: Ran
  alike: readonly AppFinding[]
  without?: Ran
}

export interface FoundLists {
  findings: readonly Found[]
  /** Seen, and not each time under the same choices. */
  unstable: readonly Found[]
  /** Seen each time the books were read at once, and never when the app was given more time: no findings. */
  tooSoon: readonly Found[]
  /** Seen in runs that were not judged in time: one of each code, with the fewest choices. */
  unconfirmed: readonly Found[]
}

/**
 * `certain`: seen each time. `unstable`: not each time. `too-soon`: seen each time the books were read at once, and never
 * later, so no finding.
 */
type Confirmed = 'certain' | 'unstable' | 'too-soon'

interface Judged {
  code: string
  verdict: Confirmed | 'explained' | 'unconfirmed'
  found?: Found
}

export interface EngineOptions {
  runs: SubjectRuns
  /** Aborted by the caller, or when the time is over. */
  signal: AbortSignal
  capsules: string | undefined
  /** With so many findings there is enough to do. */
  findingsMax?: number
  /** How every run is made, unless it is told otherwise. */
  recording?: ScheduleRecording
  found?(finding: Found): void
  repeated?(ran: Ran): void
}

export class Engine {
  readonly #options: EngineOptions
  readonly #confirmed: Record<Confirmed, Found[]> = { certain: [], unstable: [], 'too-soon': [] }
  readonly #interrupted: Found[] = []
  readonly #toJudge = new Set<Ran>()
  /** The fewest choices so far that showed a code, of what is being shrunk. */
  readonly #fewest = new Map<string, Ran>()
  readonly #clean = new Set<string>()
  readonly #patient = new WeakSet<Ran>()
  readonly #doubted = new Set<Found>()

  constructor(options: EngineOptions) {
    this.#options = options
  }

  get findings(): readonly Found[] {
    return this.#confirmed.certain
  }

  get lists(): FoundLists {
    const { certain, unstable, 'too-soon': tooSoon } = this.#confirmed
    return { findings: certain, unstable, tooSoon, unconfirmed: this.#unconfirmed() }
  }

  get isEnough(): boolean {
    const { signal, findingsMax = Number.POSITIVE_INFINITY } = this.#options
    return signal.aborted || this.findings.length >= findingsMax
  }

  #unconfirmed(): Found[] {
    if (!this.#options.signal.aborted) return []
    const first = new Map(this.#interrupted.map((one) => [one.code, one]))
    for (const ran of [...this.#fewest.values(), ...this.#toJudge])
      for (const { code } of ran.findings) {
        const found = foundIn(ran, code, ran.choices)
        if (found && !first.has(code) && !this.#explaining(code, ran.choices)) first.set(code, found)
      }
    return [...first.values()]
  }

  async run(choices: readonly Choice[], recording: ScheduleRecording = {}): Promise<TimedRun | undefined> {
    const ran = await unlessAborted(this.#options.signal, () => this.#run(choices, recording))
    if (!ran) return undefined
    if (ran.findings.length > 0) this.#toJudge.add(ran)
    else this.#clean.add(keyOf(choices))
    return ran
  }

  /**
   * The ordinary day, judged. `base`: a run of it that shows what could be varied. A mistake of that day comes on every
   * other, and an app that died at once, one time, has shown nothing.
   */
  async ordinaryDay(): Promise<{ first: TimedRun | undefined; base: Ran | undefined }> {
    const first = await this.run([], { patience: 'first', isUrgent: true })
    if (!first) return { first, base: undefined }
    await this.learn(first, false)
    await this.judge(first)
    const isUsable = first.unjudged === undefined && this.findings.length === 0
    return { first, base: isUsable ? (this.#confirmed.unstable.at(-1)?.without ?? first) : undefined }
  }

  /** Learns from the ordinary day; `isWhole`: many runs follow. Undefined where it is aborted. */
  learn(ordinary: Ran, isWhole: boolean): Promise<Awaited<ReturnType<SubjectRuns['learn']>> | undefined> {
    const { runs, signal } = this.#options
    return unlessAborted(signal, () => runs.learn(ordinary, isWhole))
  }

  /**
   * Runs what `next` gives, always as far ahead, so that a seed is worth the same everywhere. `judged` has each in its
   * order, and says whether to go on; `ended` is called before the rest of the runs is waited for.
   */
  async inTurn(
    next: () => readonly Choice[] | undefined,
    judged: (ran: TimedRun) => Promise<boolean>,
    ended = () => {},
  ): Promise<void> {
    const ahead: Promise<TimedRun | undefined>[] = []
    try {
      for (let goesOn = true; goesOn && !this.isEnough; ) {
        while (ahead.length < AHEAD) {
          const choices = next()
          if (!choices) break
          const running = this.run(choices)
          // The loop below gets the error; until then it must not count as unhandled.
          running.catch(() => {})
          ahead.push(running)
        }
        const ran = await ahead.shift()
        // The sooner a finding is told, the better.
        goesOn = ran !== undefined && (await this.#options.runs.hold(() => judged(ran)))
      }
    } finally {
      ended()
      await Promise.allSettled(ahead)
    }
  }

  /** Shrinks and repeats every sort of finding of a run; where it shows the `known` one, only that. */
  async judge(ran: Ran, known?: string): Promise<Judged[]> {
    const shown = [...new Set(ran.findings.map(({ code }) => code))]
    const codes = known !== undefined && shown.includes(known) ? [known] : shown
    const judged: Judged[] = []
    // A run of one choice cannot be shrunk: it is repeated for all its codes at once.
    for (const group of ran.choices.length > 1 ? codes.map((code) => [code]) : [codes]) {
      const fresh: string[] = []
      for (const code of group) {
        const found = this.#explaining(code, ran.choices)
        if (found) judged.push({ code, verdict: 'explained', found })
        else fresh.push(code)
      }
      if (fresh.length === 0) continue
      const confirmed = this.isEnough
        ? undefined
        : await unlessAborted(this.#options.signal, () => this.#shrunkAndConfirmed(ran, fresh))
      judged.push(...(confirmed ?? fresh.map((code) => ({ code, verdict: 'unconfirmed' as const }))))
    }
    if (!this.#options.signal.aborted) this.#toJudge.delete(ran)
    await this.#confirmDoubtful()
    return judged
  }

  async #run(choices: readonly Choice[], recording: ScheduleRecording): Promise<TimedRun> {
    const all = { ...this.#options.recording, ...recording }
    const ran = await this.#options.runs.run(choices, all)
    if (all.patience !== undefined) this.#patient.add(ran)
    return ran
  }

  async #again(choices: readonly Choice[], recording: ScheduleRecording = {}): Promise<TimedRun> {
    const ran = await this.#run(choices, { ...recording, isUrgent: true })
    this.#options.repeated?.(ran)
    return ran
  }

  async #shrunkAndConfirmed(ran: Ran, codes: readonly string[]): Promise<Judged[]> {
    const [code = ''] = codes
    const choices = ran.choices.length > 1 ? await this.#shrunk(ran, code) : ran.choices
    const capsule = { name: `${code}-${nameOfChoices(choices)}`, capsuleIn: this.#options.capsules }
    // Nothing else is judged after a finding of the ordinary day, so nothing else could make it doubtful.
    const times = this.#patient.has(ran) ? AGAIN + MORE_RUNS : AGAIN
    const again = await Promise.all(
      Array.from({ length: times }, (_, i) => this.#again(choices, { patience: 'patient', ...(i === 0 && capsule) })),
    )
    const judged: Judged[] = []
    for (const one of codes) judged.push(await this.#confirm(one, choices, [ran, ...again]))
    this.#fewest.delete(code)
    return judged
  }

  /** `again`: repeated with more time for the app, before anything is held against it. */
  async #confirm(code: string, choices: readonly Choice[], [ran, ...again]: [Ran, ...Ran[]]): Promise<Judged> {
    const shows = ({ findings }: Ran) => findings.some((one) => one.code === code)
    const [shown = ran, without] = [again.find(shows), again.find((one) => !shows(one))]
    // A run that was given no more time than an app needs that has no timers may have been judged too soon.
    const isTooSoon = shown === ran && !this.#patient.has(ran) && shows(await this.#again(choices))
    const verdict = isTooSoon ? 'too-soon' : without ? 'unstable' : 'certain'
    const one = foundIn(shown, code, choices)
    if (!one) return { code, verdict }
    const found = { ...one, ...(without && { without }) }
    const list = this.#confirmed[verdict]
    const isKnown = list.some((other) => other.code === code && sorts(other.choices) === sorts(choices))
    if (isKnown) return { code, found, verdict: verdict === 'certain' ? 'explained' : verdict }
    list.push(found)
    if (verdict === 'certain') this.#options.found?.(found)
    return { code, found, verdict }
  }

  async #shrunk(ran: Ran, code: string): Promise<readonly Choice[]> {
    const finding = ran.findings.find((one) => one.code === code)
    const shows = async (choices: readonly Choice[]) => {
      if (this.#clean.has(keyOf(choices))) return false
      const again = await this.#again(choices)
      const isShown = again.findings.some((one) => one.code === code)
      if (isShown && choices.length < (this.#fewest.get(code) ?? ran).choices.length) this.#fewest.set(code, again)
      return isShown
    }
    return shrink(ran.choices, shows, { jobs: SHRINKING, about: ran.about.get(finding?.requestId ?? '') })
  }

  /** Asks more often for what came and went elsewhere, before it counts. */
  async #confirmDoubtful(): Promise<void> {
    const { certain, unstable } = this.#confirmed
    const isDoubtful = ({ code }: Found) => unstable.some((one) => one.code === code)
    for (const found of certain.filter(isDoubtful)) {
      if (this.#doubted.has(found)) continue
      this.#doubted.add(found)
      for (let run = 0; run < MORE_RUNS && certain.includes(found); run++) {
        const again = await unlessAborted(this.#options.signal, () =>
          this.#again(found.choices, { patience: 'patient' }),
        )
        if (again?.findings.some(({ code }) => code === found.code)) continue
        certain.splice(certain.indexOf(found), 1)
        if (again) unstable.push({ ...found, without: again })
        else this.#interrupted.push(found)
      }
    }
  }

  /** A run that made the choices of a finding shows nothing new by showing it too. */
  #explaining(code: string, choices: readonly Choice[]): Found | undefined {
    const made = new Set(choices.map(choiceSort))
    return this.findings.find((one) => one.code === code && one.choices.every((choice) => made.has(choiceSort(choice))))
  }
}

function foundIn(ran: Ran, code: string, choices: readonly Choice[]): Found | undefined {
  const alike = ran.findings.filter((one) => one.code === code)
  const [first] = alike
  return first && { ...first, choices, ran, alike }
}

function sorts(choices: readonly Choice[]): string {
  return choices.map(choiceSort).sort().join(', ')
}
