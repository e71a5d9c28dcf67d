/** Which entries of the journal share a row, where a stored value may only be so long. */

/** Of a row, for what else is in it and for brackets. */
const ROOM_BYTES = 1024
/** A character of a body is up to six where it is stored, and in each of two bodies. */
const CUT_SHARE = 1 / 16
const CUT = ' … (cut here: the storage keeps no more of it)'

interface Bodied {
  requestBody: string | null
  responseBody: string | null
}

const encoder = new TextEncoder()

/**
 * Entries in order, those of one row together. What is too long for a row by itself loses the rest of its bodies.
 * `textOf`: an entry as it is stored.
 */
export function rowsOfAtMost<Entry extends Bodied>(
  valueMaxBytes: number,
  entries: readonly Entry[],
  textOf: (entry: Entry) => string,
): Entry[][] {
  const most = valueMaxBytes - ROOM_BYTES
  const rows: Entry[][] = []
  let left = 0
  for (const whole of entries) {
    const size = (entry: Entry) => encoder.encode(textOf(entry)).length + 1
    const entry = size(whole) > most ? cut(whole, Math.floor(valueMaxBytes * CUT_SHARE)) : whole
    const bytes = size(entry)
    if (bytes > left || rows.length === 0) {
      rows.push([])
      left = most
    }
    rows.at(-1)?.push(entry)
    left -= bytes
  }
  return rows
}

function cut<Entry extends Bodied>(entry: Entry, characters: number): Entry {
  const short = (body: string | null) =>
    body !== null && body.length > characters ? body.slice(0, characters).toWellFormed() + CUT : body
  return { ...entry, requestBody: short(entry.requestBody), responseBody: short(entry.responseBody) }
}
