/** Checks values of flags and words. */

import { didYouMean } from '../../core/model/did-you-mean.ts'
import type { GivenParameters } from '../../core/model/given-parameters.ts'
import { errorOf } from '../../core/model/must.ts'
import { nameAndValue, parameterPattern } from '../../core/model/name-value.ts'
import type { Json, JsonObject } from '../../core/model/payment.ts'
import { parseDuration, parseWorldInstant, WORLD_INSTANT } from '../../core/model/time.ts'
import { type Arguments, type Flag, UsageError } from './command.ts'

type Checked = Required<Pick<Flag, 'expected' | 'holds'>>

export function wholeValue(least: number, most = Number.MAX_SAFE_INTEGER): Checked {
  return {
    expected: `a whole number from ${least}${most === Number.MAX_SAFE_INTEGER ? '' : ` to ${most}`}`,
    holds: (text) => /^\d{1,16}$/.test(text) && Number(text) >= least && Number(text) <= most,
  }
}

export const seedValue = wholeValue(0, 0xffff_ffff)
export const portValue = wholeValue(0, 65_535)
export const rateValue: Checked = { expected: 'a number greater than 0, such as 60', holds: (text) => Number(text) > 0 }
export const durationValue: Checked = {
  expected: 'a duration such as 90s, 5m, 1h30m or 2d',
  holds: (text) => parseDuration(text) !== undefined,
}
export const instantValue: Checked = {
  expected: WORLD_INSTANT,
  holds: (text) => parseWorldInstant(text) !== undefined,
}

export const setFlag: Flag = {
  name: 'set',
  value: 'name=value',
  help: 'A parameter of the scenario. Repeatable.',
  expected: 'the name of a parameter, = and its value, such as limit=5000',
  holds: (text) => parameterPattern.test(text),
  many: true,
}

export function readParameters(given: Arguments): GivenParameters {
  return Object.fromEntries(given.all('set').map(nameAndValue))
}

export function oneOf<Known extends string>(what: string, text = '', known: readonly Known[]): Known {
  const found = known.find((one) => one === text)
  if (found !== undefined) return found
  throw new UsageError(`${what}: expected ${known.join(', ')}, got ${JSON.stringify(text)}.${didYouMean(text, known)}`)
}

export function amountOf(what: string, text: string): number {
  const plain = text.replaceAll(/[,_]/g, '')
  const value = /^\d+(?:\.\d+)?$/.test(plain) ? Number(plain) : 0
  if (value > 0) return value
  throw new UsageError(
    `${what}: expected an amount greater than 0 such as 1500 or 99.50, got ${JSON.stringify(plain)}.`,
  )
}

export function objectOf(what: string, text: string): JsonObject {
  let value: Json
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new UsageError(`${what}: this is not JSON (${errorOf(error).message}). Put it in single quotes.`)
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  throw new UsageError(`${what}: expected a JSON object such as {"amount":1000}, got ${text.slice(0, 80)}.`)
}
