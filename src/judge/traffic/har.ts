import { closeSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs'
import { maskBody, maskHeader, maskPath, type Sort } from '../../core/model/mask.ts'
import { errorOf } from '../../core/model/must.ts'
import { OWNER_ONLY } from '../../hosts/node/file-access.ts'
import { Unusable } from '../subject.ts'
import type { HarRecord } from './read-traffic.ts'

const HAR_BEFORE = '{"log":{"version":"1.2","creator":{"name":"mfano","version":"1"},"entries":[\n'
const HAR_AFTER = '\n]}}\n'

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
      this.#file = openSync(path, 'wx', OWNER_ONLY.file)
    } catch (error) {
      const { code, message } = errorOf(error)
      const hint = code === 'EEXIST' ? 'It is there already: name a new one with --out.' : message
      throw new Unusable(`${path} cannot be written.`, { code: 'COMMAND_FAILED', hint })
    }
    this.#end = writeSync(this.#file, HAR_BEFORE, 0)
    writeSync(this.#file, HAR_AFTER, this.#end)
  }

  add(exchange: HarRecord): void {
    const known = this.#secrets.count
    const [masked = exchange] = this.#secrets.masked([exchange])
    if (this.#secrets.count > known) this.#redact()
    const text = `${this.entries === 0 ? '' : ',\n'}${JSON.stringify(harEntryOf(masked))}`
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

function harEntryOf({ atMs, tookMs, method, origin, path, headers, body, ...answered }: HarRecord) {
  const { status, told, answer, unrecorded } = answered
  const headerList = (all: HarRecord['headers']) => Object.entries(all).map(([name, value]) => ({ name, value }))
  return {
    startedDateTime: new Date(atMs).toISOString(),
    time: tookMs,
    request: {
      method,
      url: origin + path,
      httpVersion: 'HTTP/1.1',
      headers: headerList(headers),
      queryString: [],
      cookies: [],
      headersSize: -1,
      bodySize: body.length,
      ...(body !== '' && { postData: { mimeType: headers['content-type'] ?? '', text: body } }),
    },
    response: {
      status,
      statusText: '',
      httpVersion: 'HTTP/1.1',
      headers: headerList(told),
      cookies: [],
      content: {
        size: answer.length,
        mimeType: told['content-type'] ?? '',
        text: answer,
        ...(unrecorded.has('answer') && { comment: 'longer than what is kept' }),
      },
      redirectURL: '',
      headersSize: -1,
      bodySize: answer.length,
    },
    cache: {},
    timings: { send: 0, wait: tookMs, receive: 0 },
  }
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

  /** Twice, so that what a later exchange, or the end of one, tells of secrets holds for what came before, too. */
  masked(recorded: readonly HarRecord[]): HarRecord[] {
    const inOne = (one: HarRecord): HarRecord => ({
      ...one,
      headers: this.#headers(one.headers),
      path: this.path(one.path),
      body: this.body(one.body),
      told: this.#headers(one.told),
      answer: this.body(one.answer),
    })
    return recorded.map(inOne).map(inOne)
  }

  #headers(headers: HarRecord['headers']): Record<string, string> {
    return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, this.header(name, value)]))
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
