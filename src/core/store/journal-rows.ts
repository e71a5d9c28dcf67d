/** Divides journal entries into rows, where a stored value has a limited size. */

const ROOM_BYTES = 1024
/** A character of a body takes up to six bytes when stored, and there are two bodies. */
const CUT_SHARE = 1 / 16
const CUT = ' … (cut here: the storage keeps no more of it)'

interface Bodied {
  requestBody: string | null
  responseBody: string | null
}

const encoder = new TextEncoder()

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
