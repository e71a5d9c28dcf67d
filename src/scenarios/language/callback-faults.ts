/** Faults of callbacks, whatever rule decided: read from `callbacks.faults`, decided with the payment. */
import { type PaymentKind, type Plan, paymentKinds } from '../../model/payment.ts'
import { judge } from '../decide/decide.ts'
import { CANNOT, MATCHED, NOT_ITS_TURN } from '../decide/trace.ts'
import type { Directory } from '../directory.ts'
import type { Decision, Facts, FaultSummary } from '../scenario.ts'
import { type Delay, drawDelay } from './durations.ts'
import { type Condition, vocabularyOf } from './expressions.ts'
import type { CallbackFaultRuleFile } from './planned-fault-schema.ts'
import {
  drawCallback,
  endingKinds,
  printCallback,
  readCallbackFault,
  readEarlyKinds,
  type UndrawnCallbackFault,
} from './planned-faults.ts'
import { type Path, type Place, printPath, quote } from './problems.ts'
import { printTurn, readConditions, readTurn, readTurned, type Turn, type Turned } from './rules.ts'
import type { SourceText } from './source-text.ts'
import { PaymentContext } from './vocabulary.ts'

/** A fault, checked. */
export interface CallbackFaultRule extends Place {
  name: string
  on: readonly PaymentKind[]
  when: string | undefined
  conditions: ReadonlyMap<PaymentKind, Condition>
  chance: number | undefined
  nth: Turn | undefined
  then: UndrawnCallbackFault
  turned: Turned
}

/** Reads one fault; `scenario` is part of its name when it has none of its own. */
export function readCallbackFaultRule(
  fault: CallbackFaultRuleFile,
  index: number,
  scenario: string,
  source: SourceText,
): CallbackFaultRule {
  const path: Path = ['callbacks', 'faults', index]
  const written = Array.isArray(fault.on) ? fault.on : [fault.on]
  const untold: readonly string[] = ['allocation', 'de-allocation']
  const wrong = written.find((kind) => untold.includes(kind))
  if (wrong)
    source.report(
      source.offsetOf([...path, 'on']),
      printPath([...path, 'on']),
      `Nobody is told about payments of the kind ${quote(wrong)}.`,
    )
  const any = fault.then.early ? endingKinds : paymentKinds.filter((kind) => !untold.includes(kind))
  const on = written.includes('any') ? any : [...new Set(written as PaymentKind[])]
  if (fault.then.early && !wrong) readEarlyKinds(on, [...path, 'then'], source)
  return {
    name: fault.name ?? `callback fault ${index + 1} of ${scenario}`,
    on,
    when: fault.when,
    conditions: fault.when === undefined ? new Map() : readConditions(fault.when, on, [...path, 'when'], source),
    chance: fault.chance,
    nth: readTurn(fault.nth),
    then: readCallbackFault(fault.then, on, [...path, 'then'], source),
    turned: readTurned(path, source),
    ...source.placeOf(path),
  }
}

/** Decides as before, and adds to a plan that says nothing of its own the first fault that matches. */
export function withCallbackFaults(
  decide: (facts: Facts) => Decision,
  faults: readonly CallbackFaultRule[],
  directory: Directory,
): (facts: Facts) => Decision {
  if (faults.length === 0) return decide
  return (facts) => {
    const decision = decide(facts)
    const { plan } = decision
    if (!plan || plan.callback || facts.told === false) return decision
    const context = new PaymentContext(facts, directory, vocabularyOf(facts.kind))
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

export function summariseCallbackFaultRule(fault: CallbackFaultRule, ownFile: string): FaultSummary {
  const { name, on, when, chance, nth, then, file, line } = fault
  const inherited = file !== ownFile
  return {
    name,
    on: [...on],
    when,
    chance,
    nth: printTurn(nth),
    then: printCallback(then),
    passes: then.early === true,
    file,
    line,
    inherited,
  }
}
