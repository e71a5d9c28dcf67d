/** All facts about the service besides fields, for the contract and the fidelity report, refusals among them. */
import * as z from 'zod'
import type { Assumptions } from '../../core/model/assumption.ts'
import { type Fact, factOf } from '../../core/model/fact.ts'
import { Refusal, refusalCatalogue } from '../../core/model/refusal.ts'
import { commonReasons, inForce, type Reason, refusalAnswer, stages } from '../../core/model/refusal-reasons.ts'
import { type Operation, takesKey } from '../../http/operation.ts'
import { asChosen, type Chosen } from '../assumed/assumptions.ts'
import { conventions } from '../assumed/conventions.ts'
import { tokenReasons } from '../operations/token/tokens.ts'
import { grown } from '../requests/more-fields.ts'
import { fieldUnknown, readRequest } from '../requests/read-request.ts'
import { defaults } from './defaults.ts'
import { answerHeaders, callbackHeaderFacts } from './headers.ts'

export const factsOf = (operations: readonly Operation[]): readonly Fact[] => [
  ...Object.entries(stages).map(([name, { about, ground }], i) =>
    factOf({ ground }, { about: 'order', name, value: String(i + 1), meaning: `checked: ${about}` }),
  ),
  ...allReasons(operations).map((reason) => {
    const { status, code } = refusalAnswer(reason)
    return factOf(reason, { about: 'refusal', name: reason.when, value: `${status} ${code}`, meaning: reason.stage })
  }),
  ...Object.entries(refusalCatalogue).map(([name, known]) =>
    factOf(known, { about: 'code', name, value: String(known.status), meaning: known.message }),
  ),
  ...Object.entries(answerHeaders).map(([name, known]) => factOf(known, { about: 'answer header', name, ...known })),
  ...Object.entries(callbackHeaderFacts).map(([name, known]) =>
    factOf(known, { about: 'callback header', name, ...known }),
  ),
  ...Object.entries(defaults).map(([name, known]) => factOf(known, { about: 'default', name, ...known })),
  ...Object.entries(conventions).map(([name, known]) =>
    factOf({ ground: `convention: ${name}` }, { about: 'convention', name, ...known }),
  ),
]

/** Refusals of the road, by what it does for an operation. */
const road = {
  always: reasonsNamed('otherMethod', 'rateLimited', 'brokenDown', 'notExecuted', 'worldClosed'),
  bearer: [...reasonsNamed('tokenMissing', 'tokenMalformed'), ...tokenReasons],
  headers: reasonsNamed('headerMissing'),
  keyed: reasonsNamed('keyUsed'),
  readsBody: reasonsNamed('bodyTooLarge', 'bodyBrokenOff'),
  body: [...reasonsNamed('mediaType', 'bodyNotJson', 'bodyTooDeep'), fieldUnknown],
  fields: reasonsNamed('fieldInvalid'),
  required: reasonsNamed('fieldMissing'),
}

function reasonsNamed(...names: (keyof typeof commonReasons)[]): Reason[] {
  return names.map((name) => commonReasons[name])
}

/** All that an operation may answer by itself: what the road refuses on its way to it, and its own. */
export function reasonsOf(operation: Operation, assumptions: Assumptions): Reason[] {
  const { auth, method, params, query, body, headers = [], refuses = [] } = operation
  const chosen = asChosen(assumptions)
  const declared: Reason[] = [
    ...road.always,
    ...(auth === 'bearer' ? road.bearer : []),
    ...(headers.length > 0 ? road.headers : []),
    ...(takesKey(operation) ? road.keyed : []),
    ...(method === 'get' ? [] : road.readsBody),
    ...(body ? road.body : []),
    ...([params, query, body].some((one) => hasFields(one, chosen)) ? road.fields : []),
    ...([query, body].some((one) => needsFields(one, chosen)) ? road.required : []),
    ...refuses,
  ]
  return inOrder(declared.flatMap((one) => inForce(one, assumptions) ?? []))
}

function hasFields(declared: z.ZodType | undefined, chosen: Chosen): boolean {
  const schema = declared && grown(declared, chosen)
  return schema instanceof z.ZodObject && Object.keys(schema.shape).length > 0
}

function needsFields(schema: z.ZodType | undefined, chosen: Chosen): boolean {
  try {
    if (schema) readRequest(schema, {}, chosen)
    return false
  } catch (error) {
    return error instanceof Refusal && error.code === commonReasons.fieldMissing.code
  }
}

/** Under whatever is assumed, each once. */
export function allReasons(operations: readonly Operation[]): Reason[] {
  const own = operations.flatMap(({ refuses = [] }) => refuses)
  const all: Reason[] = [...Object.values(commonReasons), ...Object.values(road).flat(), ...own]
  return inOrder([...new Map(all.map((one) => [`${one.when} ${one.ground}`, one])).values()])
}

function inOrder(reasons: readonly Reason[]): Reason[] {
  const order = Object.keys(stages)
  return reasons.toSorted((a, b) => order.indexOf(a.stage) - order.indexOf(b.stage))
}
