import type { Assumptions } from './assumption.ts'
import { isRecord, keysIn } from './must.ts'
import type { Hint } from './problems.ts'

const ERRORS_PAGE = { ground: 'published', source: 'errors' } as const

/** Codes of the service. A scenario may answer each of them, wherever it likes. */
export const refusalCatalogue = {
  AUTH_INVALID_TOKEN: { status: 401, message: 'Invalid authentication token', ...ERRORS_PAGE },
  AUTH_MISSING_TOKEN: { status: 401, message: 'Authentication token missing', ...ERRORS_PAGE },
  AUTH_FORBIDDEN: { status: 403, message: 'Access denied', ...ERRORS_PAGE },
  REQ_BAD_REQUEST: { status: 400, message: 'Bad request', ...ERRORS_PAGE },
  REQ_MISSING_FIELD: { status: 400, message: 'Missing required field', ...ERRORS_PAGE },
  REQ_INVALID_FIELD: { status: 400, message: 'Invalid field value', ...ERRORS_PAGE },
  RESOURCE_NOT_FOUND: { status: 404, message: 'Resource not found', ...ERRORS_PAGE },
  RESOURCE_LOCKED: { status: 423, message: 'Resource is locked', ...ERRORS_PAGE },
  PAYMENT_FAILED: { status: 402, message: 'Payment failed', ...ERRORS_PAGE },
  PAYMENT_LIMIT_EXCEEDED: { status: 403, message: 'Payment limit exceeded', ...ERRORS_PAGE },
  INSUFFICIENT_FUNDS: { status: 402, message: 'Insufficient funds', ...ERRORS_PAGE },
  RATE_LIMITED: {
    status: 429,
    message: 'Too many requests',
    ground: 'published',
    source: 'stk/get_single_tz, withdrawn',
  },
  SERVER_ERROR: { status: 500, message: 'Internal server error', ...ERRORS_PAGE },
  SERVICE_UNAVAILABLE: { status: 503, message: 'Service unavailable', ...ERRORS_PAGE },
  TIMEOUT_ERROR: { status: 504, message: 'Request timeout', ...ERRORS_PAGE },
} as const satisfies Record<string, { status: number; message: string; ground: string; source: string }>

export type RefusalCode = keyof typeof refusalCatalogue
export const refusalCodes = keysIn(refusalCatalogue)

export const controlRefusals = {
  ADMIN_TOKEN_NEEDED: { status: 401, message: 'Admin token needed' },
  AMBIGUOUS_ID: { status: 409, message: 'Several payments have this id' },
  AMBIGUOUS_NAME: { status: 409, message: 'Ambiguous name' },
  API_KEY_TAKEN: { status: 409, message: 'API key is taken' },
  BAD_GATEWAY: { status: 502, message: 'BAD_GATEWAY' },
  BAD_WORLD_FILE: { status: 400, message: 'Not a usable world file' },
  CALLBACK_REFUSED: { status: 403, message: 'Not for callbacks' },
  DELIVERY_OVER: { status: 409, message: 'Delivery is over' },
  FOREIGN_HOST: { status: 403, message: 'Foreign host' },
  FOREIGN_ORIGIN: { status: 403, message: 'Foreign origin' },
  FORWARDER_REPLACED: { status: 409, message: 'Forwarder replaced' },
  ILLEGAL_TRANSITION: { status: 409, message: 'The payment is in a state that does not allow this' },
  INVALID_EXPRESSION: { status: 400, message: 'Invalid expression' },
  INVALID_FIELD: { status: 400, message: 'Invalid field' },
  INVALID_SCENARIO: { status: 400, message: 'The scenario has problems; nothing was made' },
  METHOD_NOT_OFFERED: { status: 400, message: 'The session does not offer this way to pay' },
  NOT_FOUND: { status: 404, message: 'Not found' },
  NOT_POSSIBLE: { status: 501, message: 'Not possible here' },
  NOT_RECORDED: { status: 409, message: 'World is not recorded' },
  NOT_SUPPORTED: { status: 501, message: 'Not supported here' },
  NO_TLS: { status: 404, message: 'No certificate authority' },
  NO_SUCH_PROMPT: { status: 404, message: 'No such prompt on this phone' },
  /** There was one, and it is answered. */
  PROMPT_GONE: { code: 'NO_SUCH_PROMPT', status: 409, message: 'No such prompt on this phone' },
  RECORDING_FULL: { status: 409, message: 'Recording is full' },
  SCENARIO_NOT_FOUND: { status: 404, message: 'No such scenario' },
  SERVER_LEVEL: { status: 404, message: 'Not found' },
  SNAPSHOTS_FULL: { status: 507, message: 'No room for snapshots' },
  SNAPSHOT_EXISTS: { status: 409, message: 'Snapshot exists' },
  SNAPSHOT_NOT_FOUND: { status: 404, message: 'No such snapshot' },
  SOURCE_NOT_FOUND: { status: 404, message: 'Nothing to fork' },
  TOO_MANY: { status: 400, message: 'Too many' },
  TOO_MANY_FORWARDERS: { status: 429, message: 'Too many forwarders' },
  TOO_MANY_PARTICIPANTS: { status: 429, message: 'Too many participants' },
  TOO_MANY_STREAMS: { status: 429, message: 'Too many streams' },
  TOO_MANY_WAITS: { status: 429, message: 'Too many waits' },
  WAIT_TIMED_OUT: { status: 408, message: 'Not so in time' },
  WORLD_EXISTS: { status: 409, message: 'World exists' },
  WORLD_NEEDED: { status: 409, message: 'World is needed' },
  WORLD_NOT_FOUND: { status: 404, message: 'No such world' },
  WORLD_TOO_LARGE: { status: 413, message: 'World is too large' },
  WORLD_UNREADABLE: { status: 503, message: 'World cannot be opened' },
} as const satisfies Record<string, { status: number; message: string; code?: string }>

