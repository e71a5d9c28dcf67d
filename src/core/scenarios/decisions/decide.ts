import { distance } from 'fastest-levenshtein'
import { isInstant } from '../../lifecycle.ts'
import { drawDelay } from '../../model/delays.ts'
import type { Directory } from '../../model/directory.ts'
import { faultsWritten, type Met, type ResponseFault, type ResponseOrders } from '../../model/faults.ts'
import { type Kind, type Kinds, partyOf } from '../../model/kind.ts'
import { must } from '../../model/must.ts'
import type { Plan } from '../../model/payment.ts'
import { quote } from '../../model/problems.ts'
import { refusalCatalogue } from '../../model/refusal.ts'
import { outcomeAt, type TraceOutcome, traceLetters, triggersIn } from '../../model/rule-summaries.ts'
import { decoded } from '../../model/text.ts'
import { parseDuration } from '../../model/time.ts'
import { type ResponseFaultRule, watches } from '../../response-faults.ts'
import { StorageFailure } from '../../sql.ts'
import { contextOf, contextWith } from '../../vocabulary.ts'
import { type CallbackFaultRule, type DrawLabelled, planCallbackFault, planFaults } from '../keys/planned-faults.ts'
import { CONFIRM, type Rule, type RuleOutcome } from '../keys/rules.ts'
import { readRefusal } from '../keys/schema-parts.ts'
import { type Selector, type Turn, type TurnTaker, turnKey } from '../keys/selector.ts'
import type { Decision, Facts, RequestFacts } from './payment-facts.ts'

const NO_RULE = '(no rule)'

interface Deciding {
  rules: readonly Rule[]
  callbackFaults: readonly CallbackFaultRule[]
}

export function decider(all: Deciding, directory: Directory, kinds: Kinds): (facts: Facts) => Decision {
  const ofKind = (name: string): Deciding => ({
    rules: all.rules.filter(({ on }) => on.includes(name)),
    callbackFaults: all.callbackFaults.filter(({ on }) => on.includes(name)),
  })
  const byKind = new Map(kinds.names.map((name) => [name, ofKind(name)]))
  return (facts) => {
    const kind = kinds.of(facts.kind)
    const { rules, callbackFaults } = must(byKind.get(kind.name))
    const candidate = candidateOf(facts, kind, contextOf(facts, directory, kinds))
    const decision =
      facts.outcome === undefined
        ? decideByRules(rules, kind, facts, candidate)
        : chosen(facts.outcome, rules, kind, facts)
    if (callbackFaults.length === 0 || facts.hasCallback === false) return decision
    return withCallbackFault(decision, callbackFaults, facts, candidate)
  }
}

function decideByRules(rules: readonly Rule[], kind: Kind, facts: Facts, candidate: RuleCandidate<Selector>): Decision {
  const { matched, trace, counted } = selectFirst<Rule>(rules, candidate)
  if (!matched) return { plan: undecided(kind, trace), counted }
  return { ...decideByRule(matched, kind, facts, trace), counted }
}

function chosen(outcome: string, rules: readonly Rule[], kind: Kind, facts: Facts): Decision {
  const names = rules.map(({ name }) => name)
  const wanted = names.includes(outcome) ? outcome : decoded(outcome)
  const named = names.indexOf(wanted)
  const at = named >= 0 ? named : rules.findIndex(({ when }) => triggersIn(when).includes(wanted))
  const rule = rules[at]
  const counted: string[] = []
  if (rule) {
    const trace = traceLetters['passed over'].repeat(at) + traceLetters.chosen
    return { ...decideByRule(rule, kind, facts, trace), counted }
  }
  const { status } = refusalCatalogue.REQ_INVALID_FIELD
  const known = [...new Set([...names, ...rules.flatMap(({ when }) => triggersIn(when))])]
  const off = (name: string) => distance(wanted, name) / Math.max(wanted.length, name.length)
  const near = known.toSorted((a, b) => off(a) - off(b)).slice(0, 3)
  const nearest = near.length > 0 ? `; the nearest are ${near.map(quote).join(', ')}` : ''
  const details = `must be the name of a rule for ${kind.phrase}, or a trigger of one, got ${quote(wanted)}${nearest}`
  const about = { code: 'REQ_INVALID_FIELD', status, message: undefined, field: 'mfano-outcome', details }
  return { refuse: { rule: NO_RULE, trace: '', ...about }, counted }
}

function candidateOf(facts: Facts, kind: Kind, context: object): RuleCandidate<Selector> {
  return {
    target: facts.kind,
    contextFor: () => context,
    draw: (name) => facts.chance.of(`rule:${name}`, facts.draw).unit(),
    matched: facts.matched,
    who: (taker) =>
      taker === 'organisation' ? (facts.organisation?.uuid ?? '') : (partyOf(kind, facts.request) ?? ''),
  }
}

function decideByRule(
  rule: Rule,
  kind: Kind,
  facts: Facts,
  trace: string,
): { plan: Plan } | { refuse: NonNullable<Decision['refuse']> } {
  const { then, name } = rule
  if (then.refuse) return { refuse: { rule: name, trace, ...readRefusal(then.refuse) } }
  const draw: DrawLabelled = (delay, label) => drawDelay(delay, () => facts.chance.of(`${label}:${name}`, facts.nth))
  const { after = 'never', end = kind.ends[0], revise } = then
  const plan: Plan = {
    rule: name,
    trace,
    afterUs: after === 'never' ? null : draw(after, 'delay'),
    end,
    // Copied: a plan's fields may be changed later, and a rule's must not.
    with: { ...then.with },
    revise: revise ? { afterUs: draw(revise.after, 'revise'), end: revise.end, with: { ...revise.with } } : null,
    ...planFaults(name, then, draw),
    ...(kind.page && planPage(then, draw)),
  }
  return { plan }
}

