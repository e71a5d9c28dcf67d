/** Reads `callbacks.faults`: faults of callbacks that do not depend on the deciding rule. */
import type { UndrawnCallbackFault } from '../../model/callback-fault.ts'
import type { Kinds } from '../../model/kind.ts'
import type { FaultSummary } from '../../model/rule-summaries.ts'
import type { SourceText } from '../../source-text.ts'
import { type CallbackFaultRuleFile, kindsTold } from './planned-fault-schema.ts'
import { printCallback, readCallbackFault } from './planned-faults.ts'
import { readConditions } from './rules.ts'
import { readSelector, type Selector, summariseSelector } from './selector.ts'

export interface CallbackFaultRule extends Selector {
  written: CallbackFaultRuleFile
  then: UndrawnCallbackFault
}

export function callbackFaultName(index: number, scenario = ''): string {
  return `callback fault ${index + 1} of ${scenario}`
}

export function readCallbackFaultRule(
  fault: CallbackFaultRuleFile,
  index: number,
  scenario: string | undefined,
  source: SourceText,
  kinds: Kinds,
): CallbackFaultRule {
  const path = ['callbacks', 'faults', index]
  const on = kindsTold(fault, kinds)
  return {
    ...readSelector(fault, path, source, {
      name: fault.name ?? callbackFaultName(index, scenario),
      on: on.map(({ name }) => name),
      conditionOn: readConditions(fault.when, on, [...path, 'when'], source, kinds),
    }),
    then: readCallbackFault(fault.then),
    written: fault,
  }
}

export function summariseCallbackFaultRule(fault: CallbackFaultRule, ownFile: string): FaultSummary {
  const { then } = fault
  return summariseSelector(fault, ownFile, { then: printCallback(then), passes: then.early === true })
}
