/** Asks rules or faults in their order which of them has a payment or a request: the first that matches. */
import { StorageFailure } from '../../model/storage-failure.ts'
import {
  CANNOT,
  CHANCE_MISSED,
  CONDITION_FAILED,
  CONDITION_FALSE,
  LET_THROUGH,
  MATCHED,
  NOT_ITS_TURN,
} from '../../model/trace-letters.ts'
import { type Selector, type Turn, turnKey } from '../language/selector.ts'
import type { TurnTaker } from '../language/selector-schema.ts'

/** What they are asked about. */
export interface Candidate<One extends Selector> {
  /** A kind of payment or an operation. */
  target: string
  /** What conditions see. */
  contextFor(one: One): object
  /** From 0 up to 1: what the odds of a selector are compared with. */
  draw(name: string): number
  /** How often one was counted before, by its `turnKey`. */
  matched(key: string): number
  /** The payer, payee or organisation that this is about; empty where there is none. */
  who(taker: TurnTaker): string
  /** What one would do cannot happen here, so it is not asked any further. */
  cannot?(one: One): boolean
  /** It matches, and leaves this one to those behind it. */
  letsThrough?(one: One): boolean
}

export interface Selected<One extends Selector> {
  matched: One | undefined
  /** One letter for each that was asked; see `trace.ts`. */
  trace: string
  /** Those with a turn that matched, whether or not it was theirs, by their `turnKey`. */
  counted: readonly string[]
}

const NOTHING_COUNTED: readonly string[] = []

/** `places`: which of them need to be asked, in their order, where it is known of the others that their condition is false. */
export function selectFirst<One extends Selector>(
  selectors: readonly One[],
  candidate: Candidate<One>,
  places: Iterable<number> = selectors.keys(),
): Selected<One> {
  let trace = ''
  let counted = NOTHING_COUNTED
  let next = 0
  for (const place of places) {
    const one = selectors[place] as One
    if (place > next) trace += CONDITION_FALSE.repeat(place - next)
    next = place + 1
    const letter = judge(one, candidate)
    trace += letter
    if (one.nth && (letter === MATCHED || letter === NOT_ITS_TURN)) counted = [...counted, turnKey(one, candidate.who)]
    if (letter === MATCHED) return { matched: one, trace, counted }
  }
  return { matched: undefined, trace: trace + CONDITION_FALSE.repeat(selectors.length - next), counted }
}

/** The letter that one leaves in the trace. */
function judge<One extends Selector>(one: One, candidate: Candidate<One>): string {
  if (candidate.cannot?.(one)) return CANNOT
  const { name, chance, nth } = one
  const condition = one.conditionOn(candidate.target)
  try {
    if (condition && !condition(candidate.contextFor(one))) return CONDITION_FALSE
  } catch (error) {
    // A past that cannot be read is no reason for or against anything.
    if (error instanceof StorageFailure) throw error
    return CONDITION_FAILED
  }
  if (chance !== undefined && candidate.draw(name) >= chance) return CHANCE_MISSED
  if (candidate.letsThrough?.(one)) return LET_THROUGH
  if (nth) {
    const turn = candidate.matched(turnKey(one, candidate.who)) + 1
    if (!isTurn(nth, turn)) return NOT_ITS_TURN
  }
  return MATCHED
}

function isTurn(nth: Turn, turn: number): boolean {
  if ('only' in nth) return turn === nth.only
  return 'first' in nth ? turn <= nth.first : turn % nth.every === 0
}
