/**
 * The one list of secrets, which must reach no journal, recording, log, event or error. The journal writes `***`,
 * recordings a stable name.
 */

const SECRET =
  /secret|pass(?:word|code|phrase|key)|token|otp$|^jwt$|^x?auth(?:orization|entication)?$|cardnumber|^pan$|^cvc|^cvv|securitycode|pin$|(?:private|consumer)key$|signature|credential/
/** Secret as parameters only: a field named `code` is none, but OAuth's `?code=` is. */
const SECRET_PARAMETER = /key|^code$|^sig$|^hmac$/
/** A fast check of a lower-case text, so that most texts are not parsed. `%5b` may stand between two words. */
const HINT =
  /sec(?:ret|urity.{0,3}code)|p(?:ass.{0,3}(?:word|code|phrase|key)|an\b|in\b|rivate.{0,3}key)|otp|token|jwt|auth|c(?:ard|v[cv]|onsumer.{0,3}key|redential)|signature|\\u00/
const MASK = '***'

/** A body that may hold secrets and cannot be parsed is dropped, because it cannot be masked. */
export function maskBody(text: string): string {
  if (!mayHoldSecrets(text)) return text
  try {
    return JSON.stringify(JSON.parse(text), (key, value) => (isSecretName(key) ? MASK : withoutNumber(key, value)))
  } catch {
    return `(${text.length} characters that may hold secrets and are not JSON)`
  }
}

/** Keeps length and, where possible, shape, so that a replay is answered as the request was. */
export function blankSecrets(text: string): string {
  if (!mayHoldSecrets(text)) return text
  try {
    return JSON.stringify(JSON.parse(text), (key, value) =>
      isSecretName(key) ? crossedOut(value) : withoutNumber(key, value, crossedOut),
    )
  } catch {
    // The journal notes the length of such a text, which must stay true.
    return 'jwt'.padEnd(text.length, 'x')
  }
}

/** Lower-casing the text once is faster than a case-insensitive search. */
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

export function maskPath(path: string): string {
  const start = path.indexOf('?') + 1
  if (start === 0) return path
  const masked = path
    .slice(start)
    .split('&')
    .map((pair) => {
      const [name = ''] = pair.split('=', 1)
      return name !== pair && isSecretParameter(name) ? `${name}=${MASK}` : pair
    })
  return path.slice(0, start) + masked.join('&')
}

export function isSecretName(name: string): boolean {
  return SECRET.test(plain(name))
}

export function isSecretParameter(name: string): boolean {
  const read = plain(decoded(name))
  return SECRET.test(read) || SECRET_PARAMETER.test(read)
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
}

/** `number` is a secret only inside an object that is a card. */
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
