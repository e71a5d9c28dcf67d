/** Secrets never reach the journal, a log, an event or an error: they are replaced by their kind before anything is kept. */

const NAMES = /^(?:api_?secret|.*secret|.*password|pin|.*token|jwt|authorization|.*card_?number|cvc|cvv)$/i
const HINT = /secret|password|token|"pin"|card|"cvc"|"cvv"|jwt/i
const MASK = '***'

/** A body as the journal keeps it. One that may hold secrets and cannot be read is not kept at all. */
export function maskBody(text: string): string {
  if (!HINT.test(text)) return text
  try {
    return JSON.stringify(JSON.parse(text), (key, value) => (NAMES.test(key) ? MASK : value))
  } catch {
    return `(${text.length} characters that may hold secrets and are not JSON)`
  }
}

/** A path with its query; values of parameters that are named like secrets are masked. */
export function maskPath(path: string): string {
  return path.includes('?')
    ? path.replace(/([?&][^=&]*(?:secret|password|token|key)[^=&]*=)[^&]*/gi, `$1${MASK}`)
    : path
}
