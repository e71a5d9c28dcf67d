/**
 * Flags that `scenario explain` and `scenario preview` share: the request, the scenario, the time, and earlier
 * payments.
 */
import { readFileSync } from 'node:fs'
import type { ControlBody } from '../../../client/control.ts'
import { didYouMean } from '../../../core/model/did-you-mean.ts'
import type { JsonObject, PaymentKind } from '../../../core/model/payment.ts'
import { openingOf } from '../../../core/model/simulated-service.ts'
import { faultTarget } from '../../../core/response-faults.ts'
import { whyUnreadable } from '../../../hosts/node/file-access.ts'
import { type Arguments, type Flag, UsageError } from '../command.ts'
import { durationValue, instantValue, objectOf, seedValue, setFlag, wholeValue } from '../typed-values.ts'

const historyNames = ['succeeded', 'failed', 'pending', 'paidToday'] as const

export const requestFlags: readonly Flag[] = [
  {
    name: 'on',
    value: 'kind|operation',
    help: 'A kind such as till, or an operation such as getToken.',
    expected: 'a kind of payment such as send-money, or an operation such as getToken',
    names: 'kinds',
  },
  {
    name: 'request',
    value: 'json|@file',
    help: 'The request, or a part of it, as JSON or @file.',
    expected: 'a JSON object such as {"amount":1000}, or @ and the name of a file that holds one',
    byDefault: '{}',
  },
  {
    name: 'nth',
    value: 'number',
    help: 'Assume that this is the n-th such request in a row.',
    ...wholeValue(1, 1000),
    byDefault: '1',
  },
  {
    name: 'at',
    value: 'time',
    help: "Simulated time, in the scenario's zone. Default: its start.",
    ...instantValue,
  },
  {
    name: 'history',
    value: 'name=n,…',
    help: `Assume earlier payments to the same party: ${historyNames.join(', ')}.`,
    expected: 'earlier payments, such as failed=3 or succeeded=2,paidToday=5000',
  },
  {
    name: 'wallet',
    value: 'amount',
    help: 'Assume that the wallet holds this many shillings.',
    expected: 'an amount in shillings, such as 500',
    holds: (text) => /^\d{1,15}(?:\.\d{1,2})?$/.test(text),
  },
  {
    name: 'organisation',
    value: 'name=value,…',
    help: 'Assume another organisation: uuid, name, parent.',
    expected: 'what it is, such as name=Shop,parent=false',
  },
  {
    name: 'token-age',
    value: 'duration',
    help: 'Assume that the token is this old.',
    ...durationValue,
    expected: 'a length of time such as 2m',
  },
]

export const stillWorldFlags: readonly Flag[] = [
  setFlag,
  {
    name: 'seed',
    value: 'number',
    help: "The world's seed. Default: the scenario's.",
    ...seedValue,
  },
]

export type ExplainRequestBody = ControlBody<'POST', '/scenario/explain'>

export async function readExplainRequest(given: Arguments): Promise<ExplainRequestBody> {
  // Loaded where it is used: its vocabulary takes a while to read.
  const [{ paymentsService }, { explainedFields }] = await Promise.all([
    import('../../../service/service.ts'),
    import('../../../server/explain.ts'),
  ])
  const about = readSubject(given.get('on'), paymentsService)
  const request = readRequest(given.get('request') ?? '{}')
  const operation =
    'kind' in about
      ? openingOf(paymentsService, about.kind)
      : paymentsService.operations.find(({ id }) => id === about.operation)
  const known = explainedFields('kind' in about ? about.kind : null, operation ?? null)
  const unknown = Object.keys(request).filter((field) => !known.includes(field))
  if (unknown.length > 0) {
    const lines = unknown.map((field) => `${JSON.stringify(field)} is not a field of it.${didYouMean(field, known)}`)
    const whose = 'kind' in about ? `A ${about.kind} request` : about.operation
    throw new UsageError(`--request: ${lines.join(' ')} ${whose} has ${known.join(', ') || 'none'}.`)
  }
  const [at, tokenAge] = [given.get('at'), given.get('token-age')]
  const [history, organisation] = [readHistory(given), readOrganisation(given)]
  const [nth, wallet] = [given.number('nth'), given.number('wallet')]
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

function readSubject(
  on: string | undefined,
  { kinds, operations }: typeof import('../../../service/service.ts').paymentsService,
): { kind: PaymentKind } | { operation: string } {
  const expected = `Expected one of ${kinds.names.join(', ')}, or an operation such as getToken or "POST /api/v1/get-token".`
  if (on === undefined) throw new UsageError(`--on is missing. ${expected}`)
  if (kinds.find(on)) return { kind: on }
  const operation = operations.find((one) => one.id === on || faultTarget(one) === on)
  if (operation) return { operation: operation.id }
  const known = [...kinds.names, ...operations.flatMap((one) => [one.id, faultTarget(one)])]
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
      throw misread('history', text)
  }
  return Object.fromEntries(pairs.map(([name, value]) => [name, Number(value)]))
}

function readOrganisation(given: Arguments): ExplainRequestBody['organisation'] {
  const text = given.get('organisation')
  if (text === undefined) return undefined
  const values: Record<string, string> = Object.fromEntries(text.split(',').map((part) => part.split('=', 2)))
  const { uuid, name, parent, ...others } = values
  const sound = Object.values(values).every((value) => value !== undefined && value !== '')
  if (!sound || Object.keys(others).length > 0 || !['true', 'false', undefined].includes(parent))
    throw misread('organisation', text)
  return {
    ...(uuid !== undefined && { uuid }),
    ...(name !== undefined && { name }),
    ...(parent !== undefined && { parent: parent === 'true' }),
  }
}

function misread(name: string, text: string): UsageError {
  const expected = requestFlags.find((flag) => flag.name === name)?.expected
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
  return objectOf('--request', text)
}
