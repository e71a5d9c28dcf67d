/** Limits of requests, which the facts about the service list. */

export const MOST_ENTRIES = 1000

/** Depth of a body. Assumed: the limit of the JSON parser that such services usually have. */
export const NESTING_MAX = 1000

export const BODY_MAX = 1_000_000

export const BODY_LIMITS = { '1mb': BODY_MAX, '100kb': 100_000 } as const
