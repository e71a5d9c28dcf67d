/** A business whose past can be made up: what it paid and was paid over months. */
import type { KeptCard } from '../../model/card.ts'
import type { Chance } from '../../model/chance.ts'
import type { JsonObject } from '../../model/payment.ts'
import type { DurationUs, InstantUs } from '../../model/time.ts'

/** A payment that the business asks for. */
export interface Asked {
  atUs: InstantUs
  kind: string
  /** As the service takes it, without an address for callbacks: nobody was there to be told. */
  request: JsonObject
  /** Of a session that a customer pays: how long after, and by what. */
  paid?: { afterUs: DurationUs; method: string; phone?: string; card?: KeptCard }
}

/** A payment that somebody makes to the business without being asked. */
export interface Collected {
  atUs: InstantUs
  /** As `Collection` has it. */
  way: string
  given: JsonObject
}

export type Act = Asked | Collected

/** A stream of payments, in no order; nothing is where others may have their turn. */
export type Stream<Result = void> = Generator<Asked | undefined, Result>

/** What a past is made for. */
export interface Span {
  fromUs: InstantUs
  untilUs: InstantUs
  /** How many payments there are in it, those into the wallet included. */
  payments: number
  chance: Chance
}

/** A made-up past. */
export interface Past {
  /** What then happens to its payments: the text of a scenario. */
  scenario: string
  /** In the order of time. */
  acts: readonly Act[]
}

/** A sort of business. */
export interface Profile {
  name: string
  /** What it does, in a sentence. */
  description: string
  /** In steps: a long one takes seconds. */
  past(span: Span): Iterator<void, Past>
}
