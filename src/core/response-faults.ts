import * as z from 'zod'
import { buildEnvironment, type ConditionEnvironment } from './expressions.ts'
import type { Assumptions } from './model/assumption.ts'
import { checkErrorAnswer, errorAnswerShape, faultsWritten, responseFaultShape } from './model/faults.ts'
import type { Libraries, Service, ServiceOperation } from './model/kind.ts'
import { must } from './model/must.ts'
import {
  below,
  checked,
  checkTogether,
  described,
  didYouMean,
  optional,
  type Path,
  quote,
  type Tell,
} from './model/problems.ts'
import type { RequestFacts } from './scenarios/decisions/payment-facts.ts'
import { shortText } from './scenarios/keys/schema-parts.ts'
import { faultName, inWords, readSelector, type Selecting, selectedBy } from './scenarios/keys/selector.ts'
import type { SourceText } from './source-text.ts'
import { givenVariable, requestFields, things, type Variable, variable } from './vocabulary.ts'

const fault = ({ operations }: Service) =>
  checked(
    z.strictObject({
      name: faultName(),
      on: described(
        z.union([shortText(120), z.array(shortText(120)).min(1).max(100)]),
        'an operation by method and path or by its id, a list of them, or * for all',
        'POST /api/sandbox/v1/send-money',
        'getToken',
        '*',
      ),
      ...selectedBy(
        ['organisation'],
        'a condition in CEL over request (its path, query and body), headers, organisation, now and nth',
        'request.amount > 10000',
        'now.getHours() < 6',
      ),
      after: optional(z.literal(true), 'true: the request is executed before the fault'),
      then: described(
        z.strictObject(responseFaultShape),
        'the fault of the answer',
        { status: 503 },
        { reset: true },
        { latency: '2s' },
      ),
    }),
    (file, tell) => checkResponseFault(file, tell, operations),
  ).describe('a fault of answers')

export const faults = (service: Service) =>
  described(
    z.array(fault(service)).max(1000),
    'faults of answers; the first match applies; those of the extended scenario come after these',
    [{ on: 'POST /api/sandbox/v1/send-money', chance: 0.01, then: { status: 503 } }],
  )

export type ResponseFaultRuleFile = z.infer<ReturnType<typeof fault>>

export interface ResponseFaultRule extends Selecting<ResponseFaultRuleFile> {
  variables: ReadonlyMap<string, Variable>
}

const ANY = '*'

export function isOff({ only }: Pick<ServiceOperation, 'only'>, assumptions: Assumptions): boolean {
  return only !== undefined && assumptions[only.assumption] !== only.is
}

export function faultTarget(operation: { method: string; path: string }): string {
  return `${operation.method.toUpperCase()} ${operation.path}`
}

export function readResponseFaultRule(
  fault: ResponseFaultRuleFile,
  path: Path,
  usualName: string,
  source: SourceText,
  operations: readonly ServiceOperation[],
): ResponseFaultRule {
  const on = [fault.on].flat()
  const environment = fault.when === undefined ? undefined : conditionsOn(on, operations, source.libraries)
  const subjects = { targets: [ANY], environmentOf: () => must(environment) }
  const rule = readSelector(fault, path, source, { name: fault.name ?? usualName, on: [...new Set(on)], ...subjects })
  return { ...rule, conditionOn: () => rule.conditionOn(ANY), variables: environment?.variables ?? new Map() }
}

/** Not in the schema, because it depends on the operations, or on the keys beside it. */
function checkResponseFault(
  { on, then, after }: ResponseFaultRuleFile,
  tell: Tell,
  operations: readonly ServiceOperation[],
): void {
  const known = [ANY, ...operations.map(faultTarget), ...operations.map(({ id }) => id)]
  for (const [i, name] of [on].flat().entries()) {
    if (known.includes(name)) continue
    const begun = operations.find(({ opens }) => opens === name)
    const hint = begun ? ` ${name} payments begin with ${faultTarget(begun)}.` : didYouMean(name, known)
    const message = `${quote(name)} is not an operation. Expected one by method and path, such as POST /api/sandbox/v1/send-money, by its id, such as createSendMoney, or *.${hint}`
    tell(message, Array.isArray(on) ? ['on', i] : ['on'])
  }
  checkOutcome(then, after === true, below(tell, 'then'))
}

function checkOutcome(then: ResponseFaultRuleFile['then'], after: boolean, tell: Tell): void {
  const found = faultsWritten(then).map(({ field, record }) => ({ ...record, field }))
  if (found.length === 0) tell('Nothing goes wrong here. Write, for example, status: 503 or latency: 2s.')
  if (found.some(({ field }) => field in errorAnswerShape)) checkErrorAnswer(then, tell)
  const [first, second] = found.filter(({ way }) => way !== undefined)
  const why = 'an answer can meet one of them'
  if (first && second) checkTogether([{ field: first.field, excludes: { why } }, { field: second.field }], tell)
  checkTogether(found, tell)
  if (after && first?.way === 'before')
    tell(
      `${quote(first.field)} turns the request away, so nothing can be executed before. Remove after.`,
      [first.field],
      'key',
    )
}

/** The last operation that has a field says what it is. */
export function requestOf(...operations: readonly ServiceOperation[]) {
  return requestFields(...operations.flatMap(({ body, query, params }) => [body, query, params]))
}

export function conditionsOn(
  on: readonly string[],
  operations: readonly ServiceOperation[],
  libraries: Libraries,
): ConditionEnvironment {
  const meant = operations.filter((one) => watches({ on }, one))
  const { fields, defaults } = requestOf(...meant.toReversed())
  const variables = [variable('request', fields, { defaults }), givenVariable(fields), things.organisation, things.time]
  return buildEnvironment(libraries, variables, { subject: on.includes(ANY) ? 'any operation' : on.join(' and ') })
}

export function mayPass({ then }: ResponseFaultRule): boolean {
  return faultsWritten(then).some(({ record }) => record.passes)
}

export function printResponseFault({ then, written }: ResponseFaultRule): string {
  return `${written.after ? 'executed, then ' : ''}${inWords(then)}`
}

export function turnOn(operation: ServiceOperation): string {
  return `${faultTarget(operation)} is off here. Turn it on: assumptions: { ${operation.only?.assumption}: ${operation.only?.is} }.`
}

export function watches({ on }: Pick<ResponseFaultRule, 'on'>, operation: RequestFacts['operation']): boolean {
  return on.includes(ANY) || on.includes(operation.id) || on.includes(faultTarget(operation))
}
