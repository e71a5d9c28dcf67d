import { Context } from '../../contexts.ts'
import { type Met, type ResponseFault, type ResponseOrders, recordsIn } from '../../model/faults.ts'
import { outcomeAt } from '../../model/rule-summaries.ts'
import { type ResponseFaultRule, watches } from '../../response-faults.ts'
import type { RequestFacts } from './payment-facts.ts'
import { selectFirst } from './select.ts'

export interface FaultMatch {
  fault?: ResponseFault
  trace: string
  counted: readonly string[]
  letThrough: { fault: string; window: number }[]
  revoke?: true
}

export function matchFault(faults: readonly ResponseFaultRule[], facts: RequestFacts): FaultMatch {
  const watching = faults.filter((fault) => watches(fault, facts.operation))
  const { matched, trace, counted } = selectFirst(watching, {
    target: facts.operation.id,
    contextFor: ({ variables }) => new Context(facts, variables),
    draw: (name) => facts.chance.of(`fault:${name}`, facts.nth).unit(),
    matched: facts.matched,
    who: () => facts.organisation?.uuid ?? '',
    letsThrough: (fault) => metBy(fault, facts).some(({ passes }) => passes),
  })
  const letThrough = watching
    .filter((_, place) => outcomeAt(trace, place) === 'let through')
    .flatMap((fault) => windowsOf(fault, facts))
  if (!matched) return { trace, counted, letThrough }
  const doing = metBy(matched, facts).filter((one) => !one.passes)
  const isRevoking = doing.some(({ revoke }) => revoke)
  const fault = faultOf(matched, Object.assign({}, ...doing.map(({ orders }) => orders)))
  return { fault, trace, counted, letThrough, ...(isRevoking && { revoke: true as const }) }
}

function windowsOf(fault: ResponseFaultRule, facts: RequestFacts): FaultMatch['letThrough'] {
  return metBy(fault, facts).flatMap((met) =>
    met.passes && met.window !== undefined ? [{ fault: fault.name, window: met.window }] : [],
  )
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

function faultOf({ name, after }: ResponseFaultRule, orders: ResponseOrders): ResponseFault {
  return {
    by: name,
    executed: after || orders.answer === undefined,
    ...orders,
    ...(after && orders.latencyMs !== undefined && { workFirst: true as const }),
  }
}
