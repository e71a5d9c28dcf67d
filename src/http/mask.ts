/** Secrets never reach the journal, a log, an event or an error: they are replaced by their kind before anything is kept. */

/** Names of fields and parameters, in small letters and without anything between them: `card[number]`, `user_pin`. */
const SECRET =
  /secret|pass(?:word|code|phrase)|token|otp$|^jwt$|^authorization$|cardnumber|^pan$|^cvc|^cvv|securitycode|pin$/
/** What a text in small letters has in it that has such a name in it, or one that is written in escapes. */
const HINT =
  /sec(?:ret|urity.?code)|p(?:ass.?(?:word|code|phrase)|an\b|in\b)|otp|token|jwt|authorization|c(?:ard|v[cv])|\\u00/
const MASK = '***'

/** A body as the journal keeps it. One that may hold secrets and cannot be read is not kept at all. */
export function maskBody(text: string): string {
  if (!mayHoldSecrets(text)) return text
  try {
    return JSON.stringify(JSON.parse(text), (key, value) => (isSecretName(key) ? MASK : withoutNumber(key, value)))
  } catch {
    return `(${text.length} characters that may hold secrets and are not JSON)`
  }
}

/** A body with its secrets crossed out, of the same length and as far as possible of the same shape. */
export function blankSecrets(text: string): string {
  if (!mayHoldSecrets(text)) return text
  try {
    return JSON.stringify(JSON.parse(text), (key, value) =>
      isSecretName(key) ? crossedOut(value) : withoutNumber(key, value, crossedOut),
    )
  } catch {
    // What the journal says of it must stay what it said.
    return 'jwt'.padEnd(text.length, 'x')
  }
}

/** Names are compared in small letters, and to make a text small takes less than to look for both. */
function mayHoldSecrets(text: string): boolean {
  return HINT.test(text.toLowerCase())
}

function crossedOut(value: unknown): unknown {
  if (typeof value === 'string') return 'x'.repeat(value.length)
  return typeof value === 'number' ? 0 : value
}

/** A path with its query; values of parameters that are named like secrets are masked. */
export function maskPath(path: string): string {
  const start = path.indexOf('?') + 1
  if (start === 0) return path
  const masked = path
    .slice(start)
    .split('&')
    .map((pair) => {
      const name = pair.split('=', 1)[0] as string
      return name !== pair && (isSecretName(decoded(name)) || /key/i.test(name)) ? `${name}=${MASK}` : pair
    })
  return path.slice(0, start) + masked.join('&')
}

/** Whether what has such a name is a secret. */
export function isSecretName(name: string): boolean {
  return SECRET.test(name.toLowerCase().replaceAll(/[^a-z0-9]/g, ''))
}

/** The number of an object that is a card. */
function withoutNumber(key: string, value: unknown, mask: (value: unknown) => unknown = () => MASK): unknown {
  if (!/card$/i.test(key) || typeof value !== 'object' || value === null || !('number' in value)) return value
  return { ...value, number: mask(value.number) }
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}
