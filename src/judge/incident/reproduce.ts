/** Leads an app through what was inferred of an incident, and has what that shows shrunk and repeated. */
import { type Choice, choiceSort, keyOf, placeName, placeOf, withoutClashes } from '../explore/choice.ts'
import { Engine, type EngineOptions, TOO_LATE } from '../explore/engine.ts'
import type { Ran } from '../explore/run-app.ts'
import { choicesMade, singlesOf } from '../explore/schedules.ts'
import { type RunnerOptions, type TimedRun, withRuns } from '../explore/subject-runs.ts'
import { type Inferred, infer } from './infer.ts'
import { codesShown, type Seen } from './seen-payments.ts'

export interface ReproduceOptions extends RunnerOptions, Pick<EngineOptions, 'capsules'> {
  withinMs: number
}

export type Reproduced = Awaited<ReturnType<typeof reproduce>>

export async function reproduce(seen: Seen, options: ReproduceOptions) {
  const { merchant, withinMs, capsules } = options
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(withinMs)])
  return withRuns({ ...options, signal }, async (runs) => {
    const engine = new Engine({ runs, signal, capsules })
    const { first, base } = await engine.ordinaryDay()
    const inferred = base ? placed(infer(seen), base) : []
    const shown = base && codesShown(seen)
    const unseen = base && shown?.size ? unseenOf(singlesOf(base, merchant), seen.hasCallbacks) : []
    const ran = base ? await runAll(engine, roundsOf(inferred, unseen), shown) : []
    const { unconfirmed, ...lists } = engine.lists
    const made = new Set(ran.flatMap((one) => choicesMade(one).map((choice) => keyOf([choice]))))
    const unjudged = first ? first.unjudged : signal.aborted && !options.signal.aborted ? TOO_LATE : undefined
    return {
      ...{ ...lists, unconfirmed: unconfirmed.filter(({ code }) => !shown?.size || shown.has(code)) },
      /** `isReached`: it was met in some run, or nothing was run. */
      inferred: inferred.map((one) => ({ ...one, isReached: ran.length === 0 || made.has(keyOf([one.choice])) })),
      ...{ shown, runs: ran.length, interrupted: signal.aborted },
      kinds: [...new Set(first?.payments.map(({ kind }) => kind))],
      ...(unjudged !== undefined && { unjudged }),
    }
  })
}

async function runAll(
  engine: Engine,
  rounds: readonly Round[],
  shown: ReadonlySet<string> | undefined,
): Promise<TimedRun[]> {
  const ran: TimedRun[] = []
  const known: TimedRun[] = []
  for (const { isGuess, choices } of rounds) {
    for (const one of await Promise.all(choices.map((some) => engine.run(some)))) {
      if (!one) continue
      ran.push(one)
      if (!isGuess) known.push(one)
      // Nothing in the files says that a guess happened, so only findings that they show speak for it.
      await judgeShown(engine, one, isGuess || shown?.size ? shown : undefined)
    }
    if (engine.isEnough || engine.findings.length > 0) break
  }
  // Known choices may lead elsewhere than the files show.
  for (const one of known) await judgeShown(engine, one, undefined)
  return ran
}

/** Judges what a run shows of these codes, unless there is a finding; without codes, all of it. */
async function judgeShown(engine: Engine, ran: TimedRun, shown: ReadonlySet<string> | undefined): Promise<void> {
  if (engine.findings.length > 0) return
  const codes = new Set(ran.findings.map(({ code }) => code))
  if (!shown) await engine.judge(ran)
  else for (const code of codes) if (shown.has(code)) await engine.judge(ran, code)
}

/**
 * An app's day has fewer payments than a day in production: those that something happened to come in the place of its
 * first ones, in their order. What it never does is left out.
 */
function placed(inferred: readonly Inferred[], { payments, requests }: Pick<Ran, 'payments' | 'requests'>): Inferred[] {
  const counts = new Map<string, number>()
  const most = (on: string, nth: number) => counts.set(on, Math.max(counts.get(on) ?? 0, nth))
  for (const { kind, nth } of payments) most(kind, nth)
  for (const { operation, nth } of requests) most(operation, nth)
  const nths = Map.groupBy(
    inferred.flatMap(({ choice }) => ('nth' in choice ? choice : [])),
    placeOf,
  )
  return inferred.flatMap((one): Inferred[] => {
    const { choice } = one
    if (!('nth' in choice) || placeName(choice) === '') return [one]
    const count = counts.get(placeOf(choice)) ?? 0
    const used = [...new Set(nths.get(placeOf(choice))?.map(({ nth }) => nth))].sort((a, b) => a - b)
    if (count === 0) return []
    if ((used.at(-1) ?? 0) <= count) return [one]
    return [{ ...one, choice: { ...choice, nth: (used.indexOf(choice.nth) % count) + 1 } }]
  })
}

type Round = ReturnType<typeof roundsOf>[number]

/**
 * First all that is known; then each choice with what is known of its payment, and alone; then the same of each guess.
 * `more`: choices that nothing in the files speaks for.
 */
function roundsOf(inferred: readonly Inferred[], more: readonly Choice[]) {
  const known = inferred.filter(({ sure }) => sure !== 'possible').map(({ choice }) => choice)
  const guesses = inferred.filter(({ sure }) => sure === 'possible').map(({ choice }) => choice)
  const alike = (one: Choice) => known.filter((other) => placeName(one) !== '' && placeName(one) === placeName(other))
  const withAlike = (some: readonly Choice[]) => some.flatMap((one) => [[one, ...alike(one)], [one]])
  const seen = new Set<string>([keyOf([])])
  const round = (isGuess: boolean, all: Choice[][]) => {
    const choices = all.map((some) => withoutClashes([...new Set(some)]))
    return { isGuess, choices: choices.filter((some) => !seen.has(keyOf(some)) && seen.add(keyOf(some))) }
  }
  return [
    round(false, [known]),
    round(false, withAlike(known)),
    round(true, withAlike(guesses)),
    ...chunksOf(more.map((one) => [one])).map((some) => round(true, some)),
  ]
}

/** Sorts of choices that leave a mark in traffic: those that happened were inferred from it. */
const SEEN: readonly Choice['do'][] = ['answer', 'end', 'tell-pending', 'twice', 'refuse', 'spoil']
const AT_ONCE = 12

function chunksOf(choices: readonly Choice[][]): Choice[][][] {
  const count = Math.ceil(choices.length / AT_ONCE)
  return Array.from({ length: count }, (_, i) => choices.slice(i * AT_ONCE, (i + 1) * AT_ONCE))
}

function unseenOf(singles: readonly Choice[], hasCallbacks: boolean): Choice[] {
  const isSeen = (one: Choice) => SEEN.includes(one.do) || (one.do === 'tell' && hasCallbacks)
  const sortOf = (one: Choice) => `${choiceSort(one)} ${placeOf(one)} ${'act' in one ? one.act : ''}`
  const unseen = singles.filter((one) => !isSeen(one))
  return [...Map.groupBy(unseen, sortOf).values()].flatMap(([first]) => first ?? [])
}
