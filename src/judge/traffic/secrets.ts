/** Replaces each secret in recorded traffic with a stable name, so that equal secrets stay recognisable. */
import { maskBody, maskHeader, maskPath, type Sort } from '../../core/model/mask.ts'

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

  /** Also secrets that another text told, wherever they stand. */
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
