import type { CallbackHappening, Happening } from '../engine/happening.ts'
import type { InstantUs } from '../model/time.ts'
import type { Feed } from './feed.ts'

/** How far time is to be moved, and what ends that before. */
export interface Journey {
  /** The last instant to reach, from the now of its turn. Throws when it may not be. */
  to(nowUs: InstantUs): InstantUs
  /** Ends with the last thing that is due, and stays at its instant. */
  untilIdle?: boolean
  /** Ends with the instant of the first happening that this holds for; what else is due then still happens. */
  until?: ((happening: Happening) => boolean) | undefined
  /** Asked once before anything is done: it need not begin. */
  already?: (() => boolean) | undefined
  /** Ends after so many steps and attempts, because those who answer may cause the next for ever. */
  most?: number
  /** Ends after so many real milliseconds. */
  timeoutMs?: number
  /** So many happenings are kept. */
  keep?: number
}

/** Why time was not moved any further. */
export type Ended =
  | 'the target is reached'
  | 'nothing is pending'
  | 'the breakpoint holds'
  | 'limit of steps'
  | 'the timeout passed'

/** What became of a journey. */
export interface Travelled {
  fromUs: InstantUs
  nowUs: InstantUs
  steps: number
  callbacks: { delivered: number; failed: number }
  ended: Ended
  /** What the breakpoint held for. */
  broke: Happening | undefined
  /** The first of what happened, in order; of attempts that were under way together, by callback and number. */
  happened: readonly Happening[]
  /** How much happened, by type. */
  counts: Partial<Record<Happening['type'], number>>
}

/** Keeps what happens on a journey, and watches for its breakpoint. */
export class Diary {
  readonly happened: Happening[] = []
  readonly counts: Travelled['counts'] = {}
  attempts = 0
  broke: Happening | undefined
  readonly #feed: Feed
  readonly #journey: Journey
  readonly #written: () => void
  readonly #stopListening: () => void
  /** What the breakpoint was asked about before it was committed, and from where on in the batch. */
  readonly #asked = new Set<Happening>()
  #batch = 0
  #round = 0

  /** `written`: runs after every entry. */
  constructor(feed: Feed, journey: Journey, written: () => void) {
    this.#feed = feed
    this.#journey = journey
    this.#written = written
    this.#stopListening = feed.listen({ kind: 'settle', happened: (happening) => this.#write(happening), ended() {} })
  }

  /** Inside a commit: what comes now is looked at before it is committed. */
  beginBatch(): void {
    this.#batch = this.#feed.uncommitted.length
  }

  /** Whether the breakpoint holds for something that was done since the last look. */
  look(): boolean {
    if (!this.#journey.until) return false
    const { uncommitted } = this.#feed
    for (; this.#batch < uncommitted.length; this.#batch++) {
      const happening = uncommitted[this.#batch] as Happening
      this.#asked.add(happening)
      this.#ask(happening)
    }
    return this.broke !== undefined
  }

  /** All attempts of an instant have ended: receivers answer in any order, and the list has one. */
  endRound(): void {
    const places: number[] = []
    for (let i = this.#round; i < this.happened.length; i++) if (isAttempt(this.happened[i])) places.push(i)
    const attempts = places.map((place) => this.happened[place] as Happening & CallbackHappening)
    attempts.sort((a, b) => a.id - b.id || a.attempts - b.attempts)
    for (const [i, place] of places.entries()) this.happened[place] = attempts[i] as Happening
    this.#round = this.happened.length
  }

  close(): void {
    this.#stopListening()
  }

  #write(happening: Happening): void {
    if (this.happened.length < (this.#journey.keep ?? 0)) this.happened.push(happening)
    this.counts[happening.type] = (this.counts[happening.type] ?? 0) + 1
    if (isAttempt(happening)) this.attempts++
    if (!this.#asked.delete(happening)) this.#ask(happening)
    this.#written()
  }

  #ask(happening: Happening): void {
    if (this.broke === undefined && this.#journey.until?.(happening)) this.broke = happening
  }
}

function isAttempt(happening: Happening | undefined): boolean {
  return happening?.type === 'callback' && happening.attempt !== null
}
