import { asJson, MfanoError, noAnswer } from './errors.ts'

/** An error that a control plane answered, as it stands on the wire. */
interface Told {
  code?: string
  message?: string
  details?: string
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
