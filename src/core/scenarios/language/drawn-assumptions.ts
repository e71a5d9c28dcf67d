/** `assumptions: drawn`: the world's seed decides every assumption that no scenario does. */

export const DRAWN = 'drawn'
export const OTHERS = 'others'

/** `drawn` is short for `{ others: drawn }`. */
export function writtenAssumptions<Map extends object>(written: Map | typeof DRAWN): Map | { [OTHERS]: typeof DRAWN } {
  return written === DRAWN ? { [OTHERS]: DRAWN } : written
}
