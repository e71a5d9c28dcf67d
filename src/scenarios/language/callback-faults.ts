/** Faults of callbacks, whatever rule decides: read from `callbacks.faults`. */
import { waitsForRail } from '../../lifecycle/lifecycle.ts'
import type { Kinds } from '../../model/kind.ts'
import type { PaymentKind } from '../../model/payment.ts'
import type { Condition } from './expressions.ts'
import type { CallbackFaultRuleFile } from './planned-fault-schema.ts'
import { printCallback, readCallbackFault, readEarlyKinds, type UndrawnCallbackFault } from './planned-faults.ts'
import { type Path, type Place, printPath, quote } from './problems.ts'
import { printTurn, readConditions, readTurn, readTurned, type Turn, type Turned } from './rules.ts'
import type { SourceText } from './source-text.ts'
import type { FaultSummary } from './summaries.ts'

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
  kinds: Kinds,
): CallbackFaultRule {
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
    then: readCallbackFault(fault.then, on, [...path, 'then'], source),
    turned: readTurned(path, source),
    ...source.placeOf(path),
  }
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