function undecided(kind: Kind, trace: string): Plan {
  const afterUs = isInstant(kind) ? 0 : null
  const plan: Plan = { rule: NO_RULE, trace, afterUs, end: kind.ends[0], with: {}, revise: null }
  if (kind.page) plan.payAfterUs = null
  return plan
}

function planPage(
  { pay, prompt }: RuleOutcome,
  draw: DrawLabelled,
): Pick<Plan, 'payAfterUs' | 'confirmAfterUs' | 'promptUs'> {
  const confirm = pay?.confirm ?? CONFIRM
  return {
    payAfterUs: pay ? draw(pay.after, 'pay') : null,
    ...(pay?.by === 'MPESA_STK' && { confirmAfterUs: confirm === 'never' ? null : draw(confirm, 'confirm') }),
    ...(prompt !== undefined && { promptUs: must(parseDuration(prompt)) }),
  }
}

function withCallbackFault(
  decision: Decision,
  faults: readonly CallbackFaultRule[],
  facts: Facts,
  candidate: RuleCandidate<Selector>,
): Decision {
  const { plan } = decision
  if (!plan) return decision
  const cannot = ({ then }: CallbackFaultRule) => then.early === true && plan.afterUs === null
  const { matched, trace, counted } = selectFirst<CallbackFaultRule>(faults, { ...candidate, cannot })
  const both = { plan, counted: [...decision.counted, ...counted] }
  // The callback of the deciding rule comes first; the faults only count the payment.
  if (plan.callback) return both
  return { ...both, ...(matched && { plan: withFault(plan, matched, facts) }), callbackTrace: trace }
}

function withFault(plan: Plan, { then, name }: CallbackFaultRule, { chance, nth }: Facts): Plan {
  const draw: DrawLabelled = (delay, label) => drawDelay(delay, () => chance.of(`${label}:${name}`, nth))
  const callback = planCallbackFault(name, then, draw)
  // A callback before the answer tells the end, so the payment must end at once.
  return { ...plan, ...(then.early && { afterUs: 0 }), callback }
}

interface RuleCandidate<One extends Selector> {
  target: string
  contextFor(one: One): object
  draw(name: string): number
  matched(key: string): number
  who(taker: TurnTaker): string
  cannot?(one: One): boolean
  letsThrough?(one: One): boolean
}

const TAKES_TURN: readonly TraceOutcome[] = ['matched', 'not its turn', 'cannot happen']

function selectFirst<One extends Selector>(selectors: readonly One[], candidate: RuleCandidate<One>) {
  let trace = ''
  let matched: One | undefined
  const counted: string[] = []
  for (const one of selectors) {
    // Behind the match only turns are counted, so that `nth: 1` and `nth: 2` take the first and the second.
    if (matched && !one.nth) continue
    const outcome = judge(one, candidate)
    if (one.nth && TAKES_TURN.includes(outcome)) counted.push(turnKey(one, candidate.who))
    if (matched) continue
    trace += traceLetters[outcome]
    if (outcome === 'matched') matched = one
  }
  return { matched, trace, counted }
}

function judge<One extends Selector>(one: One, candidate: RuleCandidate<One>): keyof typeof traceLetters {
  const { name, chance, nth } = one
  const condition = one.conditionOn(candidate.target)
  try {
    if (condition && !condition(candidate.contextFor(one))) return 'condition false'
  } catch (error) {
    // A history that cannot be read counts as no match.
    if (error instanceof StorageFailure) throw error
    return 'condition failed'
  }
  if (chance !== undefined && candidate.draw(name) >= chance) return 'chance missed'
  if (candidate.letsThrough?.(one)) return 'let through'
  if (candidate.cannot?.(one)) return 'cannot happen'
  if (nth) {
    const turn = candidate.matched(turnKey(one, candidate.who)) + 1
    if (!isTurn(nth, turn)) return 'not its turn'
  }
  return 'matched'
}

function isTurn({ only, first, every = 1 }: Turn, turn: number): boolean {
  if (only !== undefined) return turn === only
  return first === undefined ? turn % every === 0 : turn <= first
}

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
    contextFor: ({ variables }) => contextWith(facts, variables),
    draw: (name) => facts.chance.of(`fault:${name}`, facts.nth).unit(),
    matched: facts.matched,
    who: () => facts.organisation?.uuid ?? '',
    letsThrough: (fault) => metBy(fault, facts).some(({ passes }) => passes),
  })
  const letThrough = watching
    .filter((_, place) => outcomeAt(trace, place) === 'let through')
    .flatMap((one) =>
      metBy(one, facts).flatMap(({ window }) => (window === undefined ? [] : [{ fault: one.name, window }])),
    )
  if (!matched) return { trace, counted, letThrough }
  const doing = metBy(matched, facts).filter((one) => !one.passes)
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
  return faultsWritten(then).map(({ record, written }) => record.meet(written, moment))
}

function faultOf({ name, written: { after } }: ResponseFaultRule, orders: ResponseOrders): ResponseFault {
  return {
    by: name,
    executed: after === true || orders.answer === undefined,
    ...orders,
    ...(after && orders.latencyMs !== undefined && { workFirst: true as const }),
  }
}
