/** An error that a control plane answered, as it stands on the wire. */
interface Told {
  code?: string
  message?: string
  details?: string
}

/**
 * What the kit, or the control plane that it asks, refuses. The message says everything: what was asked, what was
 * wrong, what was expected, and what to do.
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
  /** A word for programs, such as `WORLD_NOT_FOUND`. */
  readonly code: string
  /** What was wrong: the field, what was expected, what came, and the nearest known name. */
  readonly details: string
  /** The HTTP status of the refusal; undefined where nobody answered, or nobody was asked. */
  readonly status: number | undefined
  /** What to do about it, where the details do not say. */
  readonly hint: string | undefined

  constructor(told: {
    code: string
    message: string
    details?: string
    status?: number
    hint?: string
    cause?: unknown
  }) {
    const { code, message, details = '', status, hint, cause } = told
    super([message, details, hint].filter(Boolean).join('\n'), cause === undefined ? {} : { cause })
    this.code = code
    this.details = details
    this.status = status
    this.hint = hint
  }
}

/** Asks a control plane, and gives the JSON of its answer; fails with a `MfanoError` that names the request. */
export type Control = <T>(method: string, path: string, asked?: Asked) => Promise<T>

/** What a control-plane request carries, and what is wanted of its answer. */
export interface Asked {
  /** Undefined values are left out. */
  query?: Readonly<Record<string, string | number | boolean | undefined>>
  /** Sent as JSON; text goes as it is. */
  body?: unknown
  /** The answer as plain text, or while it still comes, instead of its JSON. */
  as?: 'text' | 'response'
  signal?: AbortSignal
}

/**
 * The control plane of one base URL.
 * @param adminToken sent with each request, for a server that is guarded by `MFANO_ADMIN_TOKEN`
 */
export function controlOf(baseUrl: string, adminToken: string | undefined): Control {
  return async <T>(method: string, path: string, asked: Asked = {}) => {
    const { body, signal, as } = asked
    const url = urlOf(baseUrl, path, asked)
    const headers = {
      ...(adminToken !== undefined && { authorization: `Bearer ${adminToken}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    }
    const sent = body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
    let response: Response
    let text: string
    try {
      response = await fetch(url, {
        method,
        headers,
        ...(sent !== undefined && { body: sent }),
        ...(signal && { signal }),
      })
      if (response.ok && as === 'response') return response as T
      text = await response.text()
    } catch (error) {
      if (signal?.aborted) throw error
      throw noAnswer(
        `${method} ${url}`,
        error,
        'Is a mfano running there, and not closed yet? startMfano() starts one.',
      )
    }
    if (response.ok && as === 'text') return text as T
    const answer = asJson(text)
    if (response.ok && answer !== undefined) return answer as T
    throw refusal(`${method} ${url}`, response.status, answer)
  }
}

function urlOf(baseUrl: string, path: string, { query = {} }: Asked): string {
  const given = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]))
  return `${baseUrl}/_mfano${path}${given.length > 0 ? `?${new URLSearchParams(given)}` : ''}`
}

function refusal(request: string, status: number, answer: unknown): MfanoError {
  const told = (answer as { error?: Told } | undefined)?.error
  if (!told?.code)
    return new MfanoError({
      code: 'NOT_MFANO',
      status,
      message: `${request} answered ${status}, and not as a control plane does.`,
      hint: 'Is the url that of a mfano of this version, without a path of your own behind it?',
    })
  return new MfanoError({
    code: told.code,
    status,
    message: `${request} answered ${status} ${told.code}: ${told.message ?? ''}`,
    details: told.details ?? '',
  })
}

/** A request that got no answer at all. */
export function noAnswer(request: string, error: unknown, hint: string): MfanoError {
  const { cause, message } = error as Error
  const why = cause instanceof Error && cause.message !== '' ? cause.message : message
  return new MfanoError({ code: 'NO_ANSWER', message: `${request} got no answer: ${why}`, hint, cause: error })
}

/** What a text says as JSON; undefined when it is none. */
export function asJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
