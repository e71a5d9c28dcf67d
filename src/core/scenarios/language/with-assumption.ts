/** A scenario's text with another alternative of an assumption. */
import type { Libraries } from '../../model/libraries.ts'
import { OTHERS } from './drawn-assumptions.ts'

export function withAssumption(libraries: Libraries, source: string, id: string, alternative: string): string {
  const { parseDocument, isScalar } = libraries.yaml()
  const document = parseDocument(source)
  const written = document.get('assumptions', true)
  // `assumptions: drawn` has no room for another.
  if (isScalar(written)) document.set('assumptions', document.createNode({ [OTHERS]: written.value }))
  document.setIn(['assumptions', id], alternative)
  return document.toString({ lineWidth: 0 })
}
