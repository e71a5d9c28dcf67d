/** Decides what goes wrong with telling the merchant, where the deciding rule says nothing of its own. */
import type { Directory } from '../../model/directory.ts'
import type { Kinds } from '../../model/kind.ts'
import type { Plan } from '../../model/payment.ts'
import type { CallbackFaultRule } from '../language/callback-faults.ts'
import type { Delay } from '../language/durations.ts'
import { judge } from './decide.ts'
import { drawCallback, drawDelay } from './draw.ts'
import { contextOf } from './payment-context.ts'
import type { Decision, Facts } from './payment-facts.ts'
import { CANNOT, MATCHED, NOT_ITS_TURN } from './trace.ts'

/** Decides as before, and adds to a plan that says nothing of its own the first fault that matches. */
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
    if (!plan || plan.callback || facts.told === false) return decision
    const context = contextOf(facts, directory, kinds)
    let { counted } = decision
    let callbackTrace = ''
    for (const fault of faults) {
      if (!fault.on.includes(facts.kind)) continue
      const letter = fault.then.early && plan.afterUs === null ? CANNOT : judge(fault, facts, context)
      callbackTrace += letter
      if (fault.nth && (letter === MATCHED || letter === NOT_ITS_TURN)) counted = [...counted, fault.name]
      if (letter === MATCHED) return { plan: withFault(plan, fault, facts), counted, callbackTrace }
    }
    return { plan, counted, callbackTrace }
  }
}

function withFault(plan: Plan, { then, name }: CallbackFaultRule, { chance, nth }: Facts): Plan {
  const draw = (delay: Delay, label: string) => drawDelay(delay, () => chance.of(`${label}:${name}`, nth))
  // Who is told before the answer is told of the end, so the end comes at once.
  return { ...plan, ...(then.early && { afterUs: 0 }), callback: drawCallback(then, name, draw) }
}
