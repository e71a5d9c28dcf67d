/** Decides which response fault hits a request: the first that matches. */
import { RequestContext, type RequestFacts } from '../../contexts.ts'
import { counted } from '../../model/counted.ts'
import type { ResponseFault } from '../../model/faults.ts'
import { commonReasons, refusalAnswer } from '../../model/refusal-reasons.ts'
import { LET_THROUGH } from '../../model/trace-letters.ts'
import { type ResponseFaultRule, watches } from '../../response-faults.ts'
import { drawLatency } from './draw.ts'
import { selectFirst } from './select.ts'

export interface FaultMatch {
  fault?: ResponseFault
  trace: string
  counted: readonly string[]
  letThrough: { fault: string; window: number }[]
  revoke?: true
}

export function matchFault(faults: readonly ResponseFaultRule[], facts: RequestFacts): FaultMatch {
  const letThrough: FaultMatch['letThrough'] = []
  let turnedAway: ReturnType<typeof turnAway>
  const watching = faults.filter((fault) => watches(fault, facts.operation))
  const { matched, trace, counted } = selectFirst(watching, {
    target: facts.operation.id,
    contextFor: ({ variables }) => new RequestContext(facts, variables),
    draw: (name) => facts.chance.of(`fault:${name}`, facts.nth).unit(),
    matched: facts.matched,
    who: () => facts.organisation?.uuid ?? '',
    letsThrough: (fault) => {
      turnedAway = turnAway(fault, facts, letThrough)
      return turnedAway === LET_THROUGH
    },
  })
  if (!matched || turnedAway === LET_THROUGH) return { trace, counted, letThrough }
  return {
    fault: faultOf(matched, turnedAway ?? matched.then.answer, facts),
    trace,
    counted,
    letThrough,
    ...(matched.then.revoke === 'all' && { revoke: true as const }),
  }
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

function turnAway(
  { name, then }: ResponseFaultRule,
  facts: RequestFacts,
  letThrough: FaultMatch['letThrough'],
): ResponseFault['answer'] | typeof LET_THROUGH {
  const { rateLimit, revoke } = then
  if (rateLimit) {
    const window = Math.floor(facts.nowUs / rateLimit.perUs)
    if (facts.letThrough(name, window) < rateLimit.max) {
      letThrough.push({ fault: name, window })
      return LET_THROUGH
    }
    const retryAfterUs = rateLimit.retryAfterUs ?? (window + 1) * rateLimit.perUs - facts.nowUs
    const retryAfterS = Math.max(1, Math.ceil(retryAfterUs / 1_000_000))
    const details = `more than ${counted(rateLimit.max, 'request')}; try again in ${retryAfterS} s`
    return { ...refusalAnswer(commonReasons.rateLimited), details, retryAfterS }
  }
  if (revoke !== undefined) {
    const { tokenIssuedAtUs } = facts
    if (tokenIssuedAtUs === undefined) return LET_THROUGH
    if (revoke !== 'all' && facts.nowUs < tokenIssuedAtUs + revoke) return LET_THROUGH
    return { ...refusalAnswer(commonReasons.tokensRevoked), details: 'the token was revoked; get a new one' }
  }
  return undefined
}
