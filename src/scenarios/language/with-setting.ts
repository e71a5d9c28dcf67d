/** A scenario's text with one setting more, or another. */
import { parseDocument } from 'yaml'

/** Its comments and order stay. */
export function withSetting(
  source: string,
  path: readonly string[],
  value: string | number | readonly object[],
): string {
  const document = parseDocument(source)
  document.setIn(path, value)
  return document.toString({ lineWidth: 0 })
}
