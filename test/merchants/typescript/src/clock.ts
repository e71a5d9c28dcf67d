/** What time it is, and when to wait no longer. Everything asks this clock, so that a test can hand in another. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /** Aborts when so much real time has passed. */
  timeout(ms: number): AbortSignal
  /** Only where somebody else says what time it is, with each tick. */
  set?(ms: number): void
}

const timeout = (ms: number) => AbortSignal.timeout(ms)

export const wallClock: Clock = { now: () => Date.now(), timeout }

/** A clock that stands until it is told the time. */
export function toldClock(): Clock {
  let ms = 0
  return {
    now: () => ms,
    timeout,
    set: (told) => {
      ms = told
    },
  }
}

export const MINUTE_MS = 60_000
export const DAY_MS = 24 * 60 * MINUTE_MS
