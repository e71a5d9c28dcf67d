import { closeSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs'
import { maskBody, maskHeader, maskPath, type Sort } from '../../core/model/mask.ts'
import { errorOf } from '../../core/model/must.ts'
import { Unusable } from '../subject.ts'
import type { HarRecord } from './read-traffic.ts'

const HAR_BEFORE = '{"log":{"version":"1.2","creator":{"name":"mfano","version":"1"},"entries":[\n'
const HAR_AFTER = '\n]}}\n'

const OWNER_ONLY = 0o600

export interface Exchanged {
  beganMs: number
  tookMs: number
  method: string
  url: string
  headers: Headers
  body: string | undefined
  status: number
  answerHeaders: Headers
  answer: string | undefined
}

/** The file is a complete HAR after every entry, so that it can be read at any time. */
export class HarFile {
  readonly #path: string
  readonly #file: number
  readonly #secrets: Secrets
  #end = 0
  entries = 0

  constructor(path: string, secrets: Secrets) {
    this.#path = path
    this.#secrets = secrets
    try {
      this.#file = openSync(path, 'wx', OWNER_ONLY)
    } catch (error) {
      const { code, message } = errorOf(error)
      const hint = code === 'EEXIST' ? 'It is there already: name a new one with --out.' : message
      throw new Unusable(`${path} cannot be written.`, { code: 'COMMAND_FAILED', hint })
    }
    this.#end = writeSync(this.#file, HAR_BEFORE, 0)
    writeSync(this.#file, HAR_AFTER, this.#end)
  }

  add(exchange: Exchanged): void {
    const known = this.#secrets.count
    // Twice, so that what only its end tells of secrets holds for its beginning too.
    harEntryOf(exchange, this.#secrets)
    const entry = harEntryOf(exchange, this.#secrets)
    if (this.#secrets.count > known) this.#redact()
    const text = `${this.entries === 0 ? '' : ',\n'}${JSON.stringify(entry)}`
    const bytes = writeSync(this.#file, text + HAR_AFTER, this.#end)
    this.#end += bytes - Buffer.byteLength(HAR_AFTER)
    this.entries++
  }

  /** Earlier entries may hold what is known to be a secret only now. They change before the next one is written. */
  #redact(): void {
    const text = readFileSync(this.#path, 'utf8')
    const now = this.#secrets.redact(text)
    if (now === text) return
    const bytes = writeSync(this.#file, now, 0)
    ftruncateSync(this.#file, bytes)
    this.#end = bytes - Buffer.byteLength(HAR_AFTER)
  }

  close(): void {
    closeSync(this.#file)
  }
}

function harEntryOf(exchange: Exchanged, secrets: Secrets) {
  const { method, headers, body, status, answerHeaders, answer, beganMs, tookMs } = exchange
  const named = (all: Headers) => Array.from(all, ([name, value]) => ({ name, value: secrets.header(name, value) }))
  const requestHeaders = named(headers)
  const sent = secrets.body(body ?? '')
  const told = secrets.body(answer ?? '')
  const url = new URL(exchange.url)
  const path = secrets.path(url.pathname + url.search)
  return {
    startedDateTime: new Date(beganMs).toISOString(),
    time: tookMs,
    request: {
      method,
      url: url.origin + path,
      httpVersion: 'HTTP/1.1',
      headers: requestHeaders,
      queryString: [],
      cookies: [],
      headersSize: -1,
      bodySize: sent.length,
      ...(sent !== '' && { postData: { mimeType: headers.get('content-type') ?? '', text: sent } }),
    },
    response: {
      status,
      statusText: '',
      httpVersion: 'HTTP/1.1',
      headers: named(answerHeaders),
      cookies: [],
      content: {
        size: told.length,
        mimeType: answerHeaders.get('content-type') ?? '',
        text: told,
        ...(answer === undefined && { comment: 'longer than what is kept' }),
      },
      redirectURL: '',
      headersSize: -1,
      bodySize: told.length,
    },
    cache: {},
    timings: { send: 0, wait: tookMs, receive: 0 },
  }
}

/** Twice, so that what a later exchange tells of secrets holds for the earlier ones, too. */
export function masked(recorded: readonly HarRecord[]): HarRecord[] {
  const secrets = new Secrets()
  const inOne = ({ headers, path, body, answer, ...rest }: HarRecord): HarRecord => ({
    ...rest,
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, secrets.header(name, value)])),
    path: secrets.path(path),
    body: secrets.body(body),
    answer: secrets.body(answer),
  })
  return recorded.map(inOne).map(inOne)
}

// Replaces each secret in recorded traffic with a stable name, so that equal secrets stay recognisable.

/** Shorter secrets are masked only in place, because they would match everywhere else. */
const SHORTEST = 6

export function isMasked(text: string): boolean {
  return /^\*\*\*[a-z]+-\d+$/.test(text)
}

export class Secrets {
  readonly #names = new Map<string, string>()
  readonly #forms: [written: string, name: string][] = []
  readonly #replace = (secret: string, sort: Sort) => this.nameOf(secret, sort)

  /** Grows when a secret is learned, so callers see that earlier text must be masked again. */
  get count(): number {
    return this.#names.size
  }

  nameOf(secret: string, what: Sort): string {
    if (isMasked(secret) || secret === '') return secret
    const known = this.#names.get(secret)
    if (known !== undefined) return known
    const name = `***${what}-${this.#names.size + 1}`
    this.#names.set(secret, name)
    if (secret.length >= SHORTEST) for (const written of writtenForms(secret)) this.#forms.push([written, name])
    return name
  }

  redact(text: string): string {
    let redacted = text
    for (const [written, name] of this.#forms)
      if (redacted.includes(written)) redacted = redacted.replaceAll(written, name)
    return redacted
  }

  header(name: string, value: string): string {
    // A session is one wherever it comes back, with other cookies or without.
    if (/cookie/i.test(name)) for (const pair of value.split(';')) this.#cookie(pair)
    return this.redact(maskHeader(name, value, this.#replace))
  }

  path(path: string): string {
    return this.redact(maskPath(path, this.#replace))
  }

  body(text: string): string {
    return this.redact(maskBody(text, this.#replace))
  }

  #cookie(pair: string): void {
    const value = pair.split(/=(.*)/s)[1]?.trim() ?? ''
    if (value.length >= SHORTEST && !/^(?:\s*)(?:path|domain|expires|max-age|samesite)=/i.test(pair))
      this.nameOf(value, 'secret')
  }
}

/** Plain, URL-encoded, in JSON, in nested JSON, and in Base64. */
function writtenForms(secret: string): ReadonlySet<string> {
  const escaped = JSON.stringify(secret).slice(1, -1)
  const bytes = String.fromCharCode(...new TextEncoder().encode(secret))
  const forms = [secret, encodeURIComponent(secret), escaped, JSON.stringify(escaped).slice(1, -1), btoa(bytes)]
  // The longest first: one may begin with another.
  return new Set(forms.sort((a, b) => b.length - a.length))
}
