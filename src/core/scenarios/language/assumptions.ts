/** `assumptions:` as they are written. `drawn`: the world's seed decides every one that no scenario does. */
import type { Libraries } from '../../model/kind.ts'

export const DRAWN = 'drawn'
export const OTHERS = 'others'

/** `drawn` is short for `{ others: drawn }`. */
export function writtenAssumptions<Map extends object>(written: Map | typeof DRAWN): Map | { [OTHERS]: typeof DRAWN } {
  return written === DRAWN ? { [OTHERS]: DRAWN } : written
}

export function withAssumption(libraries: Libraries, source: string, id: string, alternative: string): string {
  const { parseDocument, isScalar } = libraries.yaml()
  const document = parseDocument(source)
  const written = document.get('assumptions', true)
  // `assumptions: drawn` has no room for another.
  if (isScalar(written)) document.set('assumptions', document.createNode({ [OTHERS]: written.value }))
  document.setIn(['assumptions', id], alternative)
  return document.toString({ lineWidth: 0 })
}
