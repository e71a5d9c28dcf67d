/** Selects what a rule or fault applies to: targets, condition, odds and turn. */
import type { Condition } from '../../expressions.ts'
import type { Kind } from '../../model/kind.ts'
import { capital, type Path, type SourcePlace, type Tell } from '../../model/problems.ts'
import type { SourceText } from '../../source-text.ts'
import type { TurnTaker } from './selector-schema.ts'

/** The n-th match, the first n, or every n-th: of all, or of each payer, payee or organisation. */
export type Turn = ({ only: number } | { first: number } | { every: number }) & { per?: TurnTaker | undefined }

/** Conditions with a parameter in them: another value may turn them on, so they get no warning. */
export type Turned = readonly ('when' | 'chance')[]

export interface Selector extends SourcePlace {
  name: string
  on: readonly string[]
  when: string | undefined
  conditionOn(target: string): Condition | undefined
  chance: number | undefined
  nth: Turn | undefined
  turned: Turned
}

export interface SelectorFile {
  when?: string | undefined
  chance?: number | undefined
  nth?: number | Turn | undefined
}

export function readSelector(
  { when, chance, nth }: SelectorFile,
  path: Path,
  source: SourceText,
  read: Pick<Selector, 'name' | 'on' | 'conditionOn'>,
): Selector {
  return {
    ...read,
    name: freed(read.name),
    when,
    chance,
    nth: typeof nth === 'number' ? { only: nth } : nth,
    turned: (['when', 'chance'] as const).filter((name) => source.holdsParameter([...path, name])),
    ...source.placeOf(path),
  }
}

/**
 * Copies a text. A part of a V8 string keeps the whole alive, and uses two bytes per character if the file has one `…`.
 */
function freed(text: string): string {
  return JSON.parse(JSON.stringify(text))
}

export function summariseSelector<Outcome extends object>(
  { name, on, when, chance, nth, file, line }: Selector,
  ownFile: string,
  outcome: Outcome,
) {
  const inherited = file !== ownFile
  return { name, on: [...on], when, chance, nth: printTurn(nth), ...outcome, file, line, inherited }
}

function printTurn(nth: Turn | undefined): string | undefined {
  if (nth === undefined) return undefined
  const of = nth.per === undefined ? '' : ` of each ${nth.per}`
  if ('first' in nth) return nth.first === 1 ? `the first${of}` : `the first ${nth.first}${of}`
  const [article, n] = 'every' in nth ? ['every', nth.every] : ['the', nth.only]
  const teen = n % 100 >= 11 && n % 100 <= 13
  return `${article} ${n}${teen ? 'th' : (['th', 'st', 'nd', 'rd'][n % 10] ?? 'th')}${of}`
}

export function turnKey({ name, nth }: Pick<Selector, 'name' | 'nth'>, who: (taker: TurnTaker) => string): string {
  return nth?.per === undefined ? name : `${name}\n${who(nth.per)}`
}

export function checkTurn(nth: SelectorFile['nth'], on: readonly Kind[], tell: Tell): void {
  if (typeof nth !== 'object' || nth.per === undefined || nth.per === 'organisation') return
  const direction = nth.per === 'payee' ? 'out' : 'in'
  const unable = on.find((kind) => kind.party === null || kind.direction !== direction)
  if (!unable) return
  const why = `${capital(unable.phrase)} names no ${nth.per}. Write per: organisation, or make a rule of its own for it.`
  tell(why, ['nth', 'per'])
}
