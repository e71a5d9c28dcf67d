import * as z from 'zod'
import type { PaymentKind } from '../core/model/payment.ts'
import { type FaultSummary, outcomeAt, type RuleSummary, type TraceOutcome } from '../core/model/rule-summaries.ts'
import { type AnswerOf, shape } from './view.ts'

const outcomes = [
  'condition false',
  'condition failed',
  'chance missed',
  'not its turn',
  'not asked',
  'decided',
  'let through',
  'cannot happen',
  'met',
] as const

export const decisionShape = shape('Decision', () =>
  z.object({
    about: z.enum(['answer', 'rule', 'callback']),
    name: z.string().describe('The fault, or the rule.'),
    outcome: z.enum(outcomes),
    why: z.string(),
  }),
)
export type Decision = AnswerOf<typeof decisionShape>

export function explainTrace(rules: readonly RuleSummary[], kind: PaymentKind, trace: string): Decision[] {
  return rules
    .filter((rule) => rule.on.includes(kind))
    .map((rule, i) => {
      const outcome = outcomeAt(trace, i)
      return { about: 'rule', name: rule.name, outcome: outcomeOf(outcome, 'decided'), why: whyRule(rule, outcome) }
    })
}

export function explainFaults(
  about: 'answer' | 'callback',
  faults: readonly FaultSummary[],
  trace: string,
  behind: string,
): Decision[] {
  return faults.map((fault, i) => {
    const outcome = outcomeAt(trace, i)
    return { about, name: fault.name, outcome: outcomeOf(outcome, 'met'), why: whyFault(fault, outcome, behind) }
  })
}

function outcomeOf(outcome: TraceOutcome, done: 'decided' | 'met'): Decision['outcome'] {
  if (outcome === 'matched' || outcome === 'chosen') return done
  return outcome === 'passed over' ? 'not asked' : outcome
}

function whyRule(rule: RuleSummary, outcome: TraceOutcome): string {
  if (outcome === 'matched') return `${because(rule)}: ${rule.then}`
  if (outcome === 'chosen') return `the request's mfano-outcome chose it: ${rule.then}`
  if (outcome === 'passed over') return "the request's mfano-outcome chose another rule"
  return whyPassed(rule, outcome, 'decides') ?? 'a rule before it decided'
}

function whyFault(fault: FaultSummary, outcome: TraceOutcome, behind: string): string {
  if (outcome === 'matched') return `${because(fault)}: ${fault.then}`
  if (outcome === 'let through') return `${because(fault)}, and it lets this one through: ${fault.then}`
  if (outcome === 'cannot happen') return 'the payment does not end by itself, so nothing ends it early'
  return whyPassed(fault, outcome, 'meets') ?? behind
}

function because({ when }: RuleSummary): string {
  return when === undefined ? 'it has no condition' : `${when} is true`
}

function whyPassed(rule: RuleSummary, outcome: TraceOutcome, does: 'decides' | 'meets'): string | undefined {
  const { when, chance, nth } = rule
  switch (outcome) {
    case 'condition false':
      return `${when} is false`
    case 'chance missed':
      return `its chance is ${chance} and the draw was not among it`
    case 'not its turn':
      return `it matched, and it ${does} only ${nth ?? 'some'} of its matches`
    case 'condition failed':
      return `${when} could not be worked out for these values`
    default:
      return undefined
  }
}
