/** Decides which response fault hits a request: the first that matches. */
import { RequestContext, type RequestFacts } from '../../contexts.ts'
import type { ResponseFault, ResponseOrders } from '../../model/faults.ts'
import { type Met, recordsIn } from '../../model/response-fault-records.ts'
import { type ResponseFaultRule, watches } from '../../response-faults.ts'
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
  let met: Met[] = []
  const watching = faults.filter((fault) => watches(fault, facts.operation))
  const { matched, trace, counted } = selectFirst(watching, {
    target: facts.operation.id,
    contextFor: ({ variables }) => new RequestContext(facts, variables),
    draw: (name) => facts.chance.of(`fault:${name}`, facts.nth).unit(),
    matched: facts.matched,
    who: () => facts.organisation?.uuid ?? '',
    letsThrough: (fault) => {
      met = metBy(fault, facts)
      const passing = met.filter((one) => one.passes === true)
      for (const { window } of passing) if (window !== undefined) letThrough.push({ fault: fault.name, window })
      return passing.length > 0
    },
  })
  if (!matched) return { trace, counted, letThrough }
  const doing = met.filter((one) => !one.passes)
  const isRevoking = doing.some(({ revoke }) => revoke)
  const fault = faultOf(matched, Object.assign({}, ...doing.map(({ orders }) => orders)))
  return { fault, trace, counted, letThrough, ...(isRevoking && { revoke: true as const }) }
}

function metBy({ name, then }: ResponseFaultRule, facts: RequestFacts): Met[] {
  const moment = {
    nowUs: facts.nowUs,
    tokenIssuedAtUs: facts.tokenIssuedAtUs,
    letThrough: (window: number) => facts.letThrough(name, window),
    draw: (label: string) => facts.chance.of(`${label}:${name}`, facts.nth),
  }
  return recordsIn(then).map(({ record, kept }) => record.meet(kept, moment))
}

function faultOf({ name, then, after }: ResponseFaultRule, orders: ResponseOrders): ResponseFault {
  const changing = recordsIn(then).filter(({ record }) => record.send)
  return {
    by: name,
    executed: after || orders.answer === undefined,
    ...orders,
    ...(after && orders.latencyMs !== undefined && { workFirst: true as const }),
    ...(changing.length > 0 && { kept: Object.fromEntries(changing.map((one) => [one.name, one.kept])) }),
  }
}
