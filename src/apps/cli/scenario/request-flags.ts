/** The flags that explain and preview share: this request, to this scenario, at this time, after this. */
import { readFileSync } from 'node:fs'
import type { ControlBody } from '../../../client/control.ts'
import { didYouMean } from '../../../core/model/did-you-mean.ts'
import type { JsonObject, PaymentKind } from '../../../core/model/payment.ts'
import { openingOf, type Service } from '../../../core/model/simulated-service.ts'
import { parseDuration, parseWorldInstant, WORLD_INSTANT } from '../../../core/model/time.ts'
import { targetOf } from '../../../core/response-faults.ts'
import { whyUnreadable } from '../../../hosts/node/file-access.ts'
import { type Arguments, type Flag, UsageError } from '../command.ts'
import { setFlag } from '../set-flag.ts'

/** What can be supposed of earlier payments. */
const historyNames = ['succeeded', 'failed', 'pending', 'paidToday'] as const

export const requestFlags: readonly Flag[] = [
  {
    name: 'on',
    value: 'kind|operation',
    help: 'The kind of payment, such as till or stk. Or an operation, by id or as "POST /path": then only faults are asked about.',
    expected: 'a kind of payment such as send-money, or an operation such as getToken',
    names: 'kinds',
  },
  {
    name: 'request',
    value: 'json|@file',
    help: 'The request, or the part of it that matters, as JSON; with @ the file that holds it.',
    expected: 'a JSON object such as {"amount":1000}, or @ and the name of a file that holds one',
    byDefault: '{}',
  },
  {
    name: 'nth',
    value: 'number',
    help: 'Supposes that it is the n-th of the same requests, each right behind the one before.',
    expected: 'a whole number from 1 to 1000',
    byDefault: '1',
  },
  {
    name: 'at',
    value: 'time',
    help: "Simulated time, ISO 8601, in the scenario's time zone unless it has its own. Default: the scenario's start, or else now.",
    expected: WORLD_INSTANT,
  },
  {
    name: 'history',
    value: 'name=n,…',
    help: `Supposes earlier payments of the same kind and party: ${historyNames.join(', ')}.`,
    expected: 'earlier payments, such as failed=3 or succeeded=2,paidToday=5000',
  },
  {
    name: 'wallet',
    value: 'amount',
    help: 'Supposes that the wallet can spend so many shillings.',
    expected: 'an amount in shillings, such as 500',
  },
  {
    name: 'organisation',
    value: 'name=value,…',
    help: 'Supposes another organisation: uuid, name, parent.',
    expected: 'what it is, such as name=Shop,parent=false',
  },
  {
    name: 'token-age',
    value: 'duration',
    help: 'Supposes that the token of the request is so old.',
    expected: 'a length of time such as 2m',
  },
]

export const stillWorldFlags: readonly Flag[] = [
  setFlag,
  {
    name: 'seed',
    value: 'number',
    help: "The seed of the world. Default: the scenario's.",
    expected: 'a whole number from 0 to 4294967295',
  },
]

/** What `scenario explain` and `scenario preview` ask. */
export type ExplainRequestBody = ControlBody<'POST', '/scenario/explain'>

/** What is asked, checked: what it is about, that this has the fields, and what it supposes. */
export async function readExplainRequest(given: Arguments): Promise<ExplainRequestBody> {
  // What they know takes a while to read.
  const [service, { fieldsOf }] = await Promise.all([given.service(), import('../../../server/explain.ts')])
  const about = readSubject(given.get('on'), service)
  const request = readRequest(given.get('request') ?? '{}')
  const operation =
    'kind' in about ? openingOf(service, about.kind) : service.operations.find(({ id }) => id === about.operation)
  const known = fieldsOf(service, 'kind' in about ? about.kind : null, operation ?? null)
  const unknown = Object.keys(request).filter((field) => !known.includes(field))
  if (unknown.length > 0) {
    const lines = unknown.map((field) => `${JSON.stringify(field)} is not a field of it.${didYouMean(field, known)}`)
    const whose = 'kind' in about ? `A ${about.kind} request` : about.operation
    throw new UsageError(`--request: ${lines.join(' ')} ${whose} has ${known.join(', ') || 'none'}.`)
  }
  const [at, tokenAge] = [given.get('at'), given.get('token-age')]
  if (at !== undefined && parseWorldInstant(at) === undefined) throw misread('at', requestFlags, at)
  if (tokenAge !== undefined && parseDuration(tokenAge) === undefined)
    throw misread('token-age', requestFlags, tokenAge)
  const [history, organisation] = [readHistory(given), readOrganisation(given)]
  const nth = readNumber(given, 'nth', 1, 1000, true)
  const wallet = readNumber(given, 'wallet', 0, Number.MAX_SAFE_INTEGER)
  return {
    ...about,
    request,
    ...(nth !== undefined && nth > 1 && { nth }),
    ...(at !== undefined && { at }),
    ...(history && { history }),
    ...(wallet !== undefined && { wallet }),
    ...(organisation && { organisation }),
    ...(tokenAge !== undefined && { tokenAge }),
  }
}

