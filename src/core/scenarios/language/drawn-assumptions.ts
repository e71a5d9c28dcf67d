/** `assumptions: drawn`: the world's seed decides every assumption that no scenario does. */

/** The word, for all of them or for the others. */
export const DRAWN = 'drawn'
/** Beside alternatives that are chosen, it stands under this. */
export const OTHERS = 'others'

/** `drawn` is short for `{ others: drawn }`. */
export function writtenAssumptions<Map extends object>(written: Map | typeof DRAWN): Map | { [OTHERS]: typeof DRAWN } {
  return written === DRAWN ? { [OTHERS]: DRAWN } : written
}
