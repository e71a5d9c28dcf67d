/** What a wary world does where no source fixes anything: it draws the assumptions, and varies the bodies that it sends. */
import { type AssumptionRegistry, type Assumptions, defaultsOf } from './assumption.ts'
import { Chance, type Draw } from './chance.ts'
import { isRaw } from './wire.ts'

/** Seeds are whole numbers below this. */
export const WARY_SEED_MAX = 0xffff_ffff

/** Fields that no source knows, with values of every type. */
const UNKNOWN: readonly (readonly [name: string, value: unknown])[] = [
  ['apiVersion', '2.1'],
  ['links', { self: null }],
  ['nextAction', null],
  ['processedBy', 'node-3'],
  ['retryable', false],
  ['riskScore', 0.02],
  ['traceId', '4bf92f3577b34da6a3ce929d0e0e4736'],
  ['warnings', []],
]

/** One of the alternatives of every assumption; the same seed gives the same. */
export function drawnAssumptions(registry: AssumptionRegistry, seed: number): Assumptions {
  const chance = new Chance(seed)
  const drawn = Object.entries(registry).map(([id, { alternatives }]) => [
    id,
    chance.of('assumption', id).pick(alternatives),
  ])
  return { ...defaultsOf(registry), ...Object.fromEntries(drawn) }
}

/**
 * A body with fields that nobody announced, its keys and the lists inside its records in another order; values stay. The
 * same seed gives the same for all bodies of one operation or callback, as `about` names them. A list that is the answer
 * itself stays in its order, which an assumption decides.
 */
export function varied(body: unknown, seed: number, about: string): unknown {
  const chance = new Chance(seed)
  const isAnswer = (path: string) => path === about || path === `${about}.data`
  return variedAt(body, { chance, isAnswer }, about)
}

function variedAt(value: unknown, how: { chance: Chance; isAnswer(path: string): boolean }, path: string): unknown {
  const { chance, isAnswer } = how
  if (Array.isArray(value)) {
    const inside = value.map((one) => variedAt(one, how, `${path}[]`))
    return isAnswer(path) ? inside : shuffled(inside, chance.of('list', path))
  }
  if (typeof value !== 'object' || value === null || isRaw(value)) return value
  const draw = chance.of('body', path)
  const [name, unknown] = draw.pick(UNKNOWN)
  const inside = Object.entries(value).map(([key, one]): [string, unknown] => [
    key,
    variedAt(one, how, `${path}.${key}`),
  ])
  return Object.fromEntries(shuffled(name in value ? inside : [...inside, [name, unknown]], draw))
}

/** By Fisher and Yates. */
function shuffled<Item>(items: readonly Item[], draw: Draw): Item[] {
  const list = [...items]
  for (let last = list.length - 1; last > 0; last--) {
    const at = draw.below(last + 1)
    ;[list[last], list[at]] = [list[at] as Item, list[last] as Item]
  }
  return list
}