/** A kind of payment, or the id of an operation. */
function readSubject(
  on: string | undefined,
  { kinds, operations }: Service,
): { kind: PaymentKind } | { operation: string } {
  const expected = `Expected one of ${kinds.names.join(', ')}, or an operation such as getToken or "POST /api/v1/get-token".`
  if (on === undefined) throw new UsageError(`--on is missing. ${expected}`)
  if (kinds.find(on)) return { kind: on }
  const operation = operations.find((one) => one.id === on || targetOf(one) === on)
  if (operation) return { operation: operation.id }
  const known = [...kinds.names, ...operations.flatMap((one) => [one.id, targetOf(one)])]
  throw new UsageError(`--on: there is no ${JSON.stringify(on)}.${didYouMean(on, known) || ` ${expected}`}`)
}

function readHistory(given: Arguments): ExplainRequestBody['history'] {
  const text = given.get('history')
  if (text === undefined) return undefined
  const pairs = text.split(',').map((part) => part.split('='))
  for (const [name = '', value = ''] of pairs) {
    if (!historyNames.some((known) => known === name))
      throw new UsageError(
        `--history: there is no ${JSON.stringify(name)}. Known: ${historyNames.join(', ')}.${didYouMean(name, historyNames)}`,
      )
    if (!(name === 'paidToday' ? /^\d{1,12}(?:\.\d{1,2})?$/ : /^(?:\d{1,3}|1000)$/).test(value))
      throw misread('history', requestFlags, text)
  }
  return Object.fromEntries(pairs.map(([name, value]) => [name, Number(value)]))
}

function readOrganisation(given: Arguments): ExplainRequestBody['organisation'] {
  const text = given.get('organisation')
  if (text === undefined) return undefined
  const values = Object.fromEntries(text.split(',').map((part) => part.split('=', 2))) as Record<string, string>
  const { uuid, name, parent, ...others } = values
  const sound = Object.values(values).every((value) => value !== undefined && value !== '')
  if (!sound || Object.keys(others).length > 0 || !['true', 'false', undefined].includes(parent))
    throw misread('organisation', requestFlags, text)
  return {
    ...(uuid !== undefined && { uuid }),
    ...(name !== undefined && { name }),
    ...(parent !== undefined && { parent: parent === 'true' }),
  }
}

function readNumber(given: Arguments, flag: string, least: number, most: number, whole = false): number | undefined {
  const text = given.get(flag)
  if (text === undefined) return undefined
  const number = /^\d{1,16}(?:\.\d{1,2})?$/.test(text) ? Number(text) : Number.NaN
  if (!(number >= least && number <= most) || (whole && !Number.isInteger(number)))
    throw misread(flag, requestFlags, text)
  return number
}

/** A value that is not what its flag expects. */
function misread(name: string, flags: readonly Flag[], text: string): UsageError {
  const expected = flags.find((flag) => flag.name === name)?.expected
  return new UsageError(`--${name}: expected ${expected}, got ${JSON.stringify(text)}.`)
}

function readRequest(written: string): JsonObject {
  let text = written
  if (written.startsWith('@')) {
    try {
      text = readFileSync(written.slice(1), 'utf8')
    } catch (error) {
      throw new UsageError(`--request: ${written.slice(1)} cannot be read: ${whyUnreadable(error)}.`)
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

export function readSeed(given: Arguments): number | undefined {
  const text = given.get('seed')
  if (text === undefined) return undefined
  const seed = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN
  if (!(seed <= 0xffff_ffff)) throw misread('seed', stillWorldFlags, text)
  return seed
}
