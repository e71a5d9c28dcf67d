import { asJson } from '../core/model/json.ts'
import { errorParts } from '../core/model/refusal.ts'
import { noAnswer } from './errors.ts'
import { type ReceivedAnswer, send } from './send.ts'

export { errorParts }

export interface Envelope<Status, Message, Data> {
  /** The HTTP status again. Basis: specified. */
  status: Status
  /** One text for each family of operations. Basis: published. */
  message: Message
  data: Data
}

export interface ServiceAnswer<Body = unknown> {
  status: number
  headers: Headers
  /** The whole body. Amounts such as `1000.0` become numbers; `text` keeps them as sent. */
  body: Body
  /** The content of the envelope, or the body if there is none. */
  data: Body extends { data: infer Data } ? Data : Body
  text: string
  /** Finds the request in `world.requests`. Only mfano sends it, never the real service. */
  requestId: string | undefined
}

export interface CallOptions {
  /** Headers to add or replace. */
  headers?: Readonly<Record<string, string>>
  /** Replaces the client's token; null sends none. */
  token?: string | null
  signal?: AbortSignal
}

/**
 * A refusal of the service: any answer but 2xx. It has the same parts whatever the form of the body.
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
  /** Such as `INSUFFICIENT_FUNDS`. Undefined if the body has no code. */
  readonly code: string | undefined
  /** The mistake. Lists the fields if the body does. */
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

export interface CallRequest {
  body?: unknown
  query?: Readonly<Record<string, unknown>>
  path?: Readonly<Record<string, unknown>>
  headers?: Readonly<Record<string, string>>
}

/** Sends requests with a token that it keeps and never renews, so that a test sees expiry as an app would. */
export class ServiceCaller {
  /** The world's base URL, as your app has it in its configuration. */
  readonly baseUrl: string
  /** The access token; undefined before `login`. An expired one stays, so that a test can see the 401. */
  token: string | undefined

  constructor(baseUrl: string) {
    this.baseUrl = baseUrl
  }

  /**
   * Gets an access token for a key pair, valid for 300 seconds of world time, and sends it from now on. Throws a
   * `ServiceError` when the pair is wrong.
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
   * Sends any request: with missing fields, wrong types, or an unknown path. Returns every answer, refusals too. A
   * string is sent unchanged.
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
    let response: ReceivedAnswer
    let text: string
    try {
      response = await send(url, {
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
      // Made when somebody asks: with it, Node loads its `fetch`.
      get headers() {
        return new Headers([...response.headers])
      },
      body: read,
      data: dataOf(read) as ServiceAnswer<Body>['data'],
      text,
      requestId: response.headers.get('mfano-request-id') ?? undefined,
    }
  }

  /** Throws a `ServiceError` for anything but 2xx. */
  protected async call<Body>(
    method: string,
    template: string,
    { body, path = {}, query = {}, headers }: CallRequest,
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
