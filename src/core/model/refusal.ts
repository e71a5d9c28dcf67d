/** Refusals of requests, and their codes. `refusal-reasons.ts` says when each is answered. */
import type { Ground } from './basis.ts'
import type { Hint } from './hint.ts'
import { keysIn } from './must.ts'

interface Code {
  status: number
  message: string
  ground: Ground
  source?: string
}

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
} as const satisfies Record<string, Code>

export type RefusalCode = keyof typeof refusalCatalogue
export const refusalCodes = keysIn(refusalCatalogue)

/** Codes of mfano's own control plane. */
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
  TOO_MANY_GUESSES: { status: 429, message: 'Too many wrong admin tokens' },
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

/** Those that an error of a scenario can mean, which has a code or only a status. */
export function codesMeant({
  code,
  status,
}: {
  code?: string | undefined
  status?: number | undefined
}): RefusalCode[] {
  return refusalCodes.filter((one) => one === code || (code === undefined && refusalCatalogue[one].status === status))
}

export interface FieldProblem {
  field: string
  /** The published wording where there is one: `amount is required`. */
  message: string
}

export interface LastingLimit {
  counter: string
  untilUs: number
}

export interface RefusalOptions {
  code?: RefusalCode | (string & {})
  status?: number
  message?: string
  fields?: FieldProblem[]
  rule?: string
  retryAfterS?: number
  counted?: readonly string[]
  lasting?: LastingLimit | undefined
  /** Advice, shown after the details. */
  hints?: readonly Hint[]
}

/** Thrown to refuse a request. Nothing was changed. */
export class Refusal extends Error {
  readonly code: string
  readonly status: number
  readonly details: string
  readonly fields: FieldProblem[]
  readonly rule: string | undefined
  readonly retryAfterS: number | undefined
  readonly counted: readonly string[]
  readonly lasting: LastingLimit | undefined
  readonly hints: readonly Hint[]

  /** A code has one status: that of its record. */
  constructor(code: KnownRefusal, details: string, options: Omit<RefusalOptions, 'code' | 'status'> = {}) {
    const known: { status: number; message: string; code?: string } | undefined = recordOfRefusal(code)
    super(options.message ?? known?.message ?? code)
    this.name = 'Refusal'
    this.code = known?.code ?? code
    this.status = known?.status ?? 400
    this.details = details
    this.fields = options.fields ?? []
    this.rule = options.rule
    this.retryAfterS = options.retryAfterS
    this.counted = options.counted ?? []
    this.lasting = options.lasting
    this.hints = options.hints ?? []
  }

  /** With a status of its own, or a code that only a scenario knows. */
  static named(code: string, details: string, { status, ...options }: Omit<RefusalOptions, 'code'> = {}): Refusal {
    const refusal = new Refusal(code as KnownRefusal, details, options)
    return status === undefined ? refusal : Object.assign(refusal, { status })
  }
}

/** The published ones, and those of the control plane. */
export type KnownRefusal = RefusalCode | ControlRefusal

export function recordOfRefusal(code: KnownRefusal) {
  return isPublished(code) ? refusalCatalogue[code] : controlRefusals[code]
}
