/** A scenario's text with one setting more, or another. */
import type { LoadYaml } from './source-text.ts'

/** Its comments and order stay. */
export function withSetting(yaml: LoadYaml, source: string, path: readonly string[], value: string | number): string {
  const document = yaml().parseDocument(source)
  document.setIn(path, value)
  return document.toString({ lineWidth: 0 })
}
