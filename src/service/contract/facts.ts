import * as z from 'zod'
import type { Assumptions } from '../../core/model/assumption.ts'
import { MOST_AT_ONCE } from '../../core/model/callback.ts'
import { PROMPT_LASTS_US } from '../../core/model/kind.ts'
import { must } from '../../core/model/must.ts'
import {
  commonReasons,
  inForce,
  type Reason,
  Refusal,
  refusalAnswer,
  refusalCatalogue,
  refusalCodes,
  stages,
} from '../../core/model/refusal.ts'
import { formatDuration } from '../../core/model/time.ts'
import { PAID_BEFORE_EXPIRY_US } from '../../core/rail-outcomes.ts'
import type { ContractHeader, Fact, OpenApiResponse } from '../../http/contract.ts'
import { grounded, type JsonSchema, schemaRef } from '../../http/json-schema.ts'
import { type Operation, takesKey } from '../../http/operation.ts'
import { MOST_ENTRIES, NESTING_MAX } from '../../http/read-body.ts'
import { type AssumptionId, asChosen, type Chosen } from '../assumptions/assumptions.ts'
import { type Conventional, conventions } from '../assumptions/conventions.ts'
import { PASS_EVERY_US } from '../declarations/record.ts'
import { LONGEST_TEXT, type Source } from '../fields.ts'
import { TZS_MINIMUM } from '../kinds/send-money.ts'
import { tokenReasons } from '../operations/token.ts'
import { fieldUnknown, readRequest, requestUnder } from '../requests/request.ts'

