/** Text that may be JSON. */

/** What was sent, as JSON where it is JSON, else as text. */
export function asJson(text: string | null): unknown {
  if (text === null) return null
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