export type ControlRefusal = keyof typeof controlRefusals

/** Accepts any text, also unpublished codes. */
export function publishedRefusal(code: string): { status: number; message: string } | undefined {
  return isPublished(code) ? refusalCatalogue[code] : undefined
}

function isPublished(code: string): code is RefusalCode {
  return code in refusalCatalogue
}

export interface FieldProblem {
  field: string
  /** The published wording where there is one: `amount is required`. */
  message: string
}

interface RefusalOptions {
  code?: RefusalCode | (string & {})
  status?: number
  message?: string
  fields?: FieldProblem[]
  rule?: string
  counted?: readonly string[]
  /** Advice, shown after the details. */
  hints?: readonly Hint[]
}

export class Refusal extends Error {
  readonly code: string
  readonly status: number
  readonly details: string
  readonly fields: FieldProblem[]
  readonly rule: string | undefined
  readonly counted: readonly string[]
  readonly hints: readonly Hint[]

  constructor(code: KnownRefusal, details: string, options: Omit<RefusalOptions, 'code' | 'status'> = {}) {
    const known: { status: number; message: string; code?: string } | undefined = recordOfRefusal(code)
    super(options.message ?? known?.message ?? code)
    this.name = 'Refusal'
    this.code = known?.code ?? code
    this.status = known?.status ?? 400
    this.details = details
    this.fields = options.fields ?? []
    this.rule = options.rule
    this.counted = options.counted ?? []
    this.hints = options.hints ?? []
  }

  static withCode(code: string, details: string, { status, ...options }: Omit<RefusalOptions, 'code'> = {}): Refusal {
    const refusal = new Refusal(code as KnownRefusal, details, options)
    return status === undefined ? refusal : Object.assign(refusal, { status })
  }
}

export type KnownRefusal = RefusalCode | ControlRefusal

export function recordOfRefusal(code: KnownRefusal) {
  return isPublished(code) ? refusalCatalogue[code] : controlRefusals[code]
}

// Reasons to refuse a request, each with its code and its basis: here those of the core and of the road of HTTP,
// which operations share. An operation of the service lists its own in `refuses`.

export interface ReasonAnswer {
  code: RefusalCode
  status?: number
}

export interface Reason extends ReasonAnswer {
  stage: Stage
  when: string
  ground: string
  source?: string
  /** By alternatives of the assumption that is its ground: it is answered under these only, and maybe differently. */
  under?: Readonly<Record<string, Partial<ReasonAnswer>>>
}

/** Typed by its text, so that an operation can list it and refuse by no other. Without `known`, it is as its code is. */
export function reason<When extends string>(
  stage: Stage,
  code: RefusalCode,
  when: When,
  known?: string | { ground: string; source?: string; status?: number },
  under?: string | NonNullable<Reason['under']>,
) {
  const { ground, source } = refusalCatalogue[code]
  const basis = typeof known === 'string' ? { ground: known } : (known ?? { ground, source })
  const answers = typeof under === 'string' ? { [under]: {} } : under
  return { stage, code, when, ...basis, ...(answers && { under: answers }) } satisfies Reason
}

