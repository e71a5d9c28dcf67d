/** Zod's `safeParse` for values that somebody else wrote. */
import type * as z from 'zod'

/**
 * Zod measures whatever has a `length` where a text or a list belongs, before it says that it is neither, and throws
 * where that length is an object of which no number can be made. Such a value is wrong without it, too.
 */
export function safeParse<T>(schema: z.ZodType<T>, value: unknown): z.ZodSafeParseResult<T> {
  try {
    return schema.safeParse(value)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    return schema.safeParse(withoutOddLengths(value))
  }
}

function withoutOddLengths(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(withoutOddLengths)
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, one]) =>
      key === 'length' && typeof one === 'object' ? [] : [[key, withoutOddLengths(one)]],
    ),
  )
}
