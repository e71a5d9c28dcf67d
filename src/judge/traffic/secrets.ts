/** Keeps secrets out of what is recorded and told: each is replaced by a name that says only which one it is. */
import { isSecretName, isSecretParameter, mayHoldSecrets } from '../../core/model/mask.ts'
import { ExactNumber, parseExact, printExact } from '../values/exact-json.ts'

/** Headers that may hold a secret, or who somebody is. */
const SECRET_HEADER = /^(?!www-authenticate$).*(?:auth|cookie|token|secret|key|password|signature|session|credential)/i
/** A password in an address, behind the name of a user. */
const CREDENTIALS = /(https?:\/\/[^\s/?#:@"\\]*:)([^\s/?#@"\\]+)@/gi
/** The query of an address. */
const QUERY = /(https?:\/\/[^\s?#"\\]*\?)([^\s#"\\]+)/gi
/** What an unreadable text has in it that may hold one, besides what the journal looks for. */
const API_KEY = /api.?key/i
/** Signed tokens, wherever they stand. */
const TOKEN = /\beyJ[\w-]+\.[\w-]+\.[\w-]*/g
/** Shorter ones are masked where they stand; as part of other texts they would be found in everything. */
const SHORTEST = 6

/** Whether a text stands for a secret. */
export function isMasked(text: string): boolean {
  return /^\*\*\*[a-z]+-\d+$/.test(text)
}

/** Secrets that were seen. The same secret always gets the same name. */
export class Secrets {
  readonly #names = new Map<string, string>()
  /** Each form in which a secret of some length may be written, by which it is found again. */
  readonly #forms: [written: string, name: string][] = []

  /** How many are known: more than before when something was learned. */
  get count(): number {
    return this.#names.size
  }

  /** The name of a secret, which is taken out of every text from now on. */
  nameOf(secret: string, what: Sort): string {
    if (isMasked(secret) || secret === '') return secret
    const known = this.#names.get(secret)
    if (known !== undefined) return known
    const name = `***${what}-${this.#names.size + 1}`
    this.#names.set(secret, name)
    if (secret.length >= SHORTEST) for (const written of writtenForms(secret)) this.#forms.push([written, name])
    return name
  }

  /** A text without any secret that is known, or that looks like a token. */
  redact(text: string): string {
    let redacted = text.replace(TOKEN, (token) => this.nameOf(token, 'token'))
    for (const [written, name] of this.#forms)
      if (redacted.includes(written)) redacted = redacted.replaceAll(written, name)
    return redacted
  }

  /** A header; what may hold a secret is its name, and the scheme before it. */
  header(name: string, value: string): string {
    if (!SECRET_HEADER.test(name) && !isSecretName(name)) return this.redact(this.#addresses(value))
    // A session is one wherever it comes back, with other cookies or without.
    if (/cookie/i.test(name)) for (const pair of value.split(';')) this.#cookie(pair)
    const [, scheme, token] = /^(Bearer)\s+(.*)$/i.exec(value) ?? []
    return token === undefined ? this.nameOf(value, 'secret') : `${scheme} ${this.nameOf(token, 'token')}`
  }

  /** A path with its query. */
  path(path: string): string {
    const [before = '', query] = path.split(/\?(.*)/s)
    return this.redact(query === undefined ? path : `${before}?${this.#pairs(query)}`)
  }

  /** A body; one that may hold secrets and cannot be read is not kept. */
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
        const sort = value === undefined || value === '' ? undefined : sortOf(name, isSecretParameter)
        return sort === undefined ? pair : `${name}=${this.nameOf(value as string, sort)}`
      })
      .join('&')
  }

  /** A text whose addresses hold no password, and no parameter that is named like a secret. */
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

  /** JSON inside of a text, as a service that repeats what it was sent answers. */
  #maskedText(text: string): string {
    try {
      return printExact(parseExact(text, (name, value) => this.#masked(name, value)))
    } catch {
      return text
    }
  }

  /** What stands under a secret's name, however deep: `{"tokens":["A"]}`, `{"secret":{"value":"x"}}`. */
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

/** A secret as it may stand in a text: as it is, in an address, in JSON, in JSON inside of JSON, in Base64. */
function writtenForms(secret: string): ReadonlySet<string> {
  const escaped = JSON.stringify(secret).slice(1, -1)
  const bytes = String.fromCharCode(...new TextEncoder().encode(secret))
  const forms = [secret, encodeURIComponent(secret), escaped, JSON.stringify(escaped).slice(1, -1), btoa(bytes)]
  // The longest first: one may begin with another.
  return new Set(forms.sort((a, b) => b.length - a.length))
}
