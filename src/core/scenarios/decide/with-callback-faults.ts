/** Decides callback faults where the deciding rule has none of its own. */
import { contextOf } from '../../contexts.ts'
import type { Delay } from '../../model/delays.ts'
import type { Directory } from '../../model/directory.ts'
import { drawDelay } from '../../model/draw-delay.ts'
import type { Kinds } from '../../model/kind.ts'
import type { Plan } from '../../model/payment.ts'
import type { CallbackFaultRule } from '../language/planned-faults.ts'
import { candidateOf } from './decide.ts'
import { drawCallback } from './draw.ts'
import type { Decision, Facts } from './payment-facts.ts'
import { selectFirst } from './select.ts'

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
    if (!plan || facts.told === false) return decision
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
