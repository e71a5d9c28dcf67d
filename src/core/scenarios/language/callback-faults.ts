/** Reads `callbacks.faults`: faults of callbacks that do not depend on the deciding rule. */
import { waitsForRail } from '../../lifecycle.ts'
import type { UndrawnCallbackFault } from '../../model/callback-fault.ts'
import type { Kinds } from '../../model/kind.ts'
import { type Path, printPath, quote } from '../../model/problems.ts'
import type { FaultSummary } from '../../model/rule-summaries.ts'
import type { SourceText } from '../../source-text.ts'
import type { CallbackFaultRuleFile } from './planned-fault-schema.ts'
import { printCallback, readCallbackFault, readEarlyKinds } from './planned-faults.ts'
import { readConditions } from './rules.ts'
import { readSelector, reportTurn, type Selector, summariseSelector } from './selector.ts'

export interface CallbackFaultRule extends Selector {
  then: UndrawnCallbackFault
}

export function callbackFaultName(index: number, scenario = ''): string {
  return `callback fault ${index + 1} of ${scenario}`
}

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
  reportTurn(fault.nth, on, path, source)
  return {
    ...readSelector(fault, path, source, {
      name: fault.name ?? callbackFaultName(index, scenario),
      on: on.map(({ name }) => name),
      conditionOn: readConditions(fault.when, on, [...path, 'when'], source, kinds),
    }),
    then: readCallbackFault(fault.then, on, [...path, 'then'], source),
  }
}

export function summariseCallbackFaultRule(fault: CallbackFaultRule, ownFile: string): FaultSummary {
  const { then } = fault
  return summariseSelector(fault, ownFile, { then: printCallback(then), passes: then.early === true })
}
