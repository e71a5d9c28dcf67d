/**
 * Reasons to refuse a request, each with its code and its basis: here those of the core and of the road of HTTP, which
 * operations share. An operation of the service lists its own in `refuses`.
 */
import type { Assumptions } from './assumption.ts'
import type { Ground } from './basis.ts'
import { type FieldProblem, Refusal, type RefusalCode, type RefusalOptions, refusalCatalogue } from './refusal.ts'

export interface ReasonAnswer {
  code: RefusalCode
  /** That of the code when left out. */
  status?: number
}

export interface Reason extends ReasonAnswer {
  stage: Stage
  when: string
  ground: Ground
  source?: string
  /** By alternatives of the assumption that is its ground: it is answered under these only, and maybe differently. */
  under?: Readonly<Record<string, Partial<ReasonAnswer>>>
}

/** Typed by its text, so that an operation can list it and refuse by no other. */
export function reason<When extends string>(
  stage: Stage,
  code: RefusalCode,
  when: When,
  known: Ground | { ground: Ground; source?: string; status?: number },
  under?: string | NonNullable<Reason['under']>,
) {
  const basis = typeof known === 'string' ? { ground: known } : known
  const answers = typeof under === 'string' ? { [under]: {} } : under
  return { stage, code, when, ...basis, ...(answers && { under: answers }) } satisfies Reason
}

/** The reason as it is answered under these assumptions. */
export function inForce(reason: Reason, assumptions: Assumptions): Reason | undefined {
  if (!reason.under) return reason
  const answer = reason.under[assumptions[reason.ground] ?? '']
  return answer && { ...reason, ...answer }
}

/** Makes the refusals that an operation declares. */
export type Refuse<R extends Reason = Reason> = (reason: R, details: string, problem?: string) => Refusal

const ORDER = 'convention: the order of checks'

/** In the order of the checks: the first one that fails is answered. */
export const stages = {
  path: { about: 'the path and the method', ground: ORDER },
  token: { about: 'the token: that there is one, and that this service issued it', ground: ORDER },
  age: { about: 'the age of the token', ground: ORDER },
  headers: { about: 'headers that an operation needs', ground: ORDER },
  body: { about: 'the body: its size, its media type, that it is JSON', ground: ORDER },
  fields: {
    about: 'every field and parameter, all in one answer',
    ground: 'convention: fields that are missing beside wrong ones',
  },
  key: { about: 'whether the Idempotency-Key was used before', ground: 'idempotency-key' },
  caller: { about: 'whether the caller may', ground: ORDER },
  resource: { about: 'the named resource: that it exists, and who owns it', ground: ORDER },
  reference: { about: 'whether the reference was used before', ground: 'duplicate-reference' },
  rules: { about: 'rules of the scenario, and its rails', ground: ORDER },
  funds: { about: 'whether the wallet holds it', ground: ORDER },
  failure: { about: 'whether the work itself can be done', ground: 'own' },
} as const satisfies Record<string, { about: string; ground: Ground }>

export type Stage = keyof typeof stages

export const published = { ground: 'published', source: 'errors' } as const

