/** The question before an operation is worked on: which fault does this request meet? The first that matches. */
import type { Chance } from '../model/chance.ts'
import type { Fate } from '../model/mishaps.ts'
import type { JsonObject } from '../model/payment.ts'
import type { DurationUs, InstantUs } from '../model/time.ts'
import { drawLatency, type Fault, targetOf } from './faults.ts'
import { timeValues } from './moment.ts'
import { GIVEN, type ValueClass, type Variable } from './vocabulary.ts'

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

/** What a request meets, and what is to be counted. */
export interface Meeting {
  fate?: Fate
  /** Faults that wait for their turn and matched. */
  counted: string[]
  /** Rate limits that let it through, and in which window. */
  letThrough: { fault: string; window: number }[]
  /** All tokens of the organisation are no good from now on. */
  revoke?: true
}

/** Whether some fault watches an operation. */
export function watches(fault: Pick<Fault, 'on'>, operation: RequestFacts['operation']): boolean {
  return fault.on.has('*') || fault.on.has(operation.id) || fault.on.has(targetOf(operation))
}

/** Pure: the same facts give the same meeting. */
export function meetFault(faults: readonly Fault[], facts: RequestFacts): Meeting {
  const meeting: Meeting = { counted: [], letThrough: [] }
  for (const fault of faults) {
    if (!watches(fault, facts.operation) || !holds(fault, facts)) continue
    const { chance, nth, then } = fault
    const draw = (label: string) => facts.chance.of(`${label}:${fault.name}`, facts.nth)
    if (chance !== undefined && draw('fault').unit() >= chance) continue
    const turnedAway = turnAway(fault, facts, meeting)
    if (turnedAway === 'let through') continue
    if (nth) {
      const turn = facts.matched(fault.name) + 1
      meeting.counted.push(fault.name)
      if ('only' in nth ? turn !== nth.only : turn > nth.first) continue
    }
    if (then.revoke === 'all') meeting.revoke = true
    const answer = turnedAway ?? then.answer
    meeting.fate = {
      by: fault.name,
      executed: fault.after || answer === undefined,
      ...(answer !== undefined && { answer }),
      ...(then.latency && { latencyMs: drawLatency(then.latency, () => draw('latency')) }),
      ...(fault.after && { workFirst: true as const }),
      ...(then.truncate && { truncate: then.truncate }),
      ...(then.bytesPerSecond !== undefined && { bytesPerSecond: then.bytesPerSecond }),
    }
    return meeting
  }
  return meeting
}

function holds({ condition, variables }: Fault, facts: RequestFacts): boolean {
  try {
    return condition?.(new FaultSight(facts, variables)) ?? true
  } catch {
    return false
  }
}

/** The answer of a fault that turns some requests away, or that it lets this one through; neither for other faults. */
function turnAway({ name, then }: Fault, facts: RequestFacts, meeting: Meeting): Fate['answer'] | 'let through' {
  const { rateLimit, revoke } = then
  if (rateLimit) {
    const window = Math.floor(facts.nowUs / rateLimit.perUs)
    if (facts.letThrough(name, window) < rateLimit.max) {
      meeting.letThrough.push({ fault: name, window })
      return 'let through'
    }
    const retryAfterUs = rateLimit.retryAfterUs ?? (window + 1) * rateLimit.perUs - facts.nowUs
    const retryAfterS = Math.max(1, Math.ceil(retryAfterUs / 1_000_000))
    const details = `more than ${rateLimit.max} requests; try again in ${retryAfterS} s`
    return { status: 429, code: 'RATE_LIMITED', details, retryAfterS }
  }
  if (revoke !== undefined) {
    const { tokenIssuedAtUs } = facts
    if (tokenIssuedAtUs === undefined) return 'let through'
    if (revoke !== 'all' && facts.nowUs < tokenIssuedAtUs + revoke) return 'let through'
    return { status: 401, code: 'AUTH_INVALID_TOKEN', details: 'the token was revoked; get a new one' }
  }
  return undefined
}

/** What a condition sees of a request. */
export class FaultSight {
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
