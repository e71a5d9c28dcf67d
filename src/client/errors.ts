import { errorOf } from '../core/model/must.ts'
import type { ShownHint } from '../core/model/problems.ts'

/**
 * A refusal of the kit or the control plane. The message says what was asked, what was wrong, what was expected, and
 * what to do.
 *
 * @example
 * ```ts
 * await using mfano = await startMfano()
 * const world = await mfano.world()
 * const error = await world.clock.advance('5 minutes').catch((error) => error)
 * assert(error instanceof MfanoError)
 * assert.equal(error.code, 'REQ_INVALID_FIELD')
 * assert.match(error.message, /by: must be a duration such as 90s/)
 * ```
 */
export class MfanoError extends Error {
  override readonly name = 'MfanoError'
  /** For programs: `WORLD_NOT_FOUND`. */
  readonly code: string
  /** The server's own words, without the request. */
  readonly reason: string
  /** The field, what was expected, what came, and the nearest known name. */
  readonly details: string
  /** The HTTP status. Undefined without an answer or a request. */
  readonly status: number | undefined
  /** Advice, if the details do not hold it. */
  readonly hint: string | undefined
  /** Advice as operations with parameters. */
  readonly hints: readonly ShownHint[]

  constructor(told: {
    code: string
    message: string
    reason?: string
    details?: string
    status?: number
    hint?: string
    hints?: readonly ShownHint[]
    cause?: unknown
  }) {
    const { code, message, reason = message, details = '', status, hint, hints = [], cause } = told
    super([message, details, hint].filter(Boolean).join('\n'), cause === undefined ? {} : { cause })
    this.code = code
    this.reason = reason
    this.details = details
    this.status = status
    this.hint = hint
    this.hints = hints
  }
}

export function noAnswer(request: string, error: unknown, hint: string): MfanoError {
  const { cause, message } = errorOf(error)
  const why = cause instanceof Error && cause.message !== '' ? cause.message : message
  return new MfanoError({ code: 'NO_ANSWER', message: `${request} got no answer: ${why}`, hint, cause: error })
}
