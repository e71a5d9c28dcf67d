/** What the generated client of the service stands on: requests, answers, refusals, and a token. */
import { asJson } from '../core/model/as-json.ts'
import { errorParts } from '../core/model/error-parts.ts'
import { noAnswer } from './errors.ts'

export { errorParts }

/** What most answers are wrapped in. */
export interface Envelope<Status, Message, Data> {
  /** The HTTP status again. Basis: specified. */
  status: Status
  /** A text per family of operations. Basis: published. */
  message: Message
  data: Data
}

/** What the service answered. */
export interface ServiceAnswer<Body = unknown> {
  status: number
  headers: Headers
  /** The whole body. Amounts such as `1000.0` are read as numbers; `text` has them as they came. */
  body: Body
  /** What the envelope holds; the body itself where there is no envelope. */
  data: Body extends { data: infer Data } ? Data : Body
  /** The bytes as text. */
  text: string
  /** Finds the request in `world.requests`. The real service sends no such thing. */
  requestId: string | undefined
}

/** How a request is sent. */
export interface CallOptions {
  /** Headers to add or replace. */
  headers?: Readonly<Record<string, string>>
  /** Another token than the client's; null sends none. */
  token?: string | null
  signal?: AbortSignal
}

/**
 * The service refused: an answer other than 2xx. Whatever form the error body has, its parts are here.
 *
 * @example
 * ```ts
 * await using mfano = await startMfano()
 * const world = await mfano.world()
 * const client = await world.client()
 * const refused = await client
 *   .createTillPayment({ amount: 403.01, businessNumber: '123456', remarks: 'Rent', occasion: 'May', callbackUrl: world.inbox('till').url })
 *   .catch((error) => error)
 * assert(refused instanceof ServiceError)
 * assert.equal(refused.status, 403)
 * assert.equal(refused.code, 'PAYMENT_LIMIT_EXCEEDED')
 * ```
 */
export class ServiceError extends Error {
  override readonly name = 'ServiceError'
  readonly status: number
  /** Such as `INSUFFICIENT_FUNDS`; undefined where the body has none. */
  readonly code: string | undefined
  /** What was wrong; of the field-list form, its fields. */
  readonly details: string
  readonly answer: ServiceAnswer

  constructor(request: string, answer: ServiceAnswer) {
    const { code, message, details } = errorParts(answer.body)
    const said = [code, message, details].filter(Boolean).join(': ')
    super(`${request} was refused with ${answer.status}: ${said || answer.text.slice(0, 200) || 'no body'}`)
    this.status = answer.status
    this.code = code
    this.details = details
    this.answer = answer
  }
}

/** What an operation is sent: a body, or what stands in path and query. */
export interface Sent {
  body?: unknown
  query?: Readonly<Record<string, unknown>>
  path?: Readonly<Record<string, unknown>>
  headers?: Readonly<Record<string, string>>
}

/** The ground that the generated client stands on: requests, answers, and a token that is kept and never renewed. */
export class ServiceCaller {
  /** The world's base URL, as an app under test has it in its configuration. */
  readonly baseUrl: string
  /** The access token that calls carry; undefined before `login`. An expired one stays, so that a test can see the 401. */
  token: string | undefined

  constructor(baseUrl: string) {
    this.baseUrl = baseUrl
  }

  /**
   * Gets an access token for a key pair, and carries it from now on. It is good for 300 seconds of world time.
   * Fails with a `ServiceError` where the pair is not good.
   */
  async login({ apiKey, apiSecret }: { apiKey: string; apiSecret: string }): Promise<void> {
    const { data } = await this.call<{ data: { access_token: string } }>(
      'POST',
      '/api/v1/get-token',
      { body: { apiKey, apiSecret } },
      { token: null },
    )
    this.token = data.access_token
  }

  /**
   * Any request, as a test needs it: with fields missing, of a wrong type, or to a path that does not exist. Gives
   * whatever the service answers, refusals too. A string is sent as it is.
   *
   * @example
   * ```ts
   * await using mfano = await startMfano()
   * const client = await (await mfano.world()).client()
   * const { status, body } = await client.request('POST', '/api/sandbox/v1/till', { body: { amount: 'much' } })
   * assert.equal(status, 400)
   * assert.equal(body.error.code, 'REQ_INVALID_FIELD')
   * ```
   */
  // biome-ignore lint/suspicious/noExplicitAny: what comes back is for the test to judge
  async request<Body = any>(
    method: string,
    path: string,
    options: CallOptions & { body?: unknown } = {},
  ): Promise<ServiceAnswer<Body>> {
    const { body, headers, signal, token = this.token } = options
    const url = this.baseUrl + path
    let response: Response
    let text: string
    try {
      response = await fetch(url, {
        method,
        redirect: 'manual',
        headers: {
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(token != null && { authorization: `Bearer ${token}` }),
          ...headers,
        },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
        ...(signal && { signal }),
      })
      text = await response.text()
    } catch (error) {
      if (signal?.aborted) throw error
      throw noAnswer(
        `${method} ${url}`,
        error,
        'A fault of the scenario may have cut the connection: world.requests.list() says so. Else, is this mfano running?',
      )
    }
    const read = asJson(text) as Body
    return {
      status: response.status,
      headers: response.headers,
      body: read,
      data: dataOf(read) as ServiceAnswer<Body>['data'],
      text,
      requestId: response.headers.get('mfano-request-id') ?? undefined,
    }
  }

  /** One operation of the contract; anything but 2xx is a `ServiceError`. */
  protected async call<Body>(
    method: string,
    template: string,
    { body, path = {}, query = {}, headers }: Sent,
    options: CallOptions = {},
  ): Promise<ServiceAnswer<Body>> {
    const filled = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(path[name])))
    const given = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]))
    const answer = await this.request<Body>(
      method,
      given.length > 0 ? `${filled}?${new URLSearchParams(given)}` : filled,
      { ...options, body, headers: { ...headers, ...options.headers } },
    )
    if (answer.status >= 200 && answer.status < 300) return answer
    throw new ServiceError(`${method} ${filled}`, answer)
  }
}

function dataOf(body: unknown): unknown {
  return typeof body === 'object' && body !== null && 'data' in body ? body.data : body
}