export function inForce(reason: Reason, assumptions: Assumptions): Reason | undefined {
  if (!reason.under) return reason
  const answer = reason.under[assumptions[reason.ground] ?? '']
  return answer && { ...reason, ...answer }
}

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
} as const satisfies Record<string, { about: string; ground: string }>

export type Stage = keyof typeof stages

export const commonReasons = {
  unknownPath: reason('path', 'RESOURCE_NOT_FOUND', 'no operation has the path'),
  otherMethod: reason(
    'path',
    'REQ_BAD_REQUEST',
    'the path has other methods',
    { ground: 'unsupported-method', status: 405 },
    '405',
  ),
  tokenMissing: reason('token', 'AUTH_MISSING_TOKEN', 'no Authorization header came'),
  tokenMalformed: reason('token', 'AUTH_INVALID_TOKEN', 'Authorization is not Bearer and a token'),
  headerMissing: reason('headers', 'REQ_MISSING_FIELD', 'a header that the operation needs is missing'),
  bodyTooLarge: reason('body', 'REQ_BAD_REQUEST', 'the body is larger than is read', {
    ground: 'convention: a body that is too large',
    status: 413,
  }),
  bodyBrokenOff: reason('body', 'REQ_BAD_REQUEST', 'the connection broke off before all of the body had come'),
  mediaType: reason(
    'body',
    'REQ_BAD_REQUEST',
    'the body does not say that it is JSON, or it is compressed',
    { ground: 'unsupported-media-type', status: 415 },
    { '415': {}, '400': { status: 400 }, accept: { status: 400 } },
  ),
  bodyNotJson: reason('body', 'REQ_BAD_REQUEST', 'the body is not JSON'),
  bodyTooDeep: reason(
    'body',
    'REQ_BAD_REQUEST',
    'the body is nested too deeply',
    'convention: limits that no source shows',
  ),
  fieldMissing: reason('fields', 'REQ_MISSING_FIELD', 'fields are missing, and nothing else is wrong'),
  fieldInvalid: reason('fields', 'REQ_INVALID_FIELD', 'fields have a wrong type, format or value'),
  keyUsed: reason(
    'key',
    'REQ_BAD_REQUEST',
    'the Idempotency-Key was used before',
    { ground: 'idempotency-key', status: 409 },
    { replay: {}, refuse: {} },
  ),
  ruled: reason('rules', 'REQ_BAD_REQUEST', 'a rule of the scenario refuses, with the code that it names', 'own'),
  railClosed: reason('rules', 'SERVICE_UNAVAILABLE', 'the rail is under maintenance, or has nothing left to pay out'),
  limitExceeded: reason('rules', 'PAYMENT_LIMIT_EXCEEDED', 'the amount is above a limit of the rail'),
  tokensRevoked: reason('rules', 'AUTH_INVALID_TOKEN', 'a fault of the scenario has revoked the token'),
  rateLimited: reason('rules', 'RATE_LIMITED', 'a rate limit of the scenario is used up'),
  fundsShort: reason('funds', 'INSUFFICIENT_FUNDS', 'the wallet holds less than the amount and its fee'),
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
  brokenDown: reason('failure', 'SERVER_ERROR', 'something unexpected went wrong'),
  notExecuted: reason(
    'failure',
    'SERVICE_UNAVAILABLE',
    'a fault of the scenario turns the request away before it is carried out',
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

export function refused(reason: Reason, details: string, problem: string | RefusalOptions = {}): Refusal {
  const { code, status } = reason
  const options: RefusalOptions = typeof problem === 'string' ? { fields: [problemOf(problem)] } : problem
  return Refusal.withCode(options.code ?? code, details, { ...(status !== undefined && { status }), ...options })
}

function problemOf(message: string): FieldProblem {
  return { field: message.split(' ', 1)[0] ?? '', message }
}

export function refuseUnder(assumptions: Assumptions): Refuse {
  return (reason, details, problem) => refused(inForce(reason, assumptions) ?? reason, details, problem)
}

export function worldClosed(): Refusal {
  return refused(
    commonReasons.worldClosed,
    'this world was just reset, replaced or removed, or mfano is stopping; ask again',
  )
}

export function errorParts(body: unknown): { code: string | undefined; message: string; details: string } {
  const outer = isRecord(body) ? body : {}
  const { code, errorCode, message, details, errors } = isRecord(outer['error']) ? outer['error'] : outer
  const fields = Object.values(typeof errors === 'object' ? { ...errors } : {})
    .flat()
    .join(', ')
  return { code: text(code ?? errorCode), message: text(message) ?? '', details: text(details) ?? fields }
}

function text(value: unknown): string | undefined {
  return value === undefined || value === null ? undefined : String(value)
}
