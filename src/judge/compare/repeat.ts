import { MfanoError } from '../../client/errors.ts'
import { boundedText } from '../../client/send.ts'
import { ServiceCaller } from '../../client/service-client.ts'
import { isRaw, parseWire } from '../../core/model/json.ts'
import { errorOf, isRecord } from '../../core/model/must.ts'
import type { OwnWorld } from '../subject/own-worlds.ts'
import { isMasked } from '../traffic/har.ts'
import { belowBase, type HarRecord, type HeaderMap, headersIn } from '../traffic/read-traffic.ts'
import { formOf, parsed } from '../values/differences.ts'
import type { SortedTraffic } from './sorted-traffic.ts'

/** Headers that the caller does not control, or that this module sets. Recorded bodies are unpacked. */
const NOT_REPEATED =
  /^(?:host|connection|content-length|content-encoding|transfer-encoding|accept-encoding|user-agent|authorization|cookie|expect|keep-alive|te|trailer|upgrade|http2-settings|via|forwarded|x-forwarded-.*|proxy-.*|sec-.*|:.*)$/
const COMPANY = /^(?:companyId|parentOrganisationId|fromOrganisationId)$/
/** Replaces a masked secret; its form passes validation. */
const MADE_UP = 'Made-up-1-secret'

export interface RepeatedRequest {
  status: number
  mediaType: string
  told: HeaderMap
  /** Numbers are exact. Undefined if the body is not JSON. */
  body: unknown
  /** The recorded state could not be reproduced here, so a different answer proves nothing. */
  unaligned: boolean
}

export interface NotRepeatable {
  why: string
}

export class Repeater {
  readonly #world: OwnWorld
  readonly #traffic: SortedTraffic
  readonly #ids = new Map<string, string>()
  readonly #tokens = new Map<string, { token: string; atMs: number }>()
  readonly #usual: ServiceCaller
  /** Requests that were recorded without `Authorization`, and sent with a token. */
  ownTokens = 0

  constructor(world: OwnWorld, traffic: SortedTraffic) {
    this.#world = world
    this.#traffic = traffic
    this.#usual = new ServiceCaller(world.baseUrl)
  }

  idOf(recorded: string): string | undefined {
    return this.#ids.get(recorded)
  }

  async repeat(recorded: HarRecord, operation: string | undefined): Promise<RepeatedRequest | NotRepeatable> {
    const isLogin = this.#traffic.isLogin(operation)
    if (recorded.unrecorded.has('body')) return { why: 'the body of its request was not recorded' }
    const sent = isLogin ? this.#login(recorded) : this.#request(recorded)
    if ('why' in sent) return sent
    const bearer = await this.#bearer(recorded, isLogin)
    if (typeof bearer === 'object') return bearer
    const answer = parsed(recorded.answer)
    const unaligned = recorded.status < 300 && !(await this.#align(recorded, sent.path, answer))
    let response: Response
    try {
      response = await fetch(this.#world.baseUrl + sent.path, {
        method: recorded.method,
        headers: { ...sendable(recorded.headers), ...(bearer !== undefined && { authorization: bearer }) },
        ...(sent.body !== '' && !['GET', 'HEAD'].includes(recorded.method) && { body: sent.body }),
        redirect: 'manual',
      })
    } catch (error) {
      return { why: `it could not be asked here: ${errorOf(error).message}` }
    }
    const text = await boundedText(response.body)
    const body = parsed(text)
    this.#learn(answer, body)
    if (response.ok && recorded.status < 300) this.#learnTokens(recorded, answer, body)
    const [mediaType = ''] = (response.headers.get('content-type') ?? '').split(';')
    const told = headersIn(response.headers)
    return { status: response.status, mediaType, told, body, unaligned }
  }

