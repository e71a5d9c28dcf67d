/** Asks a world what the recorded service was asked, with the ids, tokens and keys of that world. */
import type { Control } from '../../client/control.ts'
import { MfanoError } from '../../client/errors.ts'
import { type HarRecord, type HeaderMap, headersIn } from '../traffic/har.ts'
import { isMasked } from '../traffic/secrets.ts'
import { ExactNumber, parsed, parseExact, plain, printExact } from '../values/exact-json.ts'
import { formOf } from '../values/forms.ts'
import type { SortedTraffic } from './sorted-traffic.ts'

/** Headers that are none of the caller's doing, or that this side fills in. */
const NOT_REPEATED =
  /^(?:host|connection|content-length|transfer-encoding|accept-encoding|user-agent|authorization|cookie|keep-alive|te|upgrade|via|forwarded|x-forwarded-.*|sec-.*|:.*)$/
/** Fields and parameters that name the caller's own company. */
const COMPANY = /^(?:companyId|parentOrganisationId|fromOrganisationId)$/
/** Stands for a secret that is not known and has to look like one. */
const MADE_UP = 'Made-up-1-secret'

/** An answer of mfano to a recorded request. */
export interface RepeatedRequest {
  status: number
  mediaType: string
  told: HeaderMap
  /** With exact numbers; undefined where it is no JSON. */
  body: unknown
  /** The state that the answer shows could not be brought about here, so it says nothing. */
  unaligned: boolean
  /** By which the journal knows the request; null where it does not. */
  requestId: string | null
}

/** Why a request cannot be asked again. */
export interface NotRepeatable {
  why: string
}

