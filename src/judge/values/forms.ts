/** Describes the form of a text whose value differs in every world: ids, times, receipts, tokens. */

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi
const TIMESTAMP = /^(\d{4}-\d\d-\d\d)([T ])\d\d:\d\d(:\d\d)?(\.\d+)?(Z|[+-]\d\d:?\d\d)?$/

/**
 * Such as `uuid`, `timestamp, T, fraction, Z` or `10 of A1`. Undefined for words, which are compared by value. Texts of
 * equal form may stand for each other.
 */
export function formOf(text: string): string | undefined {
  if (text.replace(UUID, '') === '' && text !== '') return 'uuid'
  const time = TIMESTAMP.exec(text)
  if (time)
    return [
      'timestamp',
      time[2] === 'T' ? 'T' : 'space',
      time[4] === undefined ? 'whole seconds' : 'fraction',
      time[5] ? zoneOf(time[5]) : 'no zone',
    ].join(', ')
  if (/^eyJ[\w-]+\.[\w-]+\.[\w-]*$/.test(text)) return 'token'
  if (/^https?:\/\//.test(text)) return 'url'
  if (/^\d{14}$/.test(text)) return 'digits of a time'
  if (/^(?=.*\d)(?=.*[A-Za-z])[\w-]{8,}$/.test(text)) return opaque(text)
  return undefined
}

/** Undefined if the text is not a time or has no fraction, because some servers omit trailing zeros. */
export function fractionDigits(text: string): number | undefined {
  const fraction = TIMESTAMP.exec(text)?.[4]
  return fraction === undefined ? undefined : fraction.length - 1
}

function zoneOf(zone: string): string {
  return zone === 'Z' ? 'Z' : 'offset'
}

/** Receipts have a fixed length, so the length is part of the form. `AG_` is kept as a prefix. */
function opaque(text: string): string {
  const prefix = /^(?:[A-Za-z]+_)+/.exec(text)?.[0]
  if (prefix !== undefined) return `${prefix}…`
  const letters = /[a-z]/.test(text) ? (/[A-Z]/.test(text) ? 'aA1' : 'a1') : 'A1'
  return `${text.length} of ${letters}`
}

export function withoutIds(text: string): string {
  return text.replace(UUID, '<uuid>').replace(/\breq_\w+/g, '<request id>')
}
