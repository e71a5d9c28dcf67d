import { type TraceOutcome, traceLetters } from '../../model/rule-summaries.ts'
import { StorageFailure } from '../../sql.ts'
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
  trace: string
  counted: readonly string[]
}

const NOTHING_COUNTED: readonly string[] = []
const TAKES_TURN: readonly TraceOutcome[] = ['matched', 'not its turn', 'cannot happen']

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
    const outcome = judge(one, candidate)
    if (one.nth && TAKES_TURN.includes(outcome)) counted = [...counted, turnKey(one, candidate.who)]
    if (matched) continue
    trace += traceLetters[outcome]
    if (outcome === 'matched') matched = one
  }
  return { matched, trace, counted }
}

function judge<One extends Selector>(one: One, candidate: RuleCandidate<One>): keyof typeof traceLetters {
  const { name, chance, nth } = one
  const condition = one.conditionOn(candidate.target)
  try {
    if (condition && !condition(candidate.contextFor(one))) return 'condition false'
  } catch (error) {
    // A history that cannot be read counts as no match.
    if (error instanceof StorageFailure) throw error
    return 'condition failed'
  }
  if (chance !== undefined && candidate.draw(name) >= chance) return 'chance missed'
  if (candidate.letsThrough?.(one)) return 'let through'
  if (candidate.cannot?.(one)) return 'cannot happen'
  if (nth) {
    const turn = candidate.matched(turnKey(one, candidate.who)) + 1
    if (!isTurn(nth, turn)) return 'not its turn'
  }
  return 'matched'
}

function isTurn(nth: Turn, turn: number): boolean {
  if ('only' in nth) return turn === nth.only
  return 'first' in nth ? turn <= nth.first : turn % nth.every === 0
}
