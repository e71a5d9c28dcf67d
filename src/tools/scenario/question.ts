/** The question that explain and preview share: this request, to this scenario, at this time. */
import { readFileSync } from 'node:fs'
import type { Question } from '../../control/explain.ts'
import { didYouMean } from '../../model/nearest.ts'
import { type JsonObject, type PaymentKind, paymentKinds } from '../../model/payment.ts'
import { type InstantUs, parseInstant } from '../../model/time.ts'
import { type Arguments, type Flag, UsageError } from '../command.ts'
import { setFlag } from '../parameters.ts'

export const questionFlags: readonly Flag[] = [
  {
    name: 'on',
    value: 'kind',
    help: `The kind of payment: ${paymentKinds.join(', ')}.`,
    choices: paymentKinds,
  },
  {
    name: 'request',
    value: 'json|@file',
    help: 'The request, or the part of it that matters, as JSON; with @ the file that holds it.',
    expected: 'a JSON object such as {"amount":1000}, or @ and the name of a file that holds one',
    byDefault: '{}',
  },
]

export const stillWorldFlags: readonly Flag[] = [
  setFlag,
  {
    name: 'at',
    value: 'time',
    help: "World time, ISO 8601, UTC unless it has a zone. Default: the scenario's start, or else now.",
    expected: 'a time such as 2025-01-24T16:28:00',
  },
  {
    name: 'seed',
    value: 'number',
    help: "The seed of the world. Default: the scenario's.",
    expected: 'a whole number from 0 to 4294967295',
  },
]

/** The question, checked: its kind, and that the kind has the fields. */
export async function readQuestion(given: Arguments): Promise<Question & { kind: PaymentKind; request: JsonObject }> {
  const kind = given.get('on') as PaymentKind | undefined
  if (kind === undefined) throw new UsageError(`--on is missing. Expected one of ${paymentKinds.join(', ')}.`)
  const request = readRequest(given.get('request') ?? '{}')
  const { vocabularyOf } = await import('../../scenarios/expressions.ts')
  const known = Object.keys(vocabularyOf(kind).get('request')?.fields ?? {})
  const unknown = Object.keys(request).filter((field) => !known.includes(field))
  if (unknown.length > 0) {
    const lines = unknown.map((field) => `${JSON.stringify(field)} is not a field of it.${didYouMean(field, known)}`)
    throw new UsageError(`--request: ${lines.join(' ')} A ${kind} request has ${known.join(', ')}.`)
  }
  return { kind, request }
}

function readRequest(written: string): JsonObject {
  let text = written
  if (written.startsWith('@')) {
    try {
      text = readFileSync(written.slice(1), 'utf8')
    } catch (error) {
      throw new UsageError(`--request: ${(error as Error).message}.`)
    }
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new UsageError(`--request: this is not JSON (${(error as Error).message}). Put it in single quotes.`)
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonObject
  throw new UsageError('--request: expected a JSON object such as {"amount":1000}.')
}

export function readAt(given: Arguments): InstantUs | undefined {
  const text = given.get('at')
  if (text === undefined) return undefined
  const atUs = parseInstant(text)
  if (atUs === undefined)
    throw new UsageError(`--at: expected a time such as 2025-01-24T16:28:00, got ${JSON.stringify(text)}.`)
  return atUs
}

export function readSeed(given: Arguments): number | undefined {
  const text = given.get('seed')
  if (text === undefined) return undefined
  const seed = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN
  if (!(seed <= 0xffff_ffff))
    throw new UsageError(`--seed: expected a whole number from 0 to 4294967295, got ${JSON.stringify(text)}.`)
  return seed
}
