import * as z from 'zod'
import { buildEnvironment, type ConditionEnvironment } from './expressions.ts'
import type { Assumptions } from './model/assumption.ts'
import { recordsIn, responseFaultShape } from './model/faults.ts'
import type { Fields, Libraries, Service, ServiceOperation } from './model/kind.ts'
import { must } from './model/must.ts'
import { below, checked, described, didYouMean, optional, type Path, quote, type Tell } from './model/problems.ts'
import type { RequestFacts } from './scenarios/decisions/payment-facts.ts'
import { shortText } from './scenarios/keys/schema-parts.ts'
import { faultName, readSelector, type Selecting, selectedBy } from './scenarios/keys/selector.ts'
import type { SourceText } from './source-text.ts'
import { givenVariable, type RequestFields, requestFields, things, type Variable, variable } from './vocabulary.ts'

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
  for (const { record } of recordsIn(then)) record.check?.(then, below(tell, 'then'))
  checkTogether(then, after === true, below(tell, 'then'))
}

function checkTogether(then: ResponseFaultRuleFile['then'], after: boolean, tell: Tell): void {
  const found = recordsIn(then).map(({ name, record }) => {
    const [field = name] = Object.keys(record.fields)
    return { ...record, name, field }
  })
  const [first, second] = found.filter(({ way }) => way !== undefined)
  if (first && second) {
    const why = `${quote(second.field)} cannot stand beside ${quote(first.field)}: an answer can meet one of them.`
    tell(why, [second.field], 'key')
  }
  if (found.length === 0 && Object.keys(then).length === 0)
    tell('Nothing goes wrong here. Write, for example, status: 503 or latency: 2s.')
  for (const { excludes, field } of found) {
    const beside = found.find(({ name }) => excludes?.names.includes(name))
    if (excludes && beside)
      tell(`${quote(field)} cannot stand beside ${quote(beside.field)}: ${excludes.why}.`, [field], 'key')
  }
  if (after && first?.way === 'before') {
    const why = `${quote(first.field)} turns the request away, so nothing can be executed before. Remove after.`
    tell(why, [first.field], 'key')
  }
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
): ConditionEnvironment {
  const meant = operations.filter((one) => on.includes(ANY) || on.includes(one.id) || on.includes(faultTarget(one)))
  const requests = meant.toReversed().map(requestOf)
  const fields: Fields = Object.assign({}, ...requests.map((one) => one.fields))
  const defaults = Object.assign({}, ...requests.map((one) => one.defaults))
  const variables = [variable('request', fields, { defaults }), givenVariable(fields), things.organisation, things.time]
  return buildEnvironment(libraries, variables, { subject: on.includes(ANY) ? 'any operation' : on.join(' and ') })
}

export function mayPass({ then }: ResponseFaultRule): boolean {
  return recordsIn(then).some(({ record }) => record.passes)
}

export function printResponseFault({ then, written }: ResponseFaultRule): string {
  const parts = recordsIn(then).map(({ record }) => record.print(then))
  return `${written.after ? 'executed, then ' : ''}${parts.join(', ')}`
}

export function turnOn(operation: ServiceOperation): string {
  return `${faultTarget(operation)} is off here. Turn it on: assumptions: { ${operation.only?.assumption}: ${operation.only?.is} }.`
}

export function watches({ on }: Pick<ResponseFaultRule, 'on'>, operation: RequestFacts['operation']): boolean {
  return on.includes('*') || on.includes(operation.id) || on.includes(faultTarget(operation))
}
