/** The question before an operation is worked on: which fault does this request meet? The first that matches. */
import type { Chance } from '../../model/chance.ts'
import type { ResponseFault } from '../../model/faults.ts'
import type { JsonObject } from '../../model/payment.ts'
import { StorageFailure } from '../../model/storage-failure.ts'
import type { DurationUs, InstantUs } from '../../model/time.ts'
import { drawLatency, type ResponseFaultRule, targetOf } from '../language/response-faults.ts'
import { timeValues } from '../language/time-of-day.ts'
import { GIVEN, type ValueClass, type Variable } from '../language/vocabulary.ts'
import { CHANCE_MISSED, CONDITION_FAILED, CONDITION_FALSE, LET_THROUGH, MATCHED, NOT_ITS_TURN } from './trace.ts'

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
export interface FaultMatch {
  fault?: ResponseFault
  /** One letter for each fault that watches the operation, up to the one that it meets; see `scenarios/decide/trace.ts`. */
  trace: string
  /** Faults that wait for their turn and matched. */
  counted: string[]
  /** Rate limits that let it through, and in which window. */
  letThrough: { fault: string; window: number }[]
  /** All tokens of the organisation are no good from now on. */
  revoke?: true
}

/** Whether a fault watches an operation. */
export function watches({ on }: Pick<ResponseFaultRule, 'on'>, operation: RequestFacts['operation']): boolean {
  return on.has('*') || on.has(operation.id) || on.has(targetOf(operation))
}

/** Pure: the same facts give the same match. */
export function matchFault(faults: readonly ResponseFaultRule[], facts: RequestFacts): FaultMatch {
  const match: FaultMatch = { trace: '', counted: [], letThrough: [] }
  for (const fault of faults) {
    if (!watches(fault, facts.operation)) continue
    const { letter, turnedAway } = judge(fault, facts, match)
    match.trace += letter
    if (fault.nth && (letter === MATCHED || letter === NOT_ITS_TURN)) match.counted.push(fault.name)
    if (letter !== MATCHED) continue
    match.fault = faultOf(fault, turnedAway ?? fault.then.answer, facts)
    if (fault.then.revoke === 'all') match.revoke = true
    return match
  }
  return match
}

/** The letter that a fault leaves in the trace, and the answer of one that turns requests away. */
function judge(
  fault: ResponseFaultRule,
  facts: RequestFacts,
  match: FaultMatch,
): { letter: string; turnedAway?: ResponseFault['answer'] | undefined } {
  const { chance, nth, name } = fault
  try {
    if (fault.condition && !fault.condition(new RequestContext(facts, fault.variables)))
      return { letter: CONDITION_FALSE }
  } catch (error) {
    // A past that cannot be read is no reason for or against anything.
    if (error instanceof StorageFailure) throw error
    return { letter: CONDITION_FAILED }
  }
  if (chance !== undefined && facts.chance.of(`fault:${name}`, facts.nth).unit() >= chance)
    return { letter: CHANCE_MISSED }
  const turnedAway = turnAway(fault, facts, match)
  if (turnedAway === 'let through') return { letter: LET_THROUGH }
  const turn = facts.matched(name) + 1
  if (nth && ('only' in nth ? turn !== nth.only : turn > nth.first)) return { letter: NOT_ITS_TURN }
  return { letter: MATCHED, turnedAway }
}

function faultOf(
  { name, then, after }: ResponseFaultRule,
  answer: ResponseFault['answer'],
  { chance, nth }: RequestFacts,
): ResponseFault {
  return {
    by: name,
    executed: after || answer === undefined,
    ...(answer !== undefined && { answer }),
    ...(then.latency && { latencyMs: drawLatency(then.latency, () => chance.of(`latency:${name}`, nth)) }),
    ...(after && { workFirst: true as const }),
    ...(then.truncate && { truncate: then.truncate }),
    ...(then.bytesPerSecond !== undefined && { bytesPerSecond: then.bytesPerSecond }),
  }
}

/** The answer of a fault that turns some requests away, or that it lets this one through; neither for other faults. */
function turnAway(
  { name, then }: ResponseFaultRule,
  facts: RequestFacts,
  match: FaultMatch,
): ResponseFault['answer'] | 'let through' {
  const { rateLimit, revoke } = then
  if (rateLimit) {
    const window = Math.floor(facts.nowUs / rateLimit.perUs)
    if (facts.letThrough(name, window) < rateLimit.max) {
      match.letThrough.push({ fault: name, window })
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
