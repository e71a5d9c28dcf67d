/** Slows down callers that try many wrong admin tokens. The right token is never delayed. */
import { Refusal } from '../../core/model/refusal.ts'

/**
 * Different wrong tokens of one caller within `WITHIN_MS`. A repeated token is a mistake, not a guess, so it counts
 * once.
 */
const MOST_GUESSES = 10
const WITHIN_MS = 60_000
/** Real milliseconds. Callers are delayed, not blocked, because behind a proxy all callers look like one. */
const WAIT_MS = 1_000
/** Limits memory: the oldest caller is forgotten first. */
const MOST_CALLERS = 1000

export type IsToken = ReturnType<typeof tokenCheck>

/**
 * Throws a 429 after a delay if a caller has tried too many wrong tokens.
 * @param nowMs real milliseconds
 * @param pause waits for real milliseconds
 */
export function tokenCheck(nowMs: () => number, pause: (ms: number) => Promise<void>) {
  const guesses = new Map<string, Map<string, number>>()
  /** `caller`: an address, or another identification. */
  return async (given: string, adminToken: string, caller: string): Promise<boolean> => {
    if (sameText(given, adminToken)) return true
    const sinceMs = nowMs() - WITHIN_MS
    const tried = new Map([...(guesses.get(caller) ?? [])].filter(([, atMs]) => atMs > sinceMs))
    if (tried.size >= MOST_GUESSES) {
      await pause(WAIT_MS)
      throw tooMany(tried, nowMs())
    }
    if (!tried.has(given)) tried.set(given, nowMs())
    guesses.set(caller, tried)
    for (const [one] of guesses) if (guesses.size > MOST_CALLERS) guesses.delete(one)
    return false
  }
}

function tooMany(tried: Map<string, number>, nowMs: number): Refusal {
  const oldestMs = Math.min(...tried.values())
  const waitS = Math.max(1, Math.ceil((oldestMs + WITHIN_MS - nowMs) / 1000))
  return new Refusal(
    'TOO_MANY_GUESSES',
    `${tried.size} different wrong admin tokens came from here within a minute, so that each further one waits until the minute is over, in ${waitS} s; the one that mfano was started with is let in at once`,
    { retryAfterS: waitS },
  )
}

/** Takes the same time for every input, so that timing reveals neither content nor length. */
function sameText(given: string, right: string): boolean {
  let difference = given.length ^ right.length
  for (let i = 0; i < given.length; i++) difference |= given.charCodeAt(i) ^ right.charCodeAt(i % right.length)
  return difference === 0
}
