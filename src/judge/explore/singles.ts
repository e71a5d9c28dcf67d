/** Every single choice that an app's ordinary day offers, each run by itself, and what it shows seen again. */
import { shortened } from '../../core/model/report-document.ts'
import { wallNowMs } from '../../hosts/node/wall.ts'
import { capsuleFolder } from '../keep-capsule.ts'
import type { AppFinding } from '../subject/outcome.ts'
import { type Choice, choiceSort } from './choice.ts'
import type { Ran } from './run-app.ts'
import type { RunnerOptions, ScheduleRecording } from './schedule-runner.ts'
import { ScheduleRunners } from './schedule-runners.ts'
import { inTurn, optionsOf, othersOf } from './schedules.ts'
import { isReadTooSoon, runAgain, seenAgain } from './shrink.ts'
import { sequenceOf } from './tell.ts'

/** As many as are seen at once. */
const STEPS_MAX = 14

/** The result of one choice, or of none: of the ordinary day. */
export interface SingleOutcome {
  choices: readonly Choice[]
  /** Seen each time. */
  findings: AppFinding[]
  /** Seen, and not each time. */
  unstable: AppFinding[]
  /** Seen once, when the time was over. */
  unconfirmed: AppFinding[]
  /** Seen each time the books were read at once, and never when the app was given more time: so no finding. */
  tooSoon: AppFinding[]
  /** Codes that another choice of its sort had shown already. */
  alike: string[]
  warnings: AppFinding[]
  unjudged?: string
  tookMs: number
}

/** Close it when done. */
export class Singles {
  /** The result of the ordinary day. */
  readonly ordinary: SingleOutcome
  /** Those of every operation first, and of these those with the most money. */
  readonly choices: readonly Choice[]
  readonly #runner: ScheduleRunners
  readonly #signal: AbortSignal
  /** Codes with the sort of choice that showed them each time. */
  readonly #known = new Set<string>()

  private constructor(
    runner: ScheduleRunners,
    signal: AbortSignal,
    ordinary: SingleOutcome,
    choices: readonly Choice[],
  ) {
    this.#runner = runner
    this.#signal = signal
    this.ordinary = ordinary
    this.choices = choices
  }

  /** Undefined where it was interrupted before the ordinary day was over. Throws `AppFailed` where the app does not start. */
  static async open(options: RunnerOptions): Promise<Singles | undefined> {
    const runner = await ScheduleRunners.open(options)
    const { merchant, signal } = options
    try {
      const beganMs = wallNowMs()
      const base = await runner.run([], { patience: 'first' })
      runner.ordinaryDayWas(base)
      const ordinary = await outcomeOf(runner, base, new Set(), beganMs, signal)
      const isJudged = ordinary.unjudged === undefined && ordinary.findings.length === 0
      // A mistake on an ordinary day comes on every other.
      if (isJudged) await runner.trustReset()
      return new Singles(runner, signal, ordinary, isJudged ? singlesOf(base, merchant) : [])
    } catch (error) {
      await runner.close()
      if (signal.aborted) return undefined
      throw error
    }
  }

