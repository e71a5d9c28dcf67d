/** Faults of callbacks, whatever rule decided: read from `callbacks.faults`, decided with the payment. */
import { type PaymentKind, paymentKinds } from '../model/payment.ts'
import { judge } from './decide.ts'
import type { Directory } from './directory.ts'
import { type Delay, drawDelay } from './durations.ts'
import { type Condition, vocabularyOf } from './expressions.ts'
import type { CallbackFaultFile } from './mishap-schema.ts'
import { type CallbackOutcome, drawCallback, printCallback, readCallbackMishap } from './mishaps.ts'
import { type Path, type Place, printPath, quote } from './problems.ts'
import { printTurn, readConditions, readTurn, readTurned, type Turn, type Turned } from './rules.ts'
import type { Decision, Facts, FaultSummary } from './scenario.ts'
import type { SourceText } from './source-text.ts'
import { MATCHED, NOT_ITS_TURN } from './trace.ts'
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
): CallbackFault {
  const path: Path = ['callbacks', 'faults', index]
  const written = Array.isArray(fault.on) ? fault.on : [fault.on]
  const untold = ['allocation', 'de-allocation']
  const wrong = written.find((kind) => untold.includes(kind))
  if (wrong)
    source.report(
      source.offsetOf([...path, 'on']),
      printPath([...path, 'on']),
      `Nobody is told about payments of the kind ${quote(wrong)}.`,
    )
  const on = written.includes('any')
    ? paymentKinds.filter((kind) => !untold.includes(kind))
    : [...new Set(written as PaymentKind[])]
  return {
    name: fault.name ?? `callback fault ${index + 1} of ${scenario}`,
    on,
    when: fault.when,
    conditions: fault.when === undefined ? new Map() : readConditions(fault.when, on, [...path, 'when'], source),
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
): (facts: Facts) => Decision {
  if (faults.length === 0) return decide
  return (facts) => {
    const decision = decide(facts)
    const { plan } = decision
    if (!plan || plan.callback) return decision
    const sight = new Sight(facts, directory, vocabularyOf(facts.kind))
    let { counted } = decision
    for (const fault of faults) {
      if (!fault.on.includes(facts.kind)) continue
      const letter = judge(fault, facts, sight)
      if (fault.nth && (letter === MATCHED || letter === NOT_ITS_TURN)) counted = [...counted, fault.name]
      if (letter !== MATCHED) continue
      const draw = (delay: Delay, label: string) =>
        drawDelay(delay, () => facts.chance.of(`${label}:${fault.name}`, facts.nth))
      return { plan: { ...plan, callback: drawCallback(fault.then, fault.name, draw) }, counted }
    }
    return { plan, counted }
  }
}

export function summariseCallbackFault(fault: CallbackFault, ownFile: string): FaultSummary {
  const { name, on, when, chance, nth, then, file, line } = fault
  const inherited = file !== ownFile
  return { name, on: [...on], when, chance, nth: printTurn(nth), then: printCallback(then), file, line, inherited }
}
