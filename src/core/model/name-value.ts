/** How a value for a parameter is typed: `limit=5000`. */
export const parameterPattern = /^[A-Za-z][\w-]*=/

/** `limit=5000` as a name and a value. */
export function nameAndValue(text: string): [name: string, value: string] {
  const at = text.indexOf('=')
  return [text.slice(0, at), text.slice(at + 1)]
}
