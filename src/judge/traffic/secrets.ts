/** Replaces each secret in recorded traffic with a stable name, so that equal secrets stay recognisable. */
import { isSecretName, isSecretParameter, mayHoldSecrets } from '../../core/model/mask.ts'
import { ExactNumber, parseExact, printExact } from '../values/exact-json.ts'

const SECRET_HEADER = /^(?!www-authenticate$).*(?:auth|cookie|token|secret|key|password|signature|session|credential)/i
const CREDENTIALS = /(https?:\/\/[^\s/?#:@"\\]*:)([^\s/?#@"\\]+)@/gi
const QUERY = /(https?:\/\/[^\s?#"\\]*\?)([^\s#"\\]+)/gi
/** Marks unreadable text that may contain a key, in addition to the journal's patterns. */
const API_KEY = /api.?key/i
const TOKEN = /\beyJ[\w-]+\.[\w-]+\.[\w-]*/g
/** Shorter secrets are masked only in place, because they would match everywhere else. */
const SHORTEST = 6

export function isMasked(text: string): boolean {
  return /^\*\*\*[a-z]+-\d+$/.test(text)
}

export class Secrets {
  readonly #names = new Map<string, string>()
  readonly #forms: [written: string, name: string][] = []

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
    let redacted = text.replace(TOKEN, (token) => this.nameOf(token, 'token'))
    for (const [written, name] of this.#forms)
      if (redacted.includes(written)) redacted = redacted.replaceAll(written, name)
    return redacted
  }

  /** Keeps the scheme, such as `Bearer`. */
  header(name: string, value: string): string {
    if (!SECRET_HEADER.test(name) && !isSecretName(name)) return this.redact(this.#addresses(value))
    // A session is one wherever it comes back, with other cookies or without.
    if (/cookie/i.test(name)) for (const pair of value.split(';')) this.#cookie(pair)
    const [, scheme, token] = /^(Bearer)\s+(.*)$/i.exec(value) ?? []
    return token === undefined ? this.nameOf(value, 'secret') : `${scheme} ${this.nameOf(token, 'token')}`
  }

  path(path: string): string {
    const [before = '', query] = path.split(/\?(.*)/s)
    return this.redact(query === undefined ? path : `${before}?${this.#pairs(query)}`)
  }

  /** A body that may contain secrets and cannot be parsed is dropped. */
  body(text: string, contentType: string): string {
    if (text === '') return text
    if (/x-www-form-urlencoded/i.test(contentType)) return this.redact(this.#pairs(text))
    try {
      return this.redact(printExact(parseExact(text, (name, value) => this.#masked(name, value))))
    } catch {
      const redacted = this.redact(this.#addresses(text))
      return mayHoldSecrets(redacted) || API_KEY.test(redacted)
        ? `(${text.length} characters that may hold secrets)`
        : redacted
    }
  }

  #pairs(text: string): string {
    return text
      .split('&')
      .map((pair) => {
        const [name = '', value] = pair.split(/=(.*)/s)
        if (value === undefined || value === '') return pair
        const sort = sortOf(name, isSecretParameter)
        return sort === undefined ? pair : `${name}=${this.nameOf(value, sort)}`
      })
      .join('&')
  }

  #addresses(text: string): string {
    return text
      .replace(CREDENTIALS, (_all, before, password) => `${before}${this.nameOf(password, 'secret')}@`)
      .replace(QUERY, (_all, before, query) => before + this.#pairs(query))
  }

  #cookie(pair: string): void {
    const value = pair.split(/=(.*)/s)[1]?.trim() ?? ''
    if (value.length >= SHORTEST && !/^(?:\s*)(?:path|domain|expires|max-age|samesite)=/i.test(pair))
      this.nameOf(value, 'secret')
  }

  /** JSON inside a text, as a service returns it that echoes its input. */
  #maskedText(text: string): string {
    try {
      return printExact(parseExact(text, (name, value) => this.#masked(name, value)))
    } catch {
      return text
    }
  }

  /** Masks a whole value at any depth, such as `{"tokens":["A"]}` or `{"secret":{"value":"x"}}`. */
  #maskedWhole(value: unknown, sort: Sort): unknown {
    if (typeof value === 'string' || value instanceof ExactNumber) return this.nameOf(`${value}`, sort)
    if (Array.isArray(value)) return value.map((one) => this.#maskedWhole(one, sort))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, this.#maskedWhole(one, sort)]))
  }

  #masked(name: string, value: unknown): unknown {
    const sort = sortOf(name)
    if (sort !== undefined) return this.#maskedWhole(value, sort)
    if (typeof value === 'string' && /^\s*[{[]/.test(value)) return this.#maskedText(value)
    if (typeof value === 'string' && /https?:/i.test(value)) return this.#addresses(value)
    if (!/card$/i.test(name) || typeof value !== 'object' || value === null || !('number' in value)) return value
    return { ...value, number: this.nameOf(`${value.number}`, 'secret') }
  }
}

type Sort = 'key' | 'secret' | 'token'

function sortOf(name: string, isSecret = isSecretName): Sort | undefined {
  if (API_KEY.test(name)) return 'key'
  if (!isSecret(name)) return undefined
  return /token|jwt/i.test(name) ? 'token' : 'secret'
}

/** Plain, URL-encoded, in JSON, in nested JSON, and in Base64. */
function writtenForms(secret: string): ReadonlySet<string> {
  const escaped = JSON.stringify(secret).slice(1, -1)
  const bytes = String.fromCharCode(...new TextEncoder().encode(secret))
  const forms = [secret, encodeURIComponent(secret), escaped, JSON.stringify(escaped).slice(1, -1), btoa(bytes)]
  // The longest first: one may begin with another.
  return new Set(forms.sort((a, b) => b.length - a.length))
}
