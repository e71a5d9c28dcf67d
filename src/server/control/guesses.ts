/** Wrong admin tokens, counted by who sends them, so that nobody tries one after the other. */
import { Refusal } from '../../model/refusal.ts'

/** Different wrong tokens of one caller within so many real milliseconds. The same one again is a mistake, no guess. */
const MOST_GUESSES = 10
const WITHIN_MS = 60_000
/** Callers that are remembered; the one who was first to guess is forgotten for one more. */
const MOST_CALLERS = 1000

/** Compares what callers send with the admin token. */
export class Guesses {
  readonly #nowMs: () => number
  /** By caller: wrong tokens, and when each was tried first. */
  readonly #tried = new Map<string, Map<string, number>>()

  /** @param nowMs real milliseconds */
  constructor(nowMs: () => number) {
    this.#nowMs = nowMs
  }

  /**
   * Whether it is the token. Refuses to compare, with 429 and when to ask again, for a caller with too many wrong ones.
   * @param caller an address, or whatever else tells callers apart
   */
  isToken(given: string, adminToken: string, caller: string): boolean {
    const tried = this.#triedLately(caller)
    if (tried.size >= MOST_GUESSES) throw this.#tooMany(tried)
    if (sameText(given, adminToken)) return true
    if (!tried.has(given)) tried.set(given, this.#nowMs())
    this.#tried.set(caller, tried)
    for (const [one] of this.#tried) if (this.#tried.size > MOST_CALLERS) this.#tried.delete(one)
    return false
  }

  #triedLately(caller: string): Map<string, number> {
    const sinceMs = this.#nowMs() - WITHIN_MS
    return new Map([...(this.#tried.get(caller) ?? [])].filter(([, atMs]) => atMs > sinceMs))
  }

  #tooMany(tried: Map<string, number>): Refusal {
    const oldestMs = Math.min(...tried.values())
    const waitS = Math.max(1, Math.ceil((oldestMs + WITHIN_MS - this.#nowMs()) / 1000))
    return new Refusal(
      'TOO_MANY_GUESSES',
      `${tried.size} different wrong admin tokens came from here within a minute; ask again in ${waitS} s, with the one that mfano was started with`,
      { status: 429, message: 'Too many wrong admin tokens', retryAfterS: waitS },
    )
  }
}

/** Compares without telling by its time how much was right. */
export function sameText(a: string, b: string): boolean {
  let difference = a.length ^ b.length
  for (let i = 0; i < Math.max(a.length, b.length); i++) difference |= (a.charCodeAt(i) || 0) ^ (b.charCodeAt(i) || 0)
  return difference === 0
}
