/** A scenario's text with one setting more, or another. */
import type { Libraries } from '../../model/libraries.ts'

/** Its comments and order stay. */
export function withSetting(
  libraries: Libraries,
  source: string,
  path: readonly string[],
  value: string | number,
): string {
  const document = libraries.yaml().parseDocument(source)
  document.setIn(path, value)
  return document.toString({ lineWidth: 0 })
}
