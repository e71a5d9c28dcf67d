/** Records a run of the clock and watches for its breakpoint. */
import type { ClockRun, ClockRunResult } from '../model/clock-run.ts'
import type { CallbackDomainEvent, DomainEvent } from '../model/domain-event.ts'
import { must } from '../model/must.ts'
import type { Feed } from './feed.ts'

export class ClockRunRecorder {
  readonly happened: DomainEvent[] = []
  readonly counts: ClockRunResult['counts'] = {}
  attempts = 0
  broke: DomainEvent | undefined
  readonly #feed: Feed
  readonly #run: ClockRun
  readonly #written: () => void
  readonly #stopListening: () => void
  /** Events that were checked before their commit, so that the breakpoint is not checked twice. */
  readonly #asked = new Set<DomainEvent>()
  #batch = 0
  #round = 0

  constructor(feed: Feed, run: ClockRun, written: () => void) {
    this.#feed = feed
    this.#run = run
    this.#written = written
    this.#stopListening = feed.listen({
      kind: 'settle',
      happened: (domainEvent) => this.#write(domainEvent),
      ended() {},
    })
  }

  /** Called inside a commit, so that the breakpoint sees only the events of this batch. */
  beginBatch(): void {
    this.#batch = this.#feed.uncommitted.length
  }

  look(): boolean {
    if (!this.#run.until) return false
    const { uncommitted } = this.#feed
    for (; this.#batch < uncommitted.length; this.#batch++) {
      const domainEvent = must(uncommitted[this.#batch])
      this.#asked.add(domainEvent)
      this.#ask(domainEvent)
    }
    return this.broke !== undefined
  }

  /** Sorts the attempts of one instant, because receivers answer in any order and runs must repeat. */
  endRound(): void {
    const places: number[] = []
    for (let i = this.#round; i < this.happened.length; i++) if (isAttempt(this.happened[i])) places.push(i)
    const attempts = places.map((place) => this.happened[place]).filter(isAttempt)
    attempts.sort((a, b) => a.id - b.id || a.attempts - b.attempts)
    for (const [i, place] of places.entries()) this.happened[place] = must(attempts[i])
    this.#round = this.happened.length
  }

  close(): void {
    this.#stopListening()
  }

  #write(domainEvent: DomainEvent): void {
    if (this.happened.length < (this.#run.keep ?? 0)) this.happened.push(domainEvent)
    this.counts[domainEvent.type] = (this.counts[domainEvent.type] ?? 0) + 1
    if (isAttempt(domainEvent)) this.attempts++
    if (!this.#asked.delete(domainEvent)) this.#ask(domainEvent)
    this.#written()
  }

  #ask(domainEvent: DomainEvent): void {
    if (this.broke === undefined && this.#run.until?.(domainEvent)) this.broke = domainEvent
  }
}

function isAttempt(domainEvent: DomainEvent | undefined): domainEvent is DomainEvent & CallbackDomainEvent {
  return domainEvent?.type === 'callback' && domainEvent.attempt !== null
}
