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

export class Guesses {
  readonly #nowMs: () => number
  readonly #pause: (ms: number) => Promise<void>
  readonly #tried = new Map<string, Map<string, number>>()

  /**
   * @param nowMs real milliseconds
   * @param pause waits for real milliseconds
   */
  constructor(nowMs: () => number, pause: (ms: number) => Promise<void>) {
    this.#nowMs = nowMs
    this.#pause = pause
  }

  /**
   * Throws a 429 after a delay if the caller has tried too many wrong tokens.
   * @param caller an address, or another identification of the caller
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

/** Takes the same time for every input, so that timing reveals neither content nor length. */
function sameText(given: string, right: string): boolean {
  let difference = given.length ^ right.length
  for (let i = 0; i < given.length; i++) difference |= given.charCodeAt(i) ^ right.charCodeAt(i % right.length)
  return difference === 0
}
