/** What time it is. Everything asks this clock, so that a test can hand in another. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
}

export const wallClock: Clock = { now: () => Date.now() }

export const MINUTE_MS = 60_000
export const DAY_MS = 24 * 60 * MINUTE_MS
