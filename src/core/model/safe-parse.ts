/** Zod's `safeParse`, for values from outside. */
import type * as z from 'zod'

/**
 * Zod reads `length` of any object where a text or list belongs, and throws when that is not a number. Such a value is
 * wrong in any case.
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
