/**
 * Secrets never reach the journal, a recording, a log, an event or an error. This is the one list of what is a secret;
 * the journal replaces it by `***`, recordings by a name that says only which one it is.
 */

/** Names of fields, headers and parameters, in small letters and without anything between them: `card[number]`, `user_pin`. */
const SECRET =
  /secret|pass(?:word|code|phrase|key)|token|otp$|^jwt$|^x?auth(?:orization|entication)?$|cardnumber|^pan$|^cvc|^cvv|securitycode|pin$|(?:private|consumer)key$|signature|credential/
/** Parameters of an address or a form that are secrets there, though a field of such a name is none: `?code=` of OAuth. */
const SECRET_PARAMETER = /key|^code$|^sig$|^hmac$/
/** What a text in small letters has in it that has such a name in it, or one that is written in escapes; `%5b` may stand between two words. */
const HINT =
  /sec(?:ret|urity.{0,3}code)|p(?:ass.{0,3}(?:word|code|phrase|key)|an\b|in\b|rivate.{0,3}key)|otp|token|jwt|auth|c(?:ard|v[cv]|onsumer.{0,3}key|redential)|signature|\\u00/
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
export function mayHoldSecrets(text: string): boolean {
  return HINT.test(text.toLowerCase())
}

function crossedOut(value: unknown): unknown {
  if (typeof value === 'string') return 'x'.repeat(value.length)
  if (Array.isArray(value)) return value.map(crossedOut)
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, crossedOut(one)]))
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
      return name !== pair && isSecretParameter(name) ? `${name}=${MASK}` : pair
    })
  return path.slice(0, start) + masked.join('&')
}

/** Whether what has such a name is a secret. */
export function isSecretName(name: string): boolean {
  return SECRET.test(plain(name))
}

/** As `isSecretName`, of a parameter of an address or a form, as it is written there: `card%5Bnumber%5D`. */
export function isSecretParameter(name: string): boolean {
  const read = plain(decoded(name))
  return SECRET.test(read) || SECRET_PARAMETER.test(read)
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
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
