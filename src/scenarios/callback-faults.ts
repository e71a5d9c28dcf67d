/** Faults of callbacks, whatever rule decided: read from `callbacks.faults`, decided with the payment. */
import { waitsForRail } from '../lifecycle/lifecycle.ts'
import type { Directory } from '../model/directory.ts'
import type { Kinds } from '../model/kind.ts'
import type { PaymentKind, Plan } from '../model/payment.ts'
import { judge } from './decide.ts'
import { type Delay, drawDelay } from './durations.ts'
import { type Condition, vocabularyOf } from './expressions.ts'
import type { CallbackFaultFile } from './mishap-schema.ts'
import { type CallbackOutcome, drawCallback, printCallback, readCallbackMishap, readEarlyKinds } from './mishaps.ts'
import { type Path, type Place, printPath, quote } from './problems.ts'
import { printTurn, readConditions, readTurn, readTurned, type Turn, type Turned } from './rules.ts'
import type { Decision, Facts, FaultSummary } from './scenario.ts'
import type { SourceText } from './source-text.ts'
import { CANNOT, MATCHED, NOT_ITS_TURN } from './trace.ts'
import { Sight } from './vocabulary.ts'

/** A fault, checked. */
export interface CallbackFault extends Place {
  name: string
  on: readonly PaymentKind[]
  when: string | undefined
  conditions: ReadonlyMap<PaymentKind, Condition>
  chance: number | undefined
  nth: Turn | undefined
  then: CallbackOutcome
  turned: Turned
}

/** Reads one fault; `scenario` is part of its name when it has none of its own. */
export function readCallbackFault(
  fault: CallbackFaultFile,
  index: number,
  scenario: string,
  source: SourceText,
  kinds: Kinds,
): CallbackFault {
  const path: Path = ['callbacks', 'faults', index]
  const written = Array.isArray(fault.on) ? fault.on : [fault.on]
  const told = kinds.filter(({ callback }) => callback !== undefined)
  const wrong = written.find((name) => name !== 'any' && !kinds.of(name).callback)
  if (wrong)
    source.report(
      source.offsetOf([...path, 'on']),
      printPath([...path, 'on']),
      `Nobody is told about payments of the kind ${quote(wrong)}.`,
    )
  const any = fault.then.early ? kinds.filter(waitsForRail) : told
  const on = written.includes('any') ? any : [...new Set(written)].map((name) => kinds.of(name))
  if (fault.then.early && !wrong) readEarlyKinds(on, [...path, 'then'], source, kinds)
  return {
    name: fault.name ?? `callback fault ${index + 1} of ${scenario}`,
    on: on.map(({ name }) => name),
    when: fault.when,
    conditions: fault.when === undefined ? new Map() : readConditions(fault.when, on, [...path, 'when'], source, kinds),
    chance: fault.chance,
    nth: readTurn(fault.nth),
    then: readCallbackMishap(fault.then, on, [...path, 'then'], source),
    turned: readTurned(path, source),
    ...source.placeOf(path),
  }
}

/** Decides as before, and adds to a plan that says nothing of its own the first fault that matches. */
export function tellWrongly(
  decide: (facts: Facts) => Decision,
  faults: readonly CallbackFault[],
  directory: Directory,
  kinds: Kinds,
): (facts: Facts) => Decision {
  if (faults.length === 0) return decide
  return (facts) => {
    const decision = decide(facts)
    const { plan } = decision
    if (!plan || plan.callback || facts.told === false) return decision
    const kind = kinds.of(facts.kind)
    const sight = new Sight(facts, kind, directory, vocabularyOf(kind, kinds))
    let { counted } = decision
    let callbackTrace = ''
    for (const fault of faults) {
      if (!fault.on.includes(facts.kind)) continue
      const letter = fault.then.early && plan.afterUs === null ? CANNOT : judge(fault, facts, sight)
      callbackTrace += letter
      if (fault.nth && (letter === MATCHED || letter === NOT_ITS_TURN)) counted = [...counted, fault.name]
      if (letter === MATCHED) return { plan: spoil(plan, fault, facts), counted, callbackTrace }
    }
    return { plan, counted, callbackTrace }
  }
}

function spoil(plan: Plan, { then, name }: CallbackFault, { chance, nth }: Facts): Plan {
  const draw = (delay: Delay, label: string) => drawDelay(delay, () => chance.of(`${label}:${name}`, nth))
  // Who is told before the answer is told of the end, so the end comes at once.
  return { ...plan, ...(then.early && { afterUs: 0 }), callback: drawCallback(then, name, draw) }
}

export function summariseCallbackFault(fault: CallbackFault, ownFile: string): FaultSummary {
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