export const commonReasons = {
  unknownPath: reason('path', 'RESOURCE_NOT_FOUND', 'no operation has the path', published),
  otherMethod: reason(
    'path',
    'REQ_BAD_REQUEST',
    'the path has other methods',
    { ground: 'unsupported-method', status: 405 },
    '405',
  ),
  tokenMissing: reason('token', 'AUTH_MISSING_TOKEN', 'no Authorization header came', published),
  tokenMalformed: reason('token', 'AUTH_INVALID_TOKEN', 'Authorization is not Bearer and a token', published),
  headerMissing: reason('headers', 'REQ_MISSING_FIELD', 'a header that the operation needs is missing', published),
  bodyTooLarge: reason('body', 'REQ_BAD_REQUEST', 'the body is larger than is read', {
    ground: 'convention: a body that is too large',
    status: 413,
  }),
  bodyBrokenOff: reason(
    'body',
    'REQ_BAD_REQUEST',
    'the connection broke off before all of the body had come',
    published,
  ),
  mediaType: reason(
    'body',
    'REQ_BAD_REQUEST',
    'the body does not say that it is JSON, or it is compressed',
    { ground: 'unsupported-media-type', status: 415 },
    { '415': {}, '400': { status: 400 }, accept: { status: 400 } },
  ),
  bodyNotJson: reason('body', 'REQ_BAD_REQUEST', 'the body is not JSON', published),
  bodyTooDeep: reason(
    'body',
    'REQ_BAD_REQUEST',
    'the body is nested too deeply',
    'convention: limits that no source shows',
  ),
  fieldMissing: reason('fields', 'REQ_MISSING_FIELD', 'fields are missing, and nothing else is wrong', published),
  fieldInvalid: reason('fields', 'REQ_INVALID_FIELD', 'fields have a wrong type, format or value', published),
  keyUsed: reason(
    'key',
    'REQ_BAD_REQUEST',
    'the Idempotency-Key was used before',
    { ground: 'idempotency-key', status: 409 },
    { replay: {}, refuse: {} },
  ),
  ruled: reason('rules', 'REQ_BAD_REQUEST', 'a rule of the scenario refuses, with the code that it names', 'own'),
  railClosed: reason(
    'rules',
    'SERVICE_UNAVAILABLE',
    'the rail is under maintenance, or has nothing left to pay out',
    published,
  ),
  limitExceeded: reason('rules', 'PAYMENT_LIMIT_EXCEEDED', 'the amount is above a limit of the rail', published),
  tokensRevoked: reason('rules', 'AUTH_INVALID_TOKEN', 'a fault of the scenario has revoked the token', published),
  rateLimited: reason('rules', 'RATE_LIMITED', 'a rate limit of the scenario is used up', {
    ground: 'published',
    source: 'stk/get_single_tz, withdrawn',
  }),
  fundsShort: reason('funds', 'INSUFFICIENT_FUNDS', 'the wallet holds less than the amount and its fee', published),
  booksFull: reason(
    'funds',
    'PAYMENT_LIMIT_EXCEEDED',
    'more money would go through the world than can be counted exactly',
    'own',
  ),
  usernameTaken: reason(
    'resource',
    'REQ_INVALID_FIELD',
    'a user of that name is there already',
    'convention: a user name that is taken',
  ),
  subscriptionMissing: reason(
    'resource',
    'RESOURCE_NOT_FOUND',
    'no subscription exists to start or to suspend',
    'convention: an activation where there was no subscription',
  ),
  brokenDown: reason('failure', 'SERVER_ERROR', 'something unexpected went wrong', published),
  notExecuted: reason(
    'failure',
    'SERVICE_UNAVAILABLE',
    'a fault of the scenario turns the request away before it is carried out',
    published,
  ),
  worldClosed: reason(
    'failure',
    'SERVICE_UNAVAILABLE',
    'the world was reset, replaced or removed meanwhile, or its storage fails',
    'own',
  ),
}

export function refusalAnswer({ code, status = refusalCatalogue[code].status }: ReasonAnswer) {
  return { status, code }
}

/** `problem` is about one field, whose name it begins with. */
export function refused(reason: Reason, details: string, problem: string | RefusalOptions = {}): Refusal {
  const { code, status } = reason
  const options: RefusalOptions = typeof problem === 'string' ? { fields: [problemOf(problem)] } : problem
  return Refusal.named(options.code ?? code, details, { ...(status !== undefined && { status }), ...options })
}

function problemOf(message: string): FieldProblem {
  return { field: message.split(' ', 1)[0] ?? '', message }
}

/** Answers a reason as the assumptions in force have it. */
export function refuseUnder(assumptions: Assumptions): Refuse {
  return (reason, details, problem) => refused(inForce(reason, assumptions) ?? reason, details, problem)
}

export function worldClosed(): Refusal {
  return refused(
    commonReasons.worldClosed,
    'this world was just reset, replaced or removed, or mfano is stopping; ask again',
  )
}