/** A world in which traffic is repeated, from its beginning. */
export class Repeater {
  readonly #world: {
    baseUrl: string
    credentials: { apiKey: string; apiSecret: string; companyId: string }
    control: Control
  }
  readonly #traffic: SortedTraffic
  /** What stands here for a recorded text. */
  readonly #ids = new Map<string, string>()
  readonly #tokens = new Map<string, { token: string; atMs: number }>()
  #usual: string | undefined

  constructor(world: Repeater['world'], traffic: SortedTraffic) {
    this.#world = world
    this.#traffic = traffic
  }

  get world() {
    return this.#world
  }

  /** What stands here for a recorded text; undefined where nothing does. */
  idOf(recorded: string): string | undefined {
    return this.#ids.get(recorded)
  }

  async repeat(recorded: HarRecord, operation: string | undefined): Promise<RepeatedRequest | NotRepeatable> {
    const sent = this.#traffic.isLogin(operation) ? this.#login(recorded) : this.#request(recorded)
    if ('why' in sent) return sent
    const bearer = await this.#bearer(recorded)
    if (typeof bearer === 'object') return bearer
    const answer = parsed(recorded.answer)
    const unaligned = recorded.status < 300 && !(await this.#align(recorded, sent.path, answer))
    const headers = Object.fromEntries(
      Object.entries(recorded.headers).filter(([name, value]) => !NOT_REPEATED.test(name) && !isMasked(value)),
    )
    let response: Response
    try {
      response = await fetch(this.#world.baseUrl + sent.path, {
        method: recorded.method,
        headers: { ...headers, ...(bearer !== undefined && { authorization: bearer }) },
        ...(sent.body !== '' && !['GET', 'HEAD'].includes(recorded.method) && { body: sent.body }),
        redirect: 'manual',
      })
    } catch (error) {
      return { why: `it could not be asked here: ${(error as Error).message}` }
    }
    const text = await response.text()
    const body = parsed(text)
    this.#learn(answer, body)
    if (response.ok && recorded.status < 300) this.#learnTokens(recorded, answer, body)
    const mediaType = (response.headers.get('content-type') ?? '').split(';')[0] as string
    const told = headersIn(response.headers)
    const requestId = response.headers.get('mfano-request-id')
    return { status: response.status, mediaType, told, body, unaligned, requestId }
  }

  /** A key pair that the service took is one of this world; any other stays wrong. */
  #login(recorded: HarRecord): { path: string; body: string } | NotRepeatable {
    const body = parsed(recorded.body)
    if (typeof body !== 'object' || body === null) return { path: this.#traffic.pathOf(recorded), body: recorded.body }
    const { apiKey, apiSecret, refreshToken } = body as Record<string, unknown>
    const refresh = typeof refreshToken === 'string' ? this.#tokens.get(refreshToken)?.token : undefined
    const pair = this.#traffic.isGoodPair(apiKey, apiSecret)
      ? this.#world.credentials
      : { apiKey: apiKey, apiSecret: apiSecret }
    const filled = {
      ...body,
      ...(apiKey !== undefined && { apiKey: pair.apiKey }),
      ...(apiSecret !== undefined && { apiSecret: pair.apiSecret }),
      ...(refresh !== undefined && { refreshToken: refresh }),
    }
    return { path: this.#traffic.pathOf(recorded), body: printExact(filled) }
  }

  #request(recorded: HarRecord): { path: string; body: string } | NotRepeatable {
    const unknown: string[] = []
    const here = (name: string, text: string): string => {
      const known = this.#ids.get(text)
      if (known !== undefined) return known
      if (isMasked(text)) return MADE_UP
      if (recorded.status < 300 && formOf(text) === 'uuid') {
        if (COMPANY.test(name)) {
          this.#ids.set(text, this.#world.credentials.companyId)
          return this.#world.credentials.companyId
        }
        unknown.push(text)
      }
      return text
    }
    const [path = '', query] = this.#traffic.pathOf(recorded).split(/\?(.*)/s)
    const filledPath = path
      .split('/')
      .map((part) => encodeURIComponent(here('', decoded(part))))
      .join('/')
    const filledQuery = query?.split('&').map((pair) => {
      const [name = '', value] = pair.split(/=(.*)/s)
      return value === undefined ? pair : `${name}=${encodeURIComponent(here(decoded(name), decoded(value)))}`
    })
    let body = recorded.body
    try {
      if (body !== '')
        body = printExact(parseExact(body, (name, value) => (typeof value === 'string' ? here(name, value) : value)))
    } catch {
      // What is no JSON goes as it is.
    }
    if (unknown.length > 0) return { why: 'it is about something that began before the recording' }
    return { path: filledQuery ? `${filledPath}?${filledQuery.join('&')}` : filledPath, body }
  }

  /** The token of this world that stands for the recorded one; undefined where none was sent. */
  async #bearer({ headers, status, atMs }: HarRecord): Promise<string | undefined | NotRepeatable> {
    const { authorization } = headers
    if (authorization === undefined) return undefined
    const recorded = authorization.replace(/^Bearer /i, '')
    const known = this.#tokens.get(recorded)
    if (known && (status !== 401 || !this.#traffic.isOld(atMs - known.atMs))) return `Bearer ${known.token}`
    if (known) return { why: 'its token had expired' }
    if (status === 401 || status === 403) return 'Bearer not-a-token'
    this.#usual ??= await this.#usualToken()
    return `Bearer ${this.#usual}`
  }

  /** For what was recorded after a login that was not. */
  async #usualToken(): Promise<string> {
    const { apiKey, apiSecret } = this.#world.credentials
    const response = await fetch(`${this.#world.baseUrl}${this.#traffic.loginPath}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ apiKey, apiSecret }),
    })
    return tokensIn(await response.json())[0] ?? ''
  }

  /** Brings payments to the ends that an answer shows; false where one cannot come there. */
  async #align({ method }: HarRecord, path: string, answer: unknown): Promise<boolean> {
    if (method !== 'GET') return true
    const data = (answer as { data?: unknown } | undefined)?.data ?? answer
    const items = Array.isArray(data) ? data : [data]
    const named = [...new URL(path, 'http://localhost').searchParams.values(), path.split('/').at(-1) ?? '']
    const results = await Promise.all(
      items.map((item) => this.#alignOne(item, Array.isArray(data) ? this.#idIn(item) : named[0])),
    )
    return results.every((aligned) => aligned)
  }

  async #alignOne(item: unknown, id: string | undefined): Promise<boolean> {
    const { status, ...fields } = (plain(item) ?? {}) as Record<string, unknown>
    if (id === undefined || typeof status !== 'string' || !this.#traffic.ends.has(status)) return true
    const { control } = this.#world
    try {
      const payment = await control('GET', '/payments/:id', { path: { id } })
      if (payment.status === status) return true
      const reported = ['errorCode', 'errorDesc', 'statusDesc'].filter(
        (name) => status !== 'SUCCESS' && typeof fields[name] === 'string',
      )
      const more = Object.fromEntries(reported.map((name) => [name, fields[name]])) as Record<string, string>
      const resolve = (body: { status: string; with?: Record<string, string> }) =>
        control('POST', '/payments/:id/resolve', { path: { id }, body })
      await resolve(reported.length > 0 ? { status, with: more } : { status }).catch(() => resolve({ status }))
      return true
    } catch (error) {
      if (!(error instanceof MfanoError)) throw error
      return error.status === 404
    }
  }

  /** What stands here for the first id in a record that is known. */
  #idIn(item: unknown): string | undefined {
    if (typeof item !== 'object' || item === null) return undefined
    const known = Object.values(item).find(
      (value) => typeof value === 'string' && formOf(value) === 'uuid' && this.#ids.has(value),
    )
    return known && this.#ids.get(known as string)
  }

  /** Texts at the same place that are other ones here: from now on they stand for each other. */
  #learn(recorded: unknown, here: unknown): void {
    if (typeof recorded === 'string' && typeof here === 'string') {
      const form = formOf(recorded)
      if (form !== undefined && form === formOf(here) && !this.#ids.has(recorded)) this.#ids.set(recorded, here)
      return
    }
    // Lists may come in another order; whoever made their items was told their ids.
    if (Array.isArray(recorded) && Array.isArray(here)) {
      if (recorded.length === 1 && here.length === 1) this.#learn(recorded[0], here[0])
      return
    }
    if (typeof recorded !== 'object' || typeof here !== 'object' || recorded === null || here === null) return
    if (recorded instanceof ExactNumber || here instanceof ExactNumber) return
    for (const [name, value] of Object.entries(recorded)) this.#learn(value, (here as Record<string, unknown>)[name])
  }

  #learnTokens({ atMs }: HarRecord, recorded: unknown, here: unknown): void {
    const own = tokensIn(here)
    for (const [at, token] of tokensIn(recorded).entries())
      this.#tokens.set(token, { token: own[at] ?? own[0] ?? '', atMs })
  }
}

/** Texts under names such as `access_token`, in their order. */
function tokensIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([name, one]) => (typeof one === 'string' ? (/token$/i.test(name) ? [one] : []) : tokensIn(one)))
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}
