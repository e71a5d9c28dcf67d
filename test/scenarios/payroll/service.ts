/** The payments service as the department calls it: JSON over HTTP, and a limit to its patience. */

/** What the department knows of time. A test moves it. */
export interface Time {
  /** Seconds. */
  now(): number
  pause(seconds: number): Promise<void>
  /** Aborts after so many seconds. */
  deadline(seconds: number): AbortSignal
}

/** What identifies the department to the service. */
export interface Credentials {
  apiKey: string
  apiSecret: string
  companyId: string
}

export interface Answer {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: a merchant in a hurry does not write types for what comes back
  body: any
  /** Seconds, where the service says when to come back. */
  retryAfterS: number | undefined
}

/** Nothing came back in time, or the connection broke before anything did. */
class NoAnswer extends Error {}

const PATIENCE_S = 30

export class Service {
  readonly companyId: string
  readonly #baseUrl: string
  readonly #credentials: Credentials
  readonly #time: Time

  constructor(baseUrl: string, credentials: Credentials, time: Time) {
    this.companyId = credentials.companyId
    this.#baseUrl = baseUrl
    this.#credentials = credentials
    this.#time = time
  }

  /** An access token. It is good for five minutes. */
  async login(): Promise<string> {
    const { apiKey, apiSecret } = this.#credentials
    const answer = await this.call('POST', '/api/v1/get-token', { body: { apiKey, apiSecret } })
    return answer.body.data.access_token
  }

  /** Throws `NoAnswer`, or whatever reading a broken body throws. */
  async call(method: string, path: string, given: { token?: string; body?: object } = {}): Promise<Answer> {
    const headers: Record<string, string> = { 'content-type': 'application/json' }
    if (given.token !== undefined) headers['authorization'] = `Bearer ${given.token}`
    const response = await fetch(this.#baseUrl + path.replace('{company}', this.companyId), {
      method,
      headers,
      body: given.body && JSON.stringify(given.body),
      signal: this.#time.deadline(PATIENCE_S),
    }).catch((cause) => {
      throw new NoAnswer(`${method} ${path}: no answer`, { cause })
    })
    const retryAfter = response.headers.get('retry-after')
    return {
      status: response.status,
      body: await response.json(),
      retryAfterS: retryAfter === null ? undefined : Number(retryAfter),
    }
  }
}