export const factsOf = (operations: readonly Operation[]): readonly Fact[] => [
  ...Object.entries(stages).map(([name, { about, ground }], i) =>
    factOf({ ground }, { about: 'order', name, value: String(i + 1), meaning: `checked: ${about}` }),
  ),
  ...allReasons(operations).map((reason) => {
    const { status, code } = refusalAnswer(reason)
    return factOf(reason, { about: 'refusal', name: reason.when, value: `${status} ${code}`, meaning: reason.stage })
  }),
  ...Object.entries(refusalCatalogue).map(([name, one]) =>
    factOf(one, { about: 'code', name, value: String(one.status), meaning: one.message }),
  ),
  ...Object.entries(answerHeaders).map(([name, one]) => factOf(one, { about: 'answer header', name, ...one })),
  ...Object.entries(callbackHeaderFacts).map(([name, one]) => factOf(one, { about: 'callback header', name, ...one })),
  ...Object.entries(defaults).map(([name, one]) => factOf(one, { about: 'default', name, ...one })),
  ...Object.entries(conventions).map(([name, one]) =>
    factOf({ ground: `convention: ${name}` }, { about: 'convention', name, ...one }),
  ),
]

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
function reasonsOf(operation: Operation, assumptions: Assumptions): Reason[] {
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
  const schema = declared && requestUnder(declared, chosen).schema
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

/** `source`: the part of the specification. `on`: headers of answers with this status. */
interface NamedValue {
  value: string
  meaning: string
  ground: Source | AssumptionId | Conventional | 'scenario' | 'own'
  source?: string
  on?: number | 'all'
}

function namedValue(
  value: string,
  meaning: string,
  ground: NamedValue['ground'],
  more: Partial<NamedValue> = {},
): NamedValue {
  return { value, meaning, ground, ...more }
}

const LIMITS = 'convention: limits that no source shows'

/** Besides those that an assumption chooses, whose record says them. */
const defaults: Readonly<Record<string, NamedValue>> = {
  'smallest payout in TZS': namedValue(
    String(TZS_MINIMUM),
    'A rule of the default scenario refuses less; a scenario may decide otherwise',
    'specified',
    { source: 'Limits' },
  ),
  'time until a payment ends': namedValue(
    'as the rule says that decides it',
    'Within seconds in the default scenario',
    'scenario',
  ),
  'pay before expiry': namedValue(
    formatDuration(PAID_BEFORE_EXPIRY_US),
    'A session that a rule lets expire, and that is paid before, is settled after this long',
    'scenario',
  ),
  'life of a prompt on a handset': namedValue(
    formatDuration(PROMPT_LASTS_US),
    'Where a rule waits for the handset and does not say how long: then.prompt',
    'scenario',
  ),
  'pass over pending records': namedValue(
    `every ${formatDuration(PASS_EVERY_US)}`,
    'What moves updatedAt of payments that are still PENDING',
    'convention: updatedAt while PENDING',
  ),
  'callbacks under way to one receiver': namedValue(
    String(MOST_AT_ONCE),
    'At most; more wait: callbacks.concurrency',
    'scenario',
  ),
  'depth of a body': namedValue(`${NESTING_MAX} levels`, 'More is 400', LIMITS),
  'entries of a list or object': namedValue(String(MOST_ENTRIES), 'More is 400', LIMITS),
  'length of a text': namedValue(`${LONGEST_TEXT} characters`, 'Where its field says nothing else', LIMITS),
  'requests in a while': namedValue(
    'as many as come',
    'Rate limits are not shown: a fault of a scenario may set one',
    'scenario',
  ),
}

const NOT_SENT_THERE = 'Only mfano sends it, not the real service'
const OF_HTTP = 'HTTP itself'
const WORLD_TIME = 'the time of the world, to the second'
const JSON_BODIES = ['application/json', 'All bodies are JSON'] as const

/** Needed by HTTP itself, so they say nothing about the service. */
const ofHttp = {
  connection: namedValue('keep-alive or close', OF_HTTP, 'own'),
  'content-length': namedValue('bytes of the body', OF_HTTP, 'own'),
}

const answerHeaders: Readonly<Record<string, NamedValue>> = {
  'content-type': namedValue(...JSON_BODIES, 'specified', { source: 'What the service does' }),
  allow: namedValue('the methods of the path', 'With 405: what would be possible', 'unsupported-method', { on: 405 }),
  location: namedValue(
    'the address as it is published',
    'With 301 and 308: where a path with a slash behind it leads',
    'trailing-slash',
  ),
  'retry-after': namedValue('seconds', 'With 429: when to ask again', 'retry-after', { on: 429 }),
  'mfano-request-id': namedValue('the id of the request in the journal', NOT_SENT_THERE, 'own', { on: 'all' }),
  'mfano-rule': namedValue('the rule of the scenario that decided', NOT_SENT_THERE, 'own', { on: 'all' }),
  ...ofHttp,
  'transfer-encoding': namedValue('chunked', 'HTTP itself, of lists', 'own'),
  date: namedValue(WORLD_TIME, OF_HTTP, 'own'),
  'keep-alive': namedValue('timeout in seconds', OF_HTTP, 'own'),
}

export function headersOf(status: number, inForce: Assumptions): Record<string, ContractHeader> {
  const told = Object.entries(answerHeaders).filter(
    ([name, { on }]) =>
      (on === 'all' || on === status) && !(name === 'retry-after' && inForce['retry-after'] === 'none'),
  )
  const header = (name: string, { value, meaning, ground }: NamedValue): ContractHeader => ({
    description: `${meaning}: ${value}`,
    schema: { type: name === 'retry-after' ? 'integer' : 'string' },
    ...grounded(ground),
  })
  return Object.fromEntries(told.map(([name, one]) => [name, header(name, one)]))
}

const HEADERS_OF_CALLBACKS = 'convention: headers of a callback'
const TRACES = 'convention: the trace context of a callback'

export const callbackHeaderFacts = {
  'content-type': namedValue(...JSON_BODIES, HEADERS_OF_CALLBACKS),
  'user-agent': namedValue('mfano', 'The sender', HEADERS_OF_CALLBACKS),
  traceparent: namedValue(
    'as the request brought it',
    'Copied from the request that led to it, if it had a valid one',
    TRACES,
  ),
  tracestate: namedValue('as the request brought it', 'Beside traceparent, where the request brought it.', TRACES),
  'webhook-id': namedValue('msg_ and a number', 'The same for every attempt of a callback.', 'callback-signature'),
  'webhook-timestamp': namedValue(
    'seconds since the epoch',
    'When it was signed, by real time unless callbacks.signatureTime says otherwise.',
    'callback-signature',
  ),
  'webhook-signature': namedValue(
    'v1, and base64',
    'v1, and the base64 HMAC-SHA256 of id.timestamp.body.',
    'callback-signature',
  ),
  'mfano-callback': namedValue('true', NOT_SENT_THERE, 'own'),
  host: namedValue('of the callback address', OF_HTTP, 'own'),
  date: namedValue(WORLD_TIME, 'When it was sent, in HTTP’s own form', 'own'),
  ...ofHttp,
}

function factOf(
  { ground, source = null }: { ground: string; source?: string | null },
  { about, name, value, meaning }: Pick<Fact, 'about' | 'name' | 'value' | 'meaning'>,
): Fact {
  const { 'x-basis': basis, 'x-assumption': assumption = null, 'x-convention': convention = null } = grounded(ground)
  return { about, name, value, meaning, basis, source, assumption, convention, byScenario: ground === 'scenario' }
}

const ERROR_SCHEMAS = {
  nested: 'ErrorNested',
  flat: 'ErrorFlat',
  'field-list': 'ErrorFieldList',
  envelope: 'ErrorEnvelope',
} as const

/** By status. `default`: an error that only the scenario decides about. */
export function refusalResponses(operation: Operation, assumptions: Assumptions): [string, OpenApiResponse][] {
  const { assumption, form } = errorForm(operation, assumptions)
  const shared = {
    'x-assumption': { id: assumption, value: must(assumptions[assumption]) },
    content: { 'application/json': { schema: schemaRef(ERROR_SCHEMAS[form]) } },
  }
  const byStatus = Map.groupBy(reasonsOf(operation, assumptions), (reason) => refusalAnswer(reason).status)
  const statuses = [...byStatus].sort(([a], [b]) => a - b)
  return [
    ...statuses.map(([status, reasons]): [string, OpenApiResponse] => {
      const codes = refusalCodes.filter((code) => reasons.some((reason) => reason.code === code))
      const isListed = codes.some((code) => refusalCatalogue[code].status === status)
      return [
        String(status),
        {
          description: isListed
            ? codes.map((code) => refusalCatalogue[code].message).join(', or: ')
            : reasons.map(({ when }) => when).join(', or: '),
          'x-basis': isListed && reasons.some(({ ground }) => ground === 'published') ? 'published' : 'assumed',
          'x-codes': codes,
          'x-refusals': reasons.map(({ when, code, ground }) => ({ when, code, ...grounded(ground) })),
          ...shared,
        },
      ]
    }),
    [
      'default',
      {
        description: 'A rule or a fault of the scenario answers it: any of the codes, or one of its own.',
        'x-basis': 'assumed',
        'x-codes': refusalCodes,
        ...shared,
      },
    ],
  ]
}

function errorText(description: string): JsonSchema {
  return { type: 'string', description, 'x-basis': 'published' }
}

function errorObject(
  description: string,
  properties: Record<string, JsonSchema>,
  required = Object.keys(properties),
): JsonSchema {
  return { type: 'object', description, 'x-basis': 'published', properties, required, additionalProperties: false }
}

const codeText = errorText('One of the published codes; a scenario may use its own.')
const message = errorText('The message of the code.')
const details = errorText('The field, what was expected and what came.')

/** An assumption chooses which of the three is sent. */
export const errorSchemas: Record<string, JsonSchema> = {
  ErrorEnvelope: errorObject('As a withdrawn page of the Tanzania reads lists codes: assumption tz-error-body.', {
    status: { type: 'integer', description: 'The HTTP status again.', 'x-basis': 'assumed' },
    message: errorText('The code.'),
    data: { type: 'null', description: 'Nothing.', 'x-basis': 'assumed' },
  }),
  ErrorFieldList: errorObject('As the checkout page shows it.', {
    message: errorText('The reason.'),
    errors: {
      type: 'object',
      description: 'For every wrong field, what is wrong with it.',
      'x-basis': 'published',
      additionalProperties: { type: 'array', items: { type: 'string' } },
    },
  }),
  ErrorFlat: errorObject(
    'As the table of the errors page lists it.',
    { errorCode: codeText, message, details, statusCode: errorText('The HTTP status as text.') },
    ['errorCode', 'message', 'statusCode'],
  ),
  ErrorNested: errorObject('As the sample of the errors page shows it.', {
    error: errorObject('The error.', { code: codeText, message, details }, ['code', 'message']),
  }),
}

// Bodies of errors. Three forms are published, so an assumption chooses one.

export type ErrorForm = Chosen['error-body'] | 'envelope'

export function errorBody(refusal: Refusal, form: ErrorForm): object {
  if (form === 'nested') return { error: { code: refusal.code, message: refusal.message, details: refusal.details } }
  if (form === 'flat') {
    return {
      errorCode: refusal.code,
      message: refusal.message,
      details: refusal.details,
      statusCode: String(refusal.status),
    }
  }
  if (form === 'envelope') return { status: refusal.status, message: withdrawnCode(refusal), data: null }
  // A field that nobody reads can have any name, `constructor` too.
  const errors: Record<string, string[]> = Object.create(null)
  for (const { field, message } of refusal.fields) {
    errors[field] ??= []
    errors[field].push(message)
  }
  const message = refusal.status === 400 && refusal.fields.length > 0 ? 'Invalid request payload' : refusal.message
  return { message, errors }
}

export function errorForm(
  operation: Operation | undefined,
  assumptions: Assumptions,
): { assumption: string; form: ErrorForm } {
  const own = operation?.errorForm
  if (own === 'tz-error-body' && assumptions[own] === 'withdrawn') return { assumption: own, form: 'envelope' }
  const assumption = own === undefined || own === 'tz-error-body' ? 'error-body' : own
  return { assumption, form: assumptions[assumption] as Chosen['error-body'] }
}

/** The Tanzania reads have codes of their own on a withdrawn page. Other refusals keep the general code. */
function withdrawnCode({ status, code, fields }: Refusal): string {
  if (status === 400 && fields.some(({ field }) => field === 'requestId')) return 'INVALID_REQUEST_ID'
  return { 401: 'UNAUTHORIZED', 404: 'NOT_FOUND', 429: 'RATE_LIMITED' }[status] ?? code
}
