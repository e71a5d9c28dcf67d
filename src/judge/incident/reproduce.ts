/** Leads an app through what was inferred of an incident, and has what that shows shrunk and repeated. */
import type { Merchant } from '../app/merchant-file.ts'
import { type Choice, keyOf, withoutClashes } from '../explore/choice.ts'
import { Engine, type Found } from '../explore/engine.ts'
import type { Ran } from '../explore/run-app.ts'
import { choicesMade, othersOf } from '../explore/schedules.ts'
import { openRuns, type TimedRun } from '../explore/subject-runs.ts'
import type { Patience } from '../subject.ts'
import { type Inferred, infer } from './infer.ts'
import type { Seen } from './seen-payments.ts'

const TOO_LATE = 'its time was over before the ordinary day had been judged. Give it more, with --within 5m'

export interface ReproduceOptions extends Patience {
  merchant: Merchant
  seed: number
  jobs: number
  tls?: boolean | undefined
  /** Each finding leaves a capsule in this folder. */
  capsules: string | undefined
  signal: AbortSignal
  /** Real milliseconds for all of it. */
  withinMs: number
}

export interface Reproduced {
  inferred: readonly Inferred[]
  /** Those of them that came to nothing in any run. */
  unreached: readonly Inferred[]
  findings: readonly Found[]
  unstable: readonly Found[]
  tooSoon: readonly Found[]
  unconfirmed: readonly Found[]
  /** Kinds of payment that the app asks for on an ordinary day. */
  kinds: readonly string[]
  runs: number
  /** Why the app could not be judged. */
  unjudged?: string
  interrupted: boolean
}

export async function reproduce(seen: Seen, options: ReproduceOptions): Promise<Reproduced> {
  const { merchant, seed, jobs, tls, withinMs, capsules, readyWithinMs, restWithinMs } = options
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(withinMs)])
  const subject = { name: merchant.name, merchant, jobs, patience: { readyWithinMs, restWithinMs } }
  const runs = await openRuns(subject, { seed, tls, isByBooks: true, signal })
  const ran: TimedRun[] = []
  const engine = new Engine({ runs, signal, capsules })
  let inferred: Inferred[] = []
  let first: TimedRun | undefined
  try {
    first = await engine.run([], { patience: 'first', isUrgent: true })
    if (first) {
      await runs.learn(first, false)
      await engine.judge(first)
    }
    // A mistake on an ordinary day comes on every other.
    if (first && first.unjudged === undefined && engine.findings.length === 0) {
      const base = engine.unstable.at(-1)?.without ?? first
      inferred = placed(infer(seen, othersOf(base, merchant)), base)
      for (const round of roundsOf(inferred)) {
        const all = await Promise.all(round.map((choices) => engine.run(choices)))
        for (const one of all) {
          if (one) ran.push(one)
          if (one && engine.findings.length === 0) await engine.judge(one)
        }
        if (engine.isEnough || engine.findings.length > 0) break
      }
    }
  } finally {
    await runs.close()
  }
  const { findings, unstable, tooSoon, unconfirmed } = engine
  const made = new Set(ran.flatMap((one) => choicesMade(one).map((choice) => keyOf([choice]))))
  const unjudged = first ? first.unjudged : signal.aborted && !options.signal.aborted ? TOO_LATE : undefined
  return {
    ...{ inferred, findings, unstable, tooSoon, unconfirmed, runs: ran.length, interrupted: signal.aborted },
    unreached: ran.length === 0 ? [] : inferred.filter(({ choice }) => !made.has(keyOf([choice]))),
    kinds: [...new Set(first?.payments.map(({ kind }) => kind))],
    ...(unjudged !== undefined && { unjudged }),
  }
}

/** The kind of payment, or the operation, that a choice is about; and which one of them. */
function placeOf(choice: Choice): { on: string; nth: number } | undefined {
  if (!('nth' in choice)) return undefined
  if ('kind' in choice) return { on: choice.kind, nth: choice.nth }
  if ('operation' in choice) return { on: choice.operation, nth: choice.nth }
  return 'on' in choice ? { on: choice.on, nth: choice.nth } : undefined
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
    inferred.flatMap(({ choice }) => placeOf(choice) ?? []),
    ({ on }) => on,
  )
  return inferred.flatMap((one): Inferred[] => {
    const { choice } = one
    const place = placeOf(choice)
    if (!place || !('nth' in choice)) return [one]
    const count = counts.get(place.on) ?? 0
    const used = [...new Set(nths.get(place.on)?.map(({ nth }) => nth))].sort((a, b) => a - b)
    if (count === 0) return []
    if ((used.at(-1) ?? 0) <= count) return [one]
    return [{ ...one, choice: { ...choice, nth: (used.indexOf(place.nth) % count) + 1 } }]
  })
}

/** First all that is known; then what is known of each payment alone, and each guess with it; then each choice alone. */
function roundsOf(inferred: readonly Inferred[]): Choice[][][] {
  const known = inferred.filter(({ sure }) => sure !== 'possible').map(({ choice }) => choice)
  const guesses = inferred.filter(({ sure }) => sure === 'possible').map(({ choice }) => choice)
  const keyAt = (choice: Choice) => {
    const place = placeOf(choice)
    return place && `${place.on} ${place.nth}`
  }
  const alike = (one: Choice) => known.filter((other) => keyAt(one) !== undefined && keyAt(one) === keyAt(other))
  const seen = new Set<string>([keyOf([])])
  return [
    [known],
    [...known.map((one) => [one, ...alike(one)]), ...guesses.map((one) => [one, ...alike(one)])],
    [...known, ...guesses].map((one) => [one]),
  ].map((round) =>
    round
      .map((choices) => withoutClashes([...new Set(choices)]))
      .filter((choices) => {
        const key = keyOf(choices)
        if (seen.has(key)) return false
        seen.add(key)
        return true
      }),
  )
}
