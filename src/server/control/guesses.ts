/** Wrong admin tokens, counted by who sends them: whoever tries one after the other is slowed, and the right one never is. */
import { Refusal } from '../../core/model/refusal.ts'

/** Different wrong tokens of one caller within so many real milliseconds. The same one again is a mistake, no guess. */
const MOST_GUESSES = 10
const WITHIN_MS = 60_000
/** So many real milliseconds a wrong one waits for its answer where there were too many: behind a proxy all callers are one. */
const WAIT_MS = 1_000
/** Callers that are remembered; the one who was first to guess is forgotten for one more. */
const MOST_CALLERS = 1000

/** Compares what callers send with the admin token. */
export class Guesses {
  readonly #nowMs: () => number
  readonly #pause: (ms: number) => Promise<void>
  /** By caller: wrong tokens, and when each was tried first. */
  readonly #tried = new Map<string, Map<string, number>>()

  /** @param nowMs real milliseconds; `pause` lets so many pass */
  constructor(nowMs: () => number, pause: (ms: number) => Promise<void>) {
    this.#nowMs = nowMs
    this.#pause = pause
  }

  /**
   * Whether it is the token. A wrong one waits, and is refused with 429, where its caller had too many before.
   * @param caller an address, or whatever else tells callers apart
   */
  async isToken(given: string, adminToken: string, caller: string): Promise<boolean> {
    if (sameText(given, adminToken)) return true
    const tried = this.#triedLately(caller)
    if (tried.size >= MOST_GUESSES) {
      await this.#pause(WAIT_MS)
      throw this.#tooMany(tried)
    }
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
      `${tried.size} different wrong admin tokens came from here within a minute, so that each further one waits until the minute is over, in ${waitS} s; the one that mfano was started with is let in at once`,
      { retryAfterS: waitS },
    )
  }
}

/** Compares without telling by its time how much was right, or how long the right one is. */
export function sameText(given: string, right: string): boolean {
  let difference = given.length ^ right.length
  for (let i = 0; i < given.length; i++) difference |= given.charCodeAt(i) ^ right.charCodeAt(i % right.length)
  return difference === 0
}
