/** Selects the first rule or fault that matches, and counts the turns of all that match. */
import { StorageFailure } from '../../model/refusal.ts'
import {
  CANNOT,
  CHANCE_MISSED,
  CONDITION_FAILED,
  CONDITION_FALSE,
  LET_THROUGH,
  MATCHED,
  NOT_ITS_TURN,
} from '../../model/rule-summaries.ts'
import { type Selector, type Turn, type TurnTaker, turnKey } from '../language/selector.ts'

export interface RuleCandidate<One extends Selector> {
  target: string
  contextFor(one: One): object
  draw(name: string): number
  matched(key: string): number
  who(taker: TurnTaker): string
  cannot?(one: One): boolean
  letsThrough?(one: One): boolean
}

export interface Selected<One extends Selector> {
  matched: One | undefined
  /** One letter for each that was asked; see `model/rule-summaries.ts`. */
  trace: string
  counted: readonly string[]
}

const NOTHING_COUNTED: readonly string[] = []
const TAKES_TURN: readonly string[] = [MATCHED, NOT_ITS_TURN, CANNOT]

export function selectFirst<One extends Selector>(
  selectors: readonly One[],
  candidate: RuleCandidate<One>,
): Selected<One> {
  let trace = ''
  let matched: One | undefined
  let counted = NOTHING_COUNTED
  for (const one of selectors) {
    // Behind the match only turns are counted, so that `nth: 1` and `nth: 2` take the first and the second.
    if (matched && !one.nth) continue
    const letter = judge(one, candidate)
    if (one.nth && TAKES_TURN.includes(letter)) counted = [...counted, turnKey(one, candidate.who)]
    if (matched) continue
    trace += letter
    if (letter === MATCHED) matched = one
  }
  return { matched, trace, counted }
}

function judge<One extends Selector>(one: One, candidate: RuleCandidate<One>): string {
  const { name, chance, nth } = one
  const condition = one.conditionOn(candidate.target)
  try {
    if (condition && !condition(candidate.contextFor(one))) return CONDITION_FALSE
  } catch (error) {
    // A history that cannot be read counts as no match.
    if (error instanceof StorageFailure) throw error
    return CONDITION_FAILED
  }
  if (chance !== undefined && candidate.draw(name) >= chance) return CHANCE_MISSED
  if (candidate.letsThrough?.(one)) return LET_THROUGH
  if (candidate.cannot?.(one)) return CANNOT
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
