/** Faults of HTTP answers: read from `faults` and checked against the operations. */
import type { RequestFacts } from './contexts.ts'
import {
  buildEnvironment,
  CONDITIONS_PAGE,
  type Condition,
  type ConditionEnvironment,
  compileIn,
} from './expressions.ts'
import type { Assumptions } from './model/assumption.ts'
import { counted } from './model/counted.ts'
import { type Delay, parseDelay, printDelay } from './model/delays.ts'
import { didYouMean } from './model/did-you-mean.ts'
import type { ErrorAnswer } from './model/faults.ts'
import type { Fields } from './model/field-types.ts'
import type { Libraries } from './model/libraries.ts'
import { type Path, printPath, quote } from './model/problems.ts'
import type { FaultSummary } from './model/rule-summaries.ts'
import type { ServiceOperation } from './model/simulated-service.ts'
import { type DurationUs, parseDuration } from './model/time.ts'
import { readErrorAnswer } from './scenarios/language/planned-faults.ts'
import { type RequestFields, requestFields } from './scenarios/language/request-fields.ts'
import type { ResponseFaultRuleFile } from './scenarios/language/response-fault-schema.ts'
import { readSelector, type Selector, summariseSelector } from './scenarios/language/selector.ts'
import { timeFields, timeWords } from './scenarios/language/time-of-day.ts'
import type { SourceText } from './source-text.ts'
import { givenVariable, type Variable, variable } from './vocabulary.ts'

export interface ResponseFaultRule extends Selector {
  variables: ReadonlyMap<string, Variable>
  after: boolean
  then: ResponseFaultOutcome
}

export interface ResponseFaultOutcome {
  answer?: ErrorAnswer | 'reset' | 'empty'
  latency?: Delay
  truncate?: { bytes: number } | { fraction: number }
  bytesPerSecond?: number
  rateLimit?: { max: number; perUs: DurationUs; retryAfterUs: DurationUs | undefined }
  revoke?: 'all' | DurationUs
}

export const LONGEST_LATENCY_US = 60_000_000
const ANY = '*'
const time = variable('time', timeFields, { words: timeWords })
const organisation = variable('organisation', { uuid: 'string', name: 'string', parent: 'bool' })

export function isOff({ only }: Pick<ServiceOperation, 'only'>, assumptions: Assumptions): boolean {
  return only !== undefined && assumptions[only.assumption] !== only.is
}

export function faultTarget(operation: { method: string; path: string }): string {
  return `${operation.method.toUpperCase()} ${operation.path}`
}

export function readResponseFaultRule(
  fault: ResponseFaultRuleFile,
  index: number,
  scenario: string,
  source: SourceText,
  operations: readonly ServiceOperation[],
): ResponseFaultRule {
  const path: Path = ['faults', index]
  const on = Array.isArray(fault.on) ? fault.on : [fault.on]
  checkTargets(on, [...path, 'on'], source, operations)
  const { condition, variables } = readCondition(fault.when, on, [...path, 'when'], source, operations)
  return {
    ...readSelector(fault, path, source, {
      name: fault.name ?? `fault ${index + 1} of ${scenario}`,
      on: [...new Set(on)],
      conditionOn: () => condition,
    }),
    variables,
    after: fault.after === true,
    then: readOutcome(fault, [...path, 'then'], source),
  }
}

function checkTargets(
  on: readonly string[],
  path: Path,
  source: SourceText,
  operations: readonly ServiceOperation[],
): void {
  const known = [ANY, ...operations.map(faultTarget), ...operations.map(({ id }) => id)]
  for (const [i, name] of on.entries()) {
    if (known.includes(name)) continue
    const at = source.nodeAt([...path, i]) ? [...path, i] : path
    const begun = operations.find(({ opens }) => opens === name)
    const hint = begun ? ` ${name} payments begin with ${faultTarget(begun)}.` : didYouMean(name, known)
    source.report(
      source.offsetOf(at),
      printPath(at),
      `${quote(name)} is not an operation. Expected one by method and path, such as POST /api/sandbox/v1/send-money, by its id, such as createSendMoney, or *.${hint}`,
    )
  }
}

function readCondition(
  when: string | undefined,
  on: readonly string[],
  path: Path,
  source: SourceText,
  operations: readonly ServiceOperation[],
): { condition: Condition | undefined; variables: ReadonlyMap<string, Variable> } {
  if (when === undefined) return { condition: undefined, variables: new Map() }
  const { subject, environment } = conditionsOn(on, operations, source.libraries)
  const { condition, problem } = compileIn(when, subject, environment)
  if (problem)
    source.report(source.offsetWithin(path, problem.start), printPath(path), `${problem.message} ${CONDITIONS_PAGE}`)
  return { condition, variables: environment.variables }
}

export function requestOf({ body, query, params }: ServiceOperation): Pick<RequestFields, 'fields' | 'defaults'> {
  const parts = [body, query, params].flatMap((schema) => (schema ? [requestFields(schema)] : []))
  return {
    fields: Object.assign({}, ...parts.map(({ fields }) => fields)),
    defaults: Object.assign({}, ...parts.map(({ defaults }) => defaults)),
  }
}

