import * as z from 'zod'
import {
  CONDITIONS_PAGE,
  type Condition,
  type ConditionEnvironment,
  compileIn,
  environmentOfKind,
} from '../../expressions.ts'
import type { Kind, Kinds } from '../../model/kind.ts'
import { isRecord } from '../../model/must.ts'
import { capital, checked, optional, type Path, printPath, type SourcePlace, type Tell } from '../../model/problems.ts'
import { textOf } from '../../model/text.ts'
import type { SourceText } from '../../source-text.ts'
import { shortText } from './schema-parts.ts'

export const turnTakers = ['payer', 'payee', 'organisation'] as const
export type TurnTaker = (typeof turnTakers)[number]

const turn = (takers: readonly TurnTaker[]) => {
  const several = checked(
    z.strictObject({
      first: optional(z.int().min(1), 'how many of the first matches'),
      only: optional(z.int().min(1), 'which of the matches, from 1'),
      every: optional(z.int().min(1), 'each n-th match: 3 is the 3rd, 6th, 9th'),
      per: optional(
        z.enum(takers),
        `whose matches are counted: ${takers.join(', ')}; all of the world when left out`,
        takers[0],
      ),
    }),
    ({ per: _, ...turns }, tell) => {
      const [one, other] = Object.keys(turns)
      if (one === undefined) tell('"first", "only" or "every" is missing. Write it like { first: 2 }.')
      if (other !== undefined) tell(`"${other}" cannot stand beside "${one}". Remove one of them.`, [other], 'key')
    },
  )
  return optional(
    z.union([z.int().min(1), several]),
    `the turn: 3 for the third match, { first: 2 }, { every: 3 }, or { only: 1, per: ${takers[0]} }; per says whose matches are counted`,
    3,
    { first: 2 },
    { every: 3 },
    { only: 1, per: takers[0] },
  )
}

export const selectedBy = (takers: readonly TurnTaker[], condition: string, ...examples: string[]) => ({
  when: optional(shortText(4000), condition, ...examples),
  chance: optional(z.number().min(0).max(1), 'the probability, from 0 to 1, drawn from the seed', 0.05),
  nth: turn(takers),
})

export const faultName = () =>
  optional(shortText(120), 'a sentence about the fault; it replaces a fault of that name in the extended scenario')

type SelectorFile = z.infer<z.ZodObject<ReturnType<typeof selectedBy>>>
export type Turn = Exclude<SelectorFile['nth'], number | undefined>

export interface Selector extends SourcePlace {
  name: string
  on: readonly string[]
  when: string | undefined
  conditionOn(target: string): Condition | undefined
  chance: number | undefined
  nth: Turn | undefined
}

type SelectingFile = SelectorFile & { then: unknown }

/** A rule or a fault. What it does stays as it is written until it happens, when its delays are drawn. */
export interface Selecting<File extends SelectingFile> extends Selector {
  then: File['then']
  written: File
}

/** As it is written, without its signs: `after 2s, end FAILED, with (errorCode NAME_MISMATCH)`. */
export function inWords(written: object): string {
  const words = Object.entries(written).map(([key, value]) => {
    if (value === true) return key
    return isRecord(value) ? `${key} (${inWords(value)})` : `${key} ${[value].flat().map(textOf).join(' and ')}`
  })
  return words.join(', ')
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
  if (nth.first !== undefined) return nth.first === 1 ? `the first${of}` : `the first ${nth.first}${of}`
  const [article, n = 1] = nth.every === undefined ? ['the', nth.only] : ['every', nth.every]
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

/** `targets`: the subjects that its condition may be about, each with a vocabulary of its own. */
interface Subjects extends Pick<Selector, 'name' | 'on'> {
  targets: readonly string[]
  environmentOf(target: string): ConditionEnvironment
}

export function readSelector<File extends SelectingFile>(
  written: File,
  path: Path,
  source: SourceText,
  { name, on, ...subjects }: Subjects,
): Selecting<File> {
  const { when, chance, nth, then } = written
  const conditionOn = readConditions(when, [...path, 'when'], source, subjects)
  const turn = typeof nth === 'number' ? { only: nth } : nth
  return { name, on, when, conditionOn, chance, nth: turn, then, written, ...source.placeOf(path) }
}

export function readKindSelector<File extends SelectingFile>(
  file: File,
  path: Path,
  source: SourceText,
  name: string,
  about: readonly Kind[],
  kinds: Kinds,
): Selecting<File> {
  const on = about.map((kind) => kind.name)
  const environmentOf = (target: string) => environmentOfKind(kinds.of(target), kinds, source.libraries)
  return readSelector(file, path, source, { name, on, targets: on, environmentOf })
}

/** Conditions of a text that was checked before are compiled on first use, which makes most starts faster. */
function readConditions(
  when: string | undefined,
  path: Path,
  source: SourceText,
  { targets, environmentOf }: Pick<Subjects, 'targets' | 'environmentOf'>,
): Selector['conditionOn'] {
  if (when === undefined) return () => undefined
  const conditions = new Map<string, Condition>()
  const compile = (target: string) => {
    const { condition, problem } = compileIn(when, environmentOf(target))
    if (condition) conditions.set(target, condition)
    else source.tell(`${problem?.message} ${CONDITIONS_PAGE}`, path, problem?.start)
    return problem === undefined
  }
  // A mistake is found for every target, and reported once.
  if (!source.checked) targets.every(compile)
  const compileFor = (target: string) => {
    if (targets.includes(target) && !compile(target)) throw new Error(`The condition of ${printPath(path)} is not read`)
    return conditions.get(target)
  }
  // Every request asks for the conditions of all rules.
  return (target) => conditions.get(target) ?? compileFor(target)
}
