/** What conditions on a request see. */
import type { Chance } from '../../model/chance.ts'
import type { JsonObject } from '../../model/payment.ts'
import type { DurationUs, InstantUs } from '../../model/time.ts'
import { timeValues } from '../language/time-of-day.ts'
import { GIVEN, type ValueClass, type Variable } from '../language/vocabulary.ts'

/** What a fault may look at, looked up before it is asked. */
export interface RequestFacts {
  operation: { id: string; method: string; path: string }
  /** Path, query and body in one. */
  request: JsonObject
  /** Whoever asks with a good token. */
  organisation: { uuid: string; name: string; parent: boolean } | undefined
  tokenIssuedAtUs: InstantUs | undefined
  nowUs: InstantUs
  /** How far the service's clock on the wall is ahead of UTC; 0 when left out. */
  zoneUs?: DurationUs
  /** The count of this request among its operation's, since faults watch it, from 1. */
  nth: number
  /** How often a fault was counted before. */
  matched(fault: string): number
  /** How many requests of this organisation a rate limit let through in a window. */
  letThrough(fault: string, window: number): number
  chance: Chance
}

/** What a condition sees of a request. */
export class RequestContext {
  readonly #facts: RequestFacts
  readonly #variables: ReadonlyMap<string, Variable>

  constructor(facts: RequestFacts, variables: ReadonlyMap<string, Variable>) {
    this.#facts = facts
    this.#variables = variables
  }

  get request() {
    return this.#make('request', this.#facts.request)
  }
  get [GIVEN]() {
    return this.#make(GIVEN, this.#facts.request)
  }
  get organisation() {
    return this.#make('organisation', this.#facts.organisation ?? {})
  }
  get time() {
    return this.#make('time', timeValues(this.#facts.nowUs, this.#facts.zoneUs))
  }
  get now() {
    return new Date(Math.floor(this.#facts.nowUs / 1000))
  }
  get nth() {
    return BigInt(this.#facts.nth)
  }

  #make(name: string, values: object): unknown {
    const { create } = this.#variables.get(name) as Variable
    return new (create as ValueClass)(values as Record<string, unknown>)
  }
}
