/** Finds the ranges of whole numbers that match a text pattern, because JSON Schema applies patterns to texts only. */

export interface DigitRange {
  minimum: number
  maximum: number
}

/** Longer whole numbers change when they are read as numbers. */
export const LONGEST_DIGITS = 15

/** No pattern of ours looks at single digits behind these. */
const LEADING_DIGITS = 4

export function digitRanges(pattern: string, longest = LONGEST_DIGITS): DigitRange[] {
  const takes = new RegExp(pattern)
  const ranges: DigitRange[] = []
  for (let digits = 1; digits <= longest; digits++) {
    const leading = Math.min(digits, LEADING_DIGITS)
    const step = 10 ** (digits - leading)
    for (let head = digits === 1 ? 0 : 10 ** (leading - 1); head < 10 ** leading; head++) {
      const minimum = head * step
      if (!takes.test(String(minimum))) continue
      const last = ranges.at(-1)
      if (last?.maximum === minimum - 1) last.maximum += step
      else ranges.push({ minimum, maximum: minimum + step - 1 })
    }
  }
  return ranges
}
