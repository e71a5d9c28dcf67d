import { distance } from 'fastest-levenshtein'
import { type Context, contextOf } from '../../contexts.ts'
import { isInstant } from '../../lifecycle.ts'
import type { CallbackFault, UndrawnCallbackFault } from '../../model/callback-fault.ts'
import { type Delay, drawDelay } from '../../model/delays.ts'
import type { Directory } from '../../model/directory.ts'
import { type Kind, type Kinds, partyOf } from '../../model/kind.ts'
import type { Plan } from '../../model/payment.ts'
import { quote } from '../../model/problems.ts'
import { refusalCatalogue } from '../../model/refusal.ts'
import { traceLetters, triggersIn } from '../../model/rule-summaries.ts'
import type { DurationUs } from '../../model/time.ts'
import type { CallbackFaultRule } from '../language/planned-faults.ts'
import type { Paying, Rule } from '../language/rules.ts'
import type { Selector } from '../language/selector.ts'
import type { Decision, Facts } from './payment-facts.ts'
import { type RuleCandidate, selectFirst } from './select.ts'

const NO_RULE = '(no rule)'

export function decider(rules: readonly Rule[], directory: Directory, kinds: Kinds): (facts: Facts) => Decision {
  const byKind = new Map(kinds.names.map((name) => [name, rules.filter(({ on }) => on.includes(name))]))
  return (facts) => {
    const kind = kinds.of(facts.kind)
    const ofKind = byKind.get(kind.name) ?? []
    if (facts.outcome !== undefined) return chosen(facts.outcome, ofKind, kind, facts)
    const context = contextOf(facts, directory, kinds)
    const { matched, trace, counted } = selectFirst<Rule>(ofKind, candidateOf(facts, kind, context))
    if (!matched) return { plan: undecided(kind, trace), counted }
    return { ...decideByRule(matched, kind, facts, trace), counted }
  }
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

function decoded(outcome: string): string {
  try {
    return decodeURI(outcome)
  } catch {
    return outcome
  }
}

function candidateOf(facts: Facts, kind: Kind, context: Context): RuleCandidate<Selector> {
  return {
    target: facts.kind,
    contextFor: () => context,
    draw: (name) => facts.chance.of(`rule:${name}`, facts.draw).unit(),
    matched: facts.matched,
    who: (taker) => (taker === 'organisation' ? facts.organisation.uuid : (partyOf(kind, facts.request) ?? '')),
  }
}

function decideByRule(
  rule: Rule,
  kind: Kind,
  facts: Facts,
  trace: string,
): { plan: Plan } | { refuse: NonNullable<Decision['refuse']> } {
  const { then, name } = rule
  if (then.refuse) return { refuse: { rule: name, trace, ...then.refuse } }
  const draw = (delay: Delay, label: string) => drawDelay(delay, () => facts.chance.of(`${label}:${name}`, facts.nth))
  const { callback, ...faults } = then.faults
  const plan: Plan = {
    rule: name,
    trace,
    afterUs: then.after && draw(then.after, 'delay'),
    end: then.end,
    // Copied: a plan's fields may be changed later, and a rule's must not.
    with: { ...then.with },
    revise: then.revise && {
      afterUs: draw(then.revise.after, 'revise'),
      end: then.revise.end,
      with: { ...then.revise.with },
    },
    ...faults,
    ...(callback && { callback: drawCallback(callback, name, draw) }),
  }
  if (kind.page) Object.assign(plan, drawPay(then.pay, draw), then.promptUs !== null && { promptUs: then.promptUs })
  return { plan }
}

function undecided(kind: Kind, trace: string): Plan {
  const afterUs = isInstant(kind) ? 0 : null
  const plan: Plan = { rule: NO_RULE, trace, afterUs, end: kind.ends[0], with: {}, revise: null }
  if (kind.page) plan.payAfterUs = null
  return plan
}

/** `label`: what the delay is for. Draws depend on it, so that one delay does not change another. */
type DrawLabelled = (delay: Delay, label: string) => DurationUs

function drawCallback({ delay, ...rest }: UndrawnCallbackFault, by: string, draw: DrawLabelled): CallbackFault {
  return { by, ...(delay && { delayUs: draw(delay, 'callback') }), ...rest }
}

function drawPay(paying: Paying | null, draw: DrawLabelled): Pick<Plan, 'payAfterUs' | 'confirmAfterUs'> {
  if (!paying) return { payAfterUs: null }
  const { after, confirm } = paying
  return {
    payAfterUs: draw(after, 'pay'),
    ...(confirm !== undefined && { confirmAfterUs: confirm && draw(confirm, 'confirm') }),
  }
}

export function withCallbackFaults(
  decide: (facts: Facts) => Decision,
  faults: readonly CallbackFaultRule[],
  directory: Directory,
  kinds: Kinds,
): (facts: Facts) => Decision {
  if (faults.length === 0) return decide
  return (facts) => {
    const decision = decide(facts)
    const { plan } = decision
    if (!plan || facts.hasCallback === false) return decision
    const { matched, trace, counted } = selectFirst<CallbackFaultRule>(
      faults.filter(({ on }) => on.includes(facts.kind)),
      {
        ...candidateOf(facts, kinds.of(facts.kind), contextOf(facts, directory, kinds)),
        cannot: ({ then }) => then.early === true && plan.afterUs === null,
      },
    )
    const both = { plan, counted: [...decision.counted, ...counted] }
    // The callback of the deciding rule comes first; the faults only count the payment.
    if (plan.callback) return both
    return { ...both, ...(matched && { plan: withFault(plan, matched, facts) }), callbackTrace: trace }
  }
}

function withFault(plan: Plan, { then, name }: CallbackFaultRule, { chance, nth }: Facts): Plan {
  const draw = (delay: Delay, label: string) => drawDelay(delay, () => chance.of(`${label}:${name}`, nth))
  // A callback before the answer tells the end, so the payment must end at once.
  return { ...plan, ...(then.early && { afterUs: 0 }), callback: drawCallback(then, name, draw) }
}
