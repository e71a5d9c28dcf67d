/** The payments service over HTTP: JSON, a token that renews itself, and a limit to our patience. */
import { type Clock, MINUTE_MS } from './clock.ts'
import type { Settings } from './settings.ts'

/** Whatever came back, good or bad: it is for the caller to judge. */
export interface Answer {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: rails.ts reads the few fields that matter, whatever else is there
  body: any
  /** When the service wants to be asked again, where it says so. */
  retryAfterMs: number | undefined
}

/** Nothing came in time, or the connection broke, or what came was no JSON. Whether anything was done is unknown. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer'
}

/** A token that has less left than this is renewed before it is used. */
const RENEW_BEFORE_MS = MINUTE_MS / 2

export class PaymentsService {
  readonly #settings: Settings
  readonly #clock: Clock
  /** Also while it is on its way, so that two who need one wait for the same. */
  #token: Promise<{ text: string; renewAt: number }> | undefined

  constructor(settings: Settings, clock: Clock) {
    this.#settings = settings
    this.#clock = clock
  }

  /** A question. It can be repeated as often as one likes. */
  get(path: string, query: Record<string, string> = {}): Promise<Answer> {
    return this.#withToken('GET', `${path}?${new URLSearchParams(query)}`)
  }

  /** An order. After a `NoAnswer`, or a status of 500 and above, look before you repeat it. */
  post(path: string, body: object): Promise<Answer> {
    return this.#withToken('POST', path, body)
  }

  /** What was answered 401 was not executed, so with a new token the same can be said again: once. */
  async #withToken(method: string, path: string, body?: object): Promise<Answer> {
    const answer = await this.#call(method, path, await this.#freshToken(), body)
    if (answer.status !== 401) return answer
    this.#token = undefined
    return this.#call(method, path, await this.#freshToken(), body)
  }

  async #freshToken(): Promise<string> {
    if (this.#token && (await this.#token).renewAt <= this.#clock.now()) this.#token = undefined
    this.#token ??= this.#login()
    return (await this.#token).text
  }

  async #login(): Promise<{ text: string; renewAt: number }> {
    const askedAt = this.#clock.now()
    try {
      const { apiKey, apiSecret } = this.#settings
      const { status, body } = await this.#call('POST', '/api/v1/get-token', undefined, { apiKey, apiSecret })
      if (status !== 200) throw new LoginRefused(`the payments service refused to log us in with ${status}`)
      const { access_token, expires_in } = body.data
      return { text: access_token, renewAt: askedAt + expires_in * 1000 - RENEW_BEFORE_MS }
    } catch (error) {
      // The next one tries again.
      this.#token = undefined
      if (error instanceof NoAnswer) throw new LoginRefused(error.message, { cause: error })
      throw error
    }
  }

  async #call(method: string, path: string, token: string | undefined, body?: object): Promise<Answer> {
    const { baseUrl, payTimeoutMs, readTimeoutMs } = this.#settings
    const movesMoney = method === 'POST' && token !== undefined
    try {
      const response = await fetch(baseUrl + path, {
        method,
        headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
        body: body && JSON.stringify(body),
        signal: this.#clock.timeout(movesMoney ? payTimeoutMs : readTimeoutMs),
      })
      const retryAfter = response.headers.get('retry-after')
      return {
        status: response.status,
        retryAfterMs: retryAfter === null ? undefined : Number(retryAfter) * 1000,
        body: await response.json(),
      }
    } catch (cause) {
      throw new NoAnswer(`${method} ${path}: no answer`, { cause })
    }
  }
}

/** No token to be had, so nothing was asked for, and nothing done. */
export class LoginRefused extends Error {
  override readonly name = 'LoginRefused'
}
