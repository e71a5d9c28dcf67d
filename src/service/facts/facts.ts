import * as z from 'zod'
import type { Assumptions } from '../../core/model/assumption.ts'
import { MOST_AT_ONCE } from '../../core/model/callback.ts'
import { PROMPT_LASTS_US } from '../../core/model/kind.ts'
import {
  commonReasons,
  inForce,
  type Reason,
  Refusal,
  refusalAnswer,
  refusalCatalogue,
  stages,
} from '../../core/model/refusal.ts'
import { formatDuration } from '../../core/model/time.ts'
import { PAID_BEFORE_EXPIRY_US } from '../../core/rail-outcomes.ts'
import { bareSettings } from '../../core/scenario.ts'
import type { ContractHeader, Fact } from '../../http/contract.ts'
import { grounded } from '../../http/json-schema.ts'
import { type Operation, takesKey } from '../../http/operation.ts'
import { BODY_LIMITS, MOST_ENTRIES, NESTING_MAX } from '../../http/read-body.ts'
import { type AssumptionId, asChosen, assumptions, type Chosen } from '../assumed/assumptions.ts'
import { type Conventional, conventions } from '../assumed/conventions.ts'
import { LAST_PAGE, PAGE_SIZE } from '../declared/operations.ts'
import { PASS_EVERY_US } from '../declared/record.ts'
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

interface DefaultFact {
  value: string
  meaning: string
  ground: Source | AssumptionId | Conventional | 'scenario' | 'own'
  source?: string
}

const LIMITS = 'convention: limits that no source shows'

const { attempts, backoffUs, timeoutMs } = bareSettings.callbacks

const defaults: Readonly<Record<string, DefaultFact>> = {
  'life of an access token': {
    value: `${assumptions['token-life'].alternatives[0]}s`,
    meaning: 'Counted from when it was issued',
    ground: 'token-life',
    source: 'Limits',
  },
  'life of a refresh token': {
    value: `${6 * Number(assumptions['token-life'].alternatives[0])}s`,
    meaning: 'Counted from when it was issued',
    ground: 'token-life',
    source: 'Limits',
  },
  'smallest payout in TZS': {
    value: String(TZS_MINIMUM),
    meaning: 'A rule of the default scenario refuses less; a scenario may decide otherwise',
    ground: 'specified',
    source: 'Limits',
  },
  'time until a payment ends': {
    value: 'as the rule says that decides it',
    meaning: 'Within seconds in the default scenario',
    ground: 'scenario',
  },
  'pay before expiry': {
    value: formatDuration(PAID_BEFORE_EXPIRY_US),
    meaning: 'A session that a rule lets expire, and that is paid before, is settled after this long',
    ground: 'scenario',
  },
  'life of a prompt on a handset': {
    value: formatDuration(PROMPT_LASTS_US),
    meaning: 'Where a rule waits for the handset and does not say how long: then.prompt',
    ground: 'scenario',
  },
  'life of a prompt on a checkout page': {
    value: assumptions['prompt-life'].alternatives[0],
    meaning: 'How long a customer takes whom nobody plays',
    ground: 'prompt-life',
  },
  'life of a checkout session': {
    value: assumptions['session-life'].alternatives[0],
    meaning: 'Then it is EXPIRED',
    ground: 'session-life',
  },
  'pass over pending records': {
    value: `every ${formatDuration(PASS_EVERY_US)}`,
    meaning: 'What moves updatedAt of payments that are still PENDING',
    ground: 'convention: updatedAt while PENDING',
  },
  'attempts of a callback': {
    value: String(attempts),
    meaning: 'The first included: callbacks.retry',
    ground: 'callback-retries',
  },
  'waits between attempts of a callback': {
    value: backoffUs.map(formatDuration).join(', '),
    meaning: 'Simulated time; the last repeats: callbacks.retry',
    ground: 'callback-retries',
  },
  'time-out of a callback': {
    value: `${timeoutMs / 1000}s`,
    meaning: 'Real time that a receiver has to answer: callbacks.timeout',
    ground: 'callback-timeout',
  },
  'callbacks under way to one receiver': {
    value: String(MOST_AT_ONCE),
    meaning: 'At most; more wait: callbacks.concurrency',
    ground: 'scenario',
  },
  'records on a page of a list': {
    value: `all, or ${PAGE_SIZE}`,
    meaning: `Pages beyond ${LAST_PAGE} are empty`,
    ground: 'list-pages',
  },
  'size of a body': {
    value: `${BODY_LIMITS[assumptions['body-limit'].alternatives[0]]} bytes`,
    meaning: 'More is 413',
    ground: 'body-limit',
  },
  'depth of a body': {
    value: `${NESTING_MAX} levels`,
    meaning: 'More is 400',
    ground: LIMITS,
  },
  'entries of a list or object': {
    value: String(MOST_ENTRIES),
    meaning: 'More is 400',
    ground: LIMITS,
  },
  'length of a text': {
    value: `${LONGEST_TEXT} characters`,
    meaning: 'Where its field says nothing else',
    ground: LIMITS,
  },
  'requests in a while': {
    value: 'as many as come',
    meaning: 'Rate limits are not shown: a fault of a scenario may set one',
    ground: 'scenario',
  },
}

