/** The one question that a scenario answers: what happens to this payment? The first rule that matches decides. */

import { isInstant } from '../../lifecycle/lifecycle.ts'
import type { Directory } from '../../model/directory.ts'
import type { Kind, Kinds } from '../../model/kind.ts'
import type { JsonObject, Plan } from '../../model/payment.ts'
import { StorageFailure } from '../../model/storage-failure.ts'
import type { Delay } from '../language/durations.ts'
import type { Rule } from '../language/rules.ts'
import { drawDelay, drawPay, drawPlannedFaults } from './draw.ts'
import { contextOf, type PaymentContext } from './payment-context.ts'
import type { Decision, Facts } from './payment-facts.ts'
import { CHANCE_MISSED, CONDITION_FAILED, CONDITION_FALSE, MATCHED, NOT_ITS_TURN } from './trace.ts'

/** The name that stands in a plan when a scenario has no rule for a kind. */
const NO_RULE = '(no rule)'

const NOTHING_COUNTED: readonly string[] = []

/** A pure function over the facts: the same facts give the same decision. */
export function decider(rules: readonly Rule[], directory: Directory, kinds: Kinds): (facts: Facts) => Decision {
  const ofKind = new Map(kinds.names.map((name) => [name, rules.filter((rule) => rule.on.includes(name))]))

  return (facts) => {
    const kind = kinds.of(facts.kind)
    const context = contextOf(facts, directory, kinds)
    let trace = ''
    let counted = NOTHING_COUNTED
    for (const rule of ofKind.get(kind.name) ?? []) {
      const letter = judge(rule, facts, context)
      trace += letter
      if (rule.nth && (letter === MATCHED || letter === NOT_ITS_TURN)) counted = [...counted, rule.name]
      if (letter === MATCHED) return { ...carryOut(rule, kind, facts, trace), counted }
    }
    return { plan: undecided(kind, trace), counted }
  }
}

/** The letter that a rule leaves in the trace. */
export function judge(
  rule: Pick<Rule, 'name' | 'conditions' | 'chance' | 'nth'>,
  facts: Facts,
  context: PaymentContext,
): string {
  const condition = rule.conditions.get(facts.kind)
  try {
    if (condition && !condition(context)) return CONDITION_FALSE
  } catch (error) {
    // A past that cannot be read is no reason for or against anything.
    if (error instanceof StorageFailure) throw error
    return CONDITION_FAILED
  }
  if (rule.chance !== undefined && facts.chance.of(`rule:${rule.name}`, facts.draw).unit() >= rule.chance)
    return CHANCE_MISSED
  if (rule.nth) {
    const turn = facts.matched(rule.name) + 1
    if ('only' in rule.nth ? turn !== rule.nth.only : turn > rule.nth.first) return NOT_ITS_TURN
  }
  return MATCHED
}

function carryOut(
  rule: Rule,
  kind: Kind,
  facts: Facts,
  trace: string,
): { plan: Plan } | { refuse: NonNullable<Decision['refuse']> } {
  const { then, name } = rule
  if (then.refuse) return { refuse: { rule: name, trace, ...then.refuse } }
  const draw = (delay: Delay, label: string) => drawDelay(delay, () => facts.chance.of(`${label}:${name}`, facts.nth))
  const plan: Plan = {
    rule: name,
    trace,
    afterUs: then.after && draw(then.after, 'delay'),
    end: then.end,
    with: copy(then.with),
    revise: then.revise && {
      afterUs: draw(then.revise.after, 'revise'),
      end: then.revise.end,
      with: copy(then.revise.with),
    },
    ...drawPlannedFaults(then.faults, name, draw),
  }
  if (kind.page) Object.assign(plan, drawPay(then.pay, draw), then.promptUs !== null && { promptUs: then.promptUs })
  return { plan }
}

/** No rule for this kind at all: it stays as it began, unless it is over at once. */
function undecided(kind: Kind, trace: string): Plan {
  const afterUs = isInstant(kind) ? 0 : null
  const plan: Plan = { rule: NO_RULE, trace, afterUs, end: kind.ends[0], with: {}, revise: null }
  if (kind.page) plan.payAfterUs = null
  return plan
}

/** Plans are stored and may be added to; the rule's own fields stay as they are. */
function copy(fields: JsonObject): JsonObject {
  return { ...fields }
}
