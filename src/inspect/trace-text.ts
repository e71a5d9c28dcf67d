import * as z from 'zod'
import type { PaymentKind } from '../core/model/payment.ts'
import { type FaultSummary, outcomeAt, type RuleSummary, type TraceOutcome } from '../core/model/rule-summaries.ts'
import { type AnswerOf, shape } from './view.ts'

const passed = ['condition false', 'condition failed', 'chance missed', 'not its turn', 'not asked'] as const
const ruleWords = z.enum([...passed, 'decided'])
const decisionWords = z.enum([...passed, 'decided', 'let through', 'cannot happen', 'met'])

export const ruleTraceShape = shape('RuleTrace', () =>
  z.object({ rule: z.string(), outcome: ruleWords, why: z.string() }),
)
export type TraceLine = AnswerOf<typeof ruleTraceShape>

export const decisionShape = shape('Decision', () =>
  z.object({
    about: z.enum(['answer', 'rule', 'callback']),
    name: z.string().describe('The fault, or the rule.'),
    outcome: decisionWords,
    why: z.string(),
  }),
)
export type Decision = AnswerOf<typeof decisionShape>

export function explainTrace(
  { rules }: { rules: readonly RuleSummary[] },
  kind: PaymentKind,
  trace: string,
): TraceLine[] {
  return rules
    .filter((rule) => rule.on.includes(kind))
    .map((rule, i) => {
      const outcome = outcomeAt(trace, i)
      return { rule: rule.name, outcome: ruleWords.parse(told(outcome, 'decided')), why: whyRule(rule, outcome) }
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
    const why = whyFault(fault, outcome, behind)
    return { about, name: fault.name, outcome: decisionWords.parse(told(outcome, 'met')), why }
  })
}

function told(outcome: TraceOutcome, done: string): string {
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

function whyPassed(
  { when, chance, nth }: RuleSummary,
  outcome: TraceOutcome,
  does: 'decides' | 'meets',
): string | undefined {
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