  /** Replaces keys that the service accepted. Rejected keys stay as they are, so that they are rejected here too. */
  #login(recorded: HarRecord): { path: string; body: string } | NotRepeatable {
    const body = parsed(recorded.body)
    if (typeof body !== 'object' || body === null) return { path: belowBase(recorded.path), body: recorded.body }
    const { apiKey, apiSecret, refreshToken }: Record<string, unknown> = isRecord(body) ? body : {}
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
    return { path: belowBase(recorded.path), body: JSON.stringify(filled) }
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
    const [path = '', query] = belowBase(recorded.path).split(/\?(.*)/s)
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
        body = JSON.stringify(parseWire(body), (name, value) => (typeof value === 'string' ? here(name, value) : value))
    } catch {
      // Bodies that are not JSON are sent unchanged.
    }
    if (unknown.length > 0) return { why: 'it is about something that began before the recording' }
    return { path: filledQuery ? `${filledPath}?${filledQuery.join('&')}` : filledPath, body }
  }

  async #bearer({ headers, status, atMs }: HarRecord, isLogin: boolean): Promise<string | undefined | NotRepeatable> {
    const { authorization } = headers
    if (authorization === undefined) {
      // Tools leave the header out; a service that let the request pass had seen it.
      if (isLogin || status === 401 || status === 403) return undefined
      this.ownTokens++
      return `Bearer ${await this.#usualToken()}`
    }
    const recorded = authorization.replace(/^Bearer /i, '')
    const known = this.#tokens.get(recorded)
    if (known && (status !== 401 || !this.#traffic.isOld(atMs - known.atMs))) return `Bearer ${known.token}`
    if (known) return { why: 'its token had expired' }
    if (status === 401 || status === 403) return 'Bearer not-a-token'
    return `Bearer ${await this.#usualToken()}`
  }

  async #usualToken(): Promise<string> {
    // A scenario may refuse it, as it would the app.
    if (this.#usual.token === undefined) await this.#usual.login(this.#world.credentials).catch(() => {})
    return this.#usual.token ?? ''
  }

  /** Resolves payments to the states that the recorded answer shows. Returns false if that is impossible. */
  async #align({ method }: HarRecord, path: string, answer: unknown): Promise<boolean> {
    if (method !== 'GET') return true
    const data = (isRecord(answer) ? answer['data'] : undefined) ?? answer
    const items = Array.isArray(data) ? data : [data]
    const named = [...new URL(path, 'http://localhost').searchParams.values(), path.split('/').at(-1) ?? '']
    const results = await Promise.all(
      items.map((item) => this.#alignOne(item, Array.isArray(data) ? this.#idIn(item) : named[0])),
    )
    return results.every((aligned) => aligned)
  }

  async #alignOne(item: unknown, id: string | undefined): Promise<boolean> {
    const { status, ...fields }: Record<string, unknown> = isRecord(item) ? item : {}
    if (id === undefined || typeof status !== 'string' || !this.#traffic.ends.has(status)) return true
    const { control } = this.#world
    try {
      const payment = await control('GET', '/payments/:id', { path: { id } })
      if (payment.status === status) return true
      const reported = ['errorCode', 'errorDesc', 'statusDesc'].filter(
        (name) => status !== 'SUCCESS' && typeof fields[name] === 'string',
      )
      const more = Object.fromEntries(reported.map((name) => [name, String(fields[name])]))
      const resolve = (body: { status: string; with?: Record<string, string> }) =>
        control('POST', '/payments/:id/resolve', { path: { id }, body })
      await resolve(reported.length > 0 ? { status, with: more } : { status }).catch(() => resolve({ status }))
      return true
    } catch (error) {
      if (!(error instanceof MfanoError)) throw error
      return error.status === 404
    }
  }

  #idIn(item: unknown): string | undefined {
    if (typeof item !== 'object' || item === null) return undefined
    const known = Object.values(item).find(
      (value) => typeof value === 'string' && formOf(value) === 'uuid' && this.#ids.has(value),
    )
    return known && this.#ids.get(known)
  }

  /** Maps recorded texts to the different texts found at the same place. */
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
    if (isRaw(recorded) || isRaw(here)) return
    for (const [name, value] of Object.entries(recorded)) this.#learn(value, Reflect.get(here, name))
  }

  #learnTokens({ atMs }: HarRecord, recorded: unknown, here: unknown): void {
    const own = tokensIn(here)
    for (const [at, token] of tokensIn(recorded).entries())
      this.#tokens.set(token, { token: own[at] ?? own[0] ?? '', atMs })
  }
}

/** Texts under names such as `access_token`, sorted by name. */
function tokensIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([name, one]) => (typeof one === 'string' ? (/token$/i.test(name) ? [one] : []) : tokensIn(one)))
}

/** Headers that can be sent: characters beyond Latin-1 as their bytes in UTF-8, none that HTTP forbids. */
function sendable(recorded: HarRecord['headers']): Record<string, string> {
  const headers = new Headers()
  for (const [name, value] of Object.entries(recorded)) {
    if (NOT_REPEATED.test(name) || isMasked(value)) continue
    const isLatin = [...value].every((char) => char <= '\u00FF')
    try {
      headers.set(name, isLatin ? value : Buffer.from(value).toString('latin1'))
    } catch {
      // Its name or value is not one of HTTP.
    }
  }
  return Object.fromEntries(headers)
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}
