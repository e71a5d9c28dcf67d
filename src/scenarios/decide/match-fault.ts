/** The question before an operation is worked on: which fault does this request meet? The first that matches. */

import type { ResponseFault } from '../../model/faults.ts'
import { StorageFailure } from '../../model/storage-failure.ts'
import { type ResponseFaultRule, targetOf } from '../language/response-faults.ts'
import { drawLatency } from './draw.ts'
import { RequestContext, type RequestFacts } from './request-context.ts'
import { CHANCE_MISSED, CONDITION_FAILED, CONDITION_FALSE, LET_THROUGH, MATCHED, NOT_ITS_TURN } from './trace.ts'

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
  if (turnedAway === LET_THROUGH) return { letter: LET_THROUGH }
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
): ResponseFault['answer'] | typeof LET_THROUGH {
  const { rateLimit, revoke } = then
  if (rateLimit) {
    const window = Math.floor(facts.nowUs / rateLimit.perUs)
    if (facts.letThrough(name, window) < rateLimit.max) {
      match.letThrough.push({ fault: name, window })
      return LET_THROUGH
    }
    const retryAfterUs = rateLimit.retryAfterUs ?? (window + 1) * rateLimit.perUs - facts.nowUs
    const retryAfterS = Math.max(1, Math.ceil(retryAfterUs / 1_000_000))
    const details = `more than ${rateLimit.max} requests; try again in ${retryAfterS} s`
    return { status: 429, code: 'RATE_LIMITED', details, retryAfterS }
  }
  if (revoke !== undefined) {
    const { tokenIssuedAtUs } = facts
    if (tokenIssuedAtUs === undefined) return LET_THROUGH
    if (revoke !== 'all' && facts.nowUs < tokenIssuedAtUs + revoke) return LET_THROUGH
    return { status: 401, code: 'AUTH_INVALID_TOKEN', details: 'the token was revoked; get a new one' }
  }
  return undefined
}