interface HeaderFact {
  value: string
  meaning: string
  ground: Source | AssumptionId | Conventional | 'own'
  source?: string
  on?: number | 'all'
}

/** Needed by HTTP itself, so they say nothing about the service. */
const ofHttp = {
  connection: { value: 'keep-alive or close', meaning: 'HTTP itself', ground: 'own' },
  'content-length': { value: 'bytes of the body', meaning: 'HTTP itself', ground: 'own' },
} as const satisfies Record<string, HeaderFact>

const answerHeaders = {
  'content-type': {
    value: 'application/json',
    meaning: 'All bodies are JSON',
    ground: 'specified',
    source: 'What the service does',
  },
  allow: {
    value: 'the methods of the path',
    meaning: 'With 405: what would be possible',
    on: 405,
    ground: 'unsupported-method',
  },
  location: {
    value: 'the address as it is published',
    meaning: 'With 301 and 308: where a path with a slash behind it leads',
    ground: 'trailing-slash',
  },
  'retry-after': {
    value: 'seconds',
    meaning: 'With 429: when to ask again',
    on: 429,
    ground: 'retry-after',
  },
  'mfano-request-id': {
    value: 'the id of the request in the journal',
    meaning: 'Only mfano sends it, not the real service',
    on: 'all',
    ground: 'own',
  },
  'mfano-rule': {
    value: 'the rule of the scenario that decided',
    meaning: 'Only mfano sends it, not the real service',
    on: 'all',
    ground: 'own',
  },
  ...ofHttp,
  'transfer-encoding': { value: 'chunked', meaning: 'HTTP itself, of lists', ground: 'own' },
  date: { value: 'the time of the world, to the second', meaning: 'HTTP itself', ground: 'own' },
  'keep-alive': { value: 'timeout in seconds', meaning: 'HTTP itself', ground: 'own' },
} as const satisfies Record<string, HeaderFact>

export function headersOf(status: number, inForce: Assumptions): Record<string, ContractHeader> {
  const told = Object.entries<HeaderFact>(answerHeaders).filter(
    ([name, { on }]) =>
      (on === 'all' || on === status) && !(name === 'retry-after' && inForce['retry-after'] === 'none'),
  )
  return Object.fromEntries(
    told.map(([name, { value, meaning, ground }]) => {
      return [
        name,
        {
          description: `${meaning}: ${value}`,
          schema: { type: name === 'retry-after' ? 'integer' : 'string' },
          ...grounded(ground),
        },
      ]
    }),
  )
}

const HEADERS_OF_CALLBACKS = 'convention: headers of a callback'

export const callbackHeaderFacts = {
  'content-type': { value: 'application/json', meaning: 'All bodies are JSON', ground: HEADERS_OF_CALLBACKS },
  'user-agent': { value: 'mfano', meaning: 'The sender', ground: HEADERS_OF_CALLBACKS },
  traceparent: {
    value: 'as the request brought it',
    meaning: 'Copied from the request that led to it, if it had a valid one',
    ground: 'convention: the trace context of a callback',
  },
  tracestate: {
    value: 'as the request brought it',
    meaning: 'Beside traceparent, where the request brought it.',
    ground: 'convention: the trace context of a callback',
  },
  'webhook-id': {
    value: 'msg_ and a number',
    meaning: 'The same for every attempt of a callback.',
    ground: 'callback-signature',
  },
  'webhook-timestamp': {
    value: 'seconds since the epoch',
    meaning: 'When it was signed, by real time unless callbacks.signatureTime says otherwise.',
    ground: 'callback-signature',
  },
  'webhook-signature': {
    value: 'v1, and base64',
    meaning: 'v1, and the base64 HMAC-SHA256 of id.timestamp.body.',
    ground: 'callback-signature',
  },
  'mfano-callback': { value: 'true', meaning: 'Only mfano sends it, not the real service', ground: 'own' },
  host: { value: 'of the callback address', meaning: 'HTTP itself', ground: 'own' },
  date: {
    value: 'the time of the world, to the second',
    meaning: 'When it was sent, in HTTP’s own form',
    ground: 'own',
  },
  ...ofHttp,
} as const satisfies Record<string, HeaderFact>

function factOf(
  { ground, source = null }: { ground: string; source?: string | null },
  { about, name, value, meaning }: Pick<Fact, 'about' | 'name' | 'value' | 'meaning'>,
): Fact {
  const { 'x-basis': basis, 'x-assumption': assumption = null, 'x-convention': convention = null } = grounded(ground)
  return { about, name, value, meaning, basis, source, assumption, convention, byScenario: ground === 'scenario' }
}
