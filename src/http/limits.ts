/** Limits of requests that the facts about the service name. */

/** Entries of a list, or of an object whose keys are the sender's own. Schemas that allow fewer say so themselves. */
export const MOST_ENTRIES = 1000

/** Real seconds for which a browser may remember what it was told. */
export const REMEMBERED_S = 600

/** Levels a body may be nested. Assumed: the limit of the JSON reader that services of this kind are built on. */
export const NESTING_MAX = 1000

/** Bytes that a body may have of which nothing else is said. */
export const BODY_MAX = 1_000_000

/** Bytes that a body may have, by the choice of `body-limit`. */
export const BODY_LIMITS = { '1mb': BODY_MAX, '100kb': 100_000 } as const
