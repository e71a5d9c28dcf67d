/** Varies bodies: assumptions let the service send unknown fields, or send fields in another order. */
import type { CommonAssumptions } from './assumption.ts'
import { Chance, type Draw } from './chance.ts'
import { isRaw } from './wire.ts'

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

export interface Varying {
  assumptions: Pick<CommonAssumptions, 'extra-fields' | 'field-order'>
  seed: number
}

/**
 * Values stay. One seed varies all bodies of an operation or callback (`about`) the same way. A list at the top keeps
 * its order, which another assumption decides.
 */
export function variedBody(body: unknown, { assumptions, seed }: Varying, about: string): unknown {
  const isAdding = assumptions['extra-fields'] === 'some'
  const isShuffling = assumptions['field-order'] === 'another'
  if (!isAdding && !isShuffling) return body
  const isAnswer = (path: string) => path === about || path === `${about}.data`
  return variedAt(body, { chance: new Chance(seed), isAdding, isShuffling, isAnswer }, about)
}

interface How {
  chance: Chance
  isAdding: boolean
  isShuffling: boolean
  isAnswer(path: string): boolean
}

function variedAt(value: unknown, how: How, path: string): unknown {
  const { chance, isAdding, isShuffling, isAnswer } = how
  if (Array.isArray(value)) {
    const inside = value.map((one) => variedAt(one, how, `${path}[]`))
    return isShuffling && !isAnswer(path) ? shuffled(inside, chance.of('list', path)) : inside
  }
  if (typeof value !== 'object' || value === null || isRaw(value)) return value
  const draw = chance.of('body', path)
  const [name, unknown] = draw.pick(UNKNOWN)
  const inside = Object.entries(value).map(([key, one]): [string, unknown] => [
    key,
    variedAt(one, how, `${path}.${key}`),
  ])
  const all: typeof inside = isAdding && !(name in value) ? [...inside, [name, unknown]] : inside
  return Object.fromEntries(isShuffling ? shuffled(all, draw) : all)
}

function shuffled<Item>(items: readonly Item[], draw: Draw): Item[] {
  const list = [...items]
  for (let last = list.length - 1; last > 0; last--) {
    const at = draw.below(last + 1)
    ;[list[last], list[at]] = [list[at] as Item, list[last] as Item]
  }
  return list
}
