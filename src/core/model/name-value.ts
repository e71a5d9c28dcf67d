/** Parses `limit=5000` into a name and a value. */
export const parameterPattern = /^[A-Za-z][\w-]*=/

export function nameAndValue(text: string): [name: string, value: string] {
  const at = text.indexOf('=')
  return [text.slice(0, at), text.slice(at + 1)]
}
