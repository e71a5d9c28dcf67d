/** What a rule, a response fault or a callback fault applies to: to what, under which condition, with which odds and turn. */
import type { Condition } from './expressions.ts'
import type { Path, Place } from './problems.ts'
import type { SourceText } from './source-text.ts'

/** Only the n-th match, or only the first n. */
export type Turn = { only: number } | { first: number }

/** Conditions that a parameter is part of: they say something else when it has another value. */
export type Turned = readonly ('when' | 'chance')[]

export interface Selector extends Place {
  name: string
  /** Kinds of payment, or operations: by id, by method and path, or `*` for all. */
  on: readonly string[]
  when: string | undefined
  /** The condition for one of those; none when there is no `when`. */
  conditionOn(target: string): Condition | undefined
  chance: number | undefined
  nth: Turn | undefined
  /** Of its conditions, those that a parameter turns. */
  turned: Turned
}

/** What stands in a file of every selector. */
export interface SelectorFile {
  when?: string | undefined
  chance?: number | undefined
  nth?: number | { first: number } | undefined
}

/** A selector at a path of a file, with what is read of it in its own way. */
export function readSelector(
  { when, chance, nth }: SelectorFile,
  path: Path,
  source: SourceText,
  read: Pick<Selector, 'name' | 'on' | 'conditionOn'>,
): Selector {
  return {
    ...read,
    when,
    chance,
    nth: typeof nth === 'number' ? { only: nth } : nth,
    turned: (['when', 'chance'] as const).filter((name) => source.holdsParameter([...path, name])),
    ...source.placeOf(path),
  }
}

/** A selector as lists show it, with what it leads to; `ownFile`: that of the scenario in force. */
export function summariseSelector<Outcome extends object>(
  { name, on, when, chance, nth, file, line }: Selector,
  ownFile: string,
  outcome: Outcome,
) {
  const inherited = file !== ownFile
  return { name, on: [...on], when, chance, nth: printTurn(nth), ...outcome, file, line, inherited }
}

/** `the 3rd`, `the first 2`. */
export function printTurn(nth: Turn | undefined): string | undefined {
  if (nth === undefined) return undefined
  if ('first' in nth) return nth.first === 1 ? 'the first' : `the first ${nth.first}`
  const { only } = nth
  const teen = only % 100 >= 11 && only % 100 <= 13
  return `the ${only}${teen ? 'th' : (['th', 'st', 'nd', 'rd'][only % 10] ?? 'th')}`
}
