/** Refusals of requests. */

/**
 * Refusals, and the published codes with status and message, from the `errors` page of the reference (RATE_LIMITED: a
 * withdrawn page).
 */
import { type ControlRefusal, controlRefusals } from './control-refusals.ts'
import type { Hint } from './hint.ts'
import { keysIn } from './must.ts'

export const refusalCatalogue = {
  AUTH_INVALID_TOKEN: { status: 401, message: 'Invalid authentication token' },
  AUTH_MISSING_TOKEN: { status: 401, message: 'Authentication token missing' },
  AUTH_FORBIDDEN: { status: 403, message: 'Access denied' },
  REQ_BAD_REQUEST: { status: 400, message: 'Bad request' },
  REQ_MISSING_FIELD: { status: 400, message: 'Missing required field' },
  REQ_INVALID_FIELD: { status: 400, message: 'Invalid field value' },
  RESOURCE_NOT_FOUND: { status: 404, message: 'Resource not found' },
  RESOURCE_LOCKED: { status: 423, message: 'Resource is locked' },
  PAYMENT_FAILED: { status: 402, message: 'Payment failed' },
  PAYMENT_LIMIT_EXCEEDED: { status: 403, message: 'Payment limit exceeded' },
  INSUFFICIENT_FUNDS: { status: 402, message: 'Insufficient funds' },
  RATE_LIMITED: { status: 429, message: 'Too many requests' },
  SERVER_ERROR: { status: 500, message: 'Internal server error' },
  SERVICE_UNAVAILABLE: { status: 503, message: 'Service unavailable' },
  TIMEOUT_ERROR: { status: 504, message: 'Request timeout' },
} as const

export type RefusalCode = keyof typeof refusalCatalogue
export const refusalCodes = keysIn(refusalCatalogue)

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