  /** Undefined where it was interrupted before anything was seen. */
  async run(choice: Choice): Promise<SingleOutcome | undefined> {
    const beganMs = wallNowMs()
    try {
      const ran = await this.#runner.run([choice])
      return await outcomeOf(this.#runner, ran, this.#known, beganMs, this.#signal)
    } catch (error) {
      if (this.#signal.aborted) return undefined
      throw error
    }
  }

  /** Once more, patiently: the codes that it shows. Undefined where it was interrupted. */
  async again(choice: Choice): Promise<ReadonlySet<string> | undefined> {
    try {
      const { findings } = await this.#runner.run([choice], { patience: 'patient' })
      return new Set(findings.map(({ code }) => code))
    } catch (error) {
      if (this.#signal.aborted) return undefined
      throw error
    }
  }

  async close(): Promise<void> {
    await this.#runner.close()
  }
}

async function outcomeOf(
  runner: ScheduleRunners,
  ran: Ran,
  known: Set<string>,
  beganMs: number,
  signal: AbortSignal,
): Promise<SingleOutcome> {
  const { choices, warnings, unjudged } = ran
  const sorts = choices.map(choiceSort).join()
  const keyOf = (code: string) => `${code} ${sorts}`
  const shown = [...new Set(ran.findings.map(({ code }) => code))]
  const isFresh = (code: string) => !known.has(keyOf(code))
  const fresh = shown.filter(isFresh)
  const outcome: SingleOutcome = {
    ...{ choices, warnings, findings: [], unstable: [], unconfirmed: [], tooSoon: [] },
    alike: shown.filter((code) => !isFresh(code)),
    ...(unjudged !== undefined && { unjudged }),
    tookMs: 0,
  }
  if (fresh.length > 0) await confirm(outcome, { runner, ran, fresh, signal })
  for (const { code } of outcome.findings) known.add(keyOf(code))
  return { ...outcome, tookMs: wallNowMs() - beganMs }
}

interface Confirming {
  runner: ScheduleRunners
  ran: Ran
  fresh: readonly string[]
  signal: AbortSignal
}

async function confirm(outcome: SingleOutcome, { runner, ran, fresh, signal }: Confirming): Promise<void> {
  const [name = ''] = fresh
  const run = (recording: ScheduleRecording) => runner.run(ran.choices, recording)
  const firstIn = ({ findings, happened }: Ran, code: string) =>
    findings
      .filter((one) => one.code === code)
      .map((one, i) => (i === 0 ? { ...one, sequence: shortened(sequenceOf(happened), STEPS_MAX) } : one))
  try {
    const again = await runAgain(run, name, capsuleFolder())
    for (const code of fresh) {
      const seen = seenAgain(code, again)
      const found = firstIn(seen.shown ?? ran, code)
      if (seen.without === undefined) outcome.findings.push(...found)
      // The ordinary day was patient from the beginning.
      else if (ran.choices.length > 0 && (await isReadTooSoon(code, seen, () => run({}))))
        outcome.tooSoon.push(...found)
      else outcome.unstable.push(...found)
    }
  } catch (error) {
    if (!signal.aborted) throw error
    outcome.unconfirmed.push(...fresh.flatMap((code) => firstIn(ran, code)))
  }
}

/** Each sort of choice once for every operation and kind of payment, those with the most money first; then once more. */
function singlesOf(base: Ran, merchant: RunnerOptions['merchant']): Choice[] {
  const all = [...base.payments.flatMap(optionsOf), ...othersOf(base, merchant)]
  const groups = Map.groupBy(distinct(all), (one) => `${choiceSort(one)} ${placeOf(one)}`)
  const sums = new Map<string, number>()
  for (const { kind, amount, times } of base.asked ?? []) sums.set(kind, (sums.get(kind) ?? 0) + amount * times)
  const kindOf = new Map(base.requests.flatMap(({ operation, opens }) => (opens ? [[operation, opens] as const] : [])))
  const moneyOf = ([first]: readonly Choice[]) => {
    const place = first ? placeOf(first) : ''
    return sums.get(kindOf.get(place) ?? place) ?? 0
  }
  const [anywhere, placed] = [true, false].map((isAnywhere) =>
    [...groups.values()].filter(([first]) => (first === undefined || placeOf(first) === '') === isAnywhere),
  )
  const richest = placed?.toSorted((a, b) => moneyOf(b) - moneyOf(a)) ?? []
  // Choices about no operation take turns with the others.
  return inTurn(inTurn([richest, anywhere ?? []]))
}

function distinct(choices: readonly Choice[]): Choice[] {
  return [...new Map(choices.map((one) => [nameOfChoice(one), one])).values()]
}

/** The kind or the operation that a choice is about; empty for what is about neither. */
function placeOf(one: Choice): string {
  if ('kind' in one) return one.kind
  if ('operation' in one) return one.operation
  return 'on' in one ? one.on : ''
}

/** Such as `answer send-money 1 lost`: the same from run to run. */
export function nameOfChoice(one: Choice): string {
  return Object.values(one).join(' ')
}