export function conditionsOn(
  on: readonly string[],
  operations: readonly ServiceOperation[],
  libraries: Libraries,
): { subject: string; environment: ConditionEnvironment } {
  const meant = operations.filter((one) => on.includes(ANY) || on.includes(one.id) || on.includes(faultTarget(one)))
  const requests = meant.toReversed().map(requestOf)
  const fields: Fields = Object.assign({}, ...requests.map((one) => one.fields))
  const defaults = Object.assign({}, ...requests.map((one) => one.defaults))
  return {
    subject: on.includes(ANY) ? 'any operation' : on.join(' and '),
    environment: buildEnvironment(libraries, [
      variable('request', fields, { defaults }),
      givenVariable(fields),
      organisation,
      time,
    ]),
  }
}

const EXCLUSIVE = ['status', 'reset', 'empty', 'truncate', 'rateLimit', 'revokeTokens'] as const

function readOutcome({ then, after }: ResponseFaultRuleFile, path: Path, source: SourceText): ResponseFaultOutcome {
  const report = (key: string | undefined, message: string) => {
    const at = key === undefined ? path : [...path, key]
    source.report(key === undefined ? source.offsetOf(at) : source.keyOffsetOf(at), printPath(at), message)
  }
  const isError = then.status !== undefined || then.code !== undefined || then.message !== undefined
  const ways = EXCLUSIVE.filter((way) => (way === 'status' ? isError : then[way] !== undefined))
  const [first, second] = ways
  if (first && second)
    report(second, `${quote(second)} cannot stand beside "${first}": an answer can meet one of them.`)
  if (!first && then.latency === undefined && !then.slowBody)
    report(undefined, 'Nothing goes wrong here. Write, for example, status: 503 or latency: 2s.')
  if (then.slowBody && (then.reset || then.empty || then.truncate !== undefined))
    report('slowBody', `"slowBody" cannot stand beside "${first}": write two faults, or the one that matters.`)
  if (after && (first === 'rateLimit' || first === 'revokeTokens'))
    report(first, `${quote(first)} turns the request away, so nothing can be executed before. Remove after.`)

  const outcome: ResponseFaultOutcome = {}
  if (isError) outcome.answer = readErrorAnswer(then, path, source)
  if (then.reset) outcome.answer = 'reset'
  if (then.empty) outcome.answer = 'empty'
  if (then.truncate !== undefined)
    outcome.truncate =
      then.truncate > 0 && then.truncate < 1 ? { fraction: then.truncate } : { bytes: Math.floor(then.truncate) }
  if (then.slowBody) outcome.bytesPerSecond = then.slowBody.bytesPerSecond
  if (then.latency !== undefined) {
    const latency = parseDelay(then.latency)
    if (typeof latency === 'string') report('latency', latency)
    else {
      outcome.latency = latency
      // A log-normal draw that is longer than that is cut.
      const longestUs = latency.lognormal?.p95Us ?? latency.toUs
      if (longestUs > LONGEST_LATENCY_US) report('latency', 'An answer is held back for 1m at the most.')
    }
  }
  if (then.rateLimit) {
    const { max, per, retryAfter } = then.rateLimit
    const perUs = parseDuration(per) ?? 0
    if (perUs < 1000) report('rateLimit', 'Expected per to be at least 1ms.')
    outcome.rateLimit = { max, perUs, retryAfterUs: retryAfter === undefined ? undefined : parseDuration(retryAfter) }
  }
  if (then.revokeTokens)
    outcome.revoke = then.revokeTokens === true ? 'all' : (parseDuration(then.revokeTokens.after) ?? 0)
  return outcome
}

export function summariseResponseFaultRule(fault: ResponseFaultRule, ownFile: string): FaultSummary {
  const passes = fault.then.rateLimit !== undefined || fault.then.revoke !== undefined
  return summariseSelector(fault, ownFile, { then: printFault(fault), passes })
}

function printFault({ then, after }: ResponseFaultRule): string {
  const { answer, latency, truncate, bytesPerSecond, rateLimit, revoke } = then
  const parts = [
    latency && `${printDelay(latency)} late`,
    answer && (typeof answer === 'string' ? answer : `${answer.status} ${answer.code}`),
    truncate && `cut after ${'bytes' in truncate ? counted(truncate.bytes, 'byte') : `${truncate.fraction} of it`}`,
    bytesPerSecond !== undefined && `${counted(bytesPerSecond, 'byte')} per second`,
    rateLimit && `at most ${rateLimit.max} per ${printDelay({ fromUs: rateLimit.perUs, toUs: rateLimit.perUs })}`,
    revoke !== undefined &&
      (revoke === 'all' ? 'tokens revoked' : `tokens last ${printDelay({ fromUs: revoke, toUs: revoke })}`),
  ]
  return `${after ? 'executed, then ' : ''}${parts.filter(Boolean).join(', ')}`
}

export function turnOn(operation: ServiceOperation): string {
  return `${faultTarget(operation)} is off here. Turn it on: assumptions: { ${operation.only?.assumption}: ${operation.only?.is} }.`
}

export function watches({ on }: Pick<ResponseFaultRule, 'on'>, operation: RequestFacts['operation']): boolean {
  return on.includes('*') || on.includes(operation.id) || on.includes(faultTarget(operation))
}
