/** Adds unknown fields to bodies, if the assumption `extra-fields` lets the service send some. */
import type { CommonAssumptions } from './assumption.ts'
import { Chance } from './chance.ts'
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
  assumptions: Pick<CommonAssumptions, 'extra-fields'>
  seed: number
}

/** Values stay. One seed varies all bodies of an operation or callback (`about`) the same way. */
export function variedBody(body: unknown, { assumptions, seed }: Varying, about: string): unknown {
  return assumptions['extra-fields'] === 'none' ? body : variedAt(body, new Chance(seed), about)
}

function variedAt(value: unknown, chance: Chance, path: string): unknown {
  if (Array.isArray(value)) return value.map((one) => variedAt(one, chance, `${path}[]`))
  if (typeof value !== 'object' || value === null || isRaw(value)) return value
  const [name, unknown] = chance.of('body', path).pick(UNKNOWN)
  const inside = Object.entries(value).map(([key, one]) => [key, variedAt(one, chance, `${path}.${key}`)])
  return Object.fromEntries(name in value ? inside : [...inside, [name, unknown]])
}
