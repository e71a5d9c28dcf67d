import { boundedText } from '../../client/send.ts'
import { asJson } from '../../core/model/json.ts'
import { errorOf } from '../../core/model/must.ts'
import { type Asker, Inconclusive, type ProbeAccount, type ProbeRequest, type SeenAnswer } from '../../service/probe.ts'
import type { Secrets } from '../traffic/har.ts'
import { type KeptExchange, keptExchange, Stopped } from './verdict.ts'

export interface LineOptions {
  baseUrl: string
  account: ProbeAccount
  keys: { 'sub-account'?: Pick<ProbeAccount, 'apiKey' | 'apiSecret'> }
  fetch: typeof fetch
  paceMs: number
  pause(ms: number): Promise<void>
  nowMs(): number
  requests: number
  secrets: Secrets
  signal: AbortSignal
}

/** Share of a token's life after which it is renewed, so that it does not expire on the way. */
const USED_SHARE = 0.8
const ANSWER_MS = 60_000
const NO_TOKEN = 'eyJub3QiOiJvbmUifQ.of.yours'

interface Token {
  access: string
  untilMs: number
}

export class ServiceLine {
  readonly #options: LineOptions
  readonly #tokens = new Map<'merchant' | 'sub-account', Token>()
  #earlier: string | undefined
  #spent = 0
  #beganMs = Number.NEGATIVE_INFINITY

  constructor(options: LineOptions) {
    this.#options = options
  }

  get spent(): number {
    return this.#spent
  }

  get left(): number {
    return this.#options.requests - this.#spent
  }

  /** Retries a failed request once if it is harmless to repeat. Where the service itself fails, its answer proves nothing. */
  async ask(request: ProbeRequest): Promise<SeenAnswer> {
    const seen = await this.#once(request)
    if (!isFailing(seen)) return seen
    const again = isHarmless(request) ? await this.#once(request) : seen
    if (isFailing(again))
      throw new Inconclusive(`the service answered ${again.status} to ${request.method} ${request.path}`)
    return again
  }

  /** Ignores abort and budget, because a change at the real service must be undone. */
  async putBack(request: ProbeRequest): Promise<void> {
    await this.#once(request, true)
  }

  kept({ request: { method, path, body }, status, text }: SeenAnswer): KeptExchange {
    const { secrets } = this.#options
    return keptExchange(`${method} ${secrets.path(path)}`, secrets.body(textOf(body)), status, secrets.body(text))
  }

  async #once(request: ProbeRequest, isOwed = false): Promise<SeenAnswer> {
    const token = await this.#token(request.asker ?? 'merchant')
    const headers = {
      accept: 'application/json',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(request.body !== undefined && { 'content-type': request.type ?? 'application/json' }),
      ...request.headers,
    }
    if (!isOwed) await this.#turn()
    const seen = await this.#send(request, headers)
    if (request.logsIn && seen.status === 200) this.#adopt('merchant', seen)
    return seen
  }

  async #send(request: ProbeRequest, headers: Record<string, string>): Promise<SeenAnswer> {
    const { baseUrl, nowMs } = this.#options
    const body = typeof request.body === 'string' ? request.body : JSON.stringify(request.body)
    this.#spent++
    this.#beganMs = nowMs()
    try {
      const answer = await this.#options.fetch(baseUrl + request.path, {
        method: request.method,
        headers,
        redirect: 'manual',
        // A request under way is waited for, whoever interrupts: what it did has to be known.
        signal: AbortSignal.timeout(ANSWER_MS),
        ...(body !== undefined && { body }),
      })
      const text = await boundedText(answer.body)
      return { request, status: answer.status, headers: Object.fromEntries(answer.headers), text, body: asJson(text) }
    } catch (error) {
      const { message } = errorOf(errorOf(error).cause ?? error)
      throw new Stopped('unreachable', `${baseUrl} gave no answer to ${request.method} ${request.path}: ${message}`)
    }
  }

  async #turn(): Promise<void> {
    const { signal, paceMs, nowMs, pause } = this.#options
    if (this.left <= 0) throw new Stopped('budget', `${this.#spent} requests were sent, as many as were allowed`)
    signal.throwIfAborted()
    const restMs = this.#beganMs + paceMs - nowMs()
    if (restMs > 0) await pause(restMs)
    signal.throwIfAborted()
  }

  async #token(asker: Asker): Promise<string | undefined> {
    if (asker === 'nobody') return undefined
    if (asker === 'earlier-token') return this.#earlier ?? NO_TOKEN
    const known = this.#tokens.get(asker)
    const token = known && known.untilMs > this.#options.nowMs() ? known : await this.#logIn(asker)
    return token.access
  }

  async #logIn(whose: 'merchant' | 'sub-account'): Promise<Token> {
    const { account, keys } = this.#options
    const key = whose === 'merchant' ? account : keys[whose]
    const body = { apiKey: key?.apiKey ?? '', apiSecret: key?.apiSecret ?? '' }
    const seen = await this.#once({ method: 'POST', path: '/api/v1/get-token', body, asker: 'nobody' })
    const token = this.#adopt(whose, seen)
    if (!token)
      throw new Stopped('unreachable', `get-token answered ${seen.status} to the key of the ${whose}`, [
        this.kept(seen),
      ])
    return token
  }

  #adopt(whose: 'merchant' | 'sub-account', seen: SeenAnswer): Token | undefined {
    const { access_token: access, expires_in: lifeS = 300 } = seen.body?.data ?? {}
    if (typeof access !== 'string') return undefined
    const untilMs = this.#options.nowMs() + USED_SHARE * 1000 * Number(lifeS)
    const token = { access, untilMs }
    if (whose === 'merchant') this.#earlier = this.#tokens.get(whose)?.access
    this.#tokens.set(whose, token)
    return token
  }
}

export function textOf(body: object | string = ''): string {
  return typeof body === 'string' ? body.trimEnd() : JSON.stringify(body)
}

const isFailing = ({ status }: SeenAnswer) => status === 429 || status >= 500
const isHarmless = ({ method, doom }: ProbeRequest) => method === 'GET' || method === 'HEAD' || doom !== undefined
