/** Merges the faults of answers and callbacks from all files of a scenario. */
import type { Assumptions, ChosenBy } from '../../model/assumption.ts'
import { type Path, type Problem, quote } from '../../model/problems.ts'
import type { Service } from '../../model/simulated-service.ts'
import { type ResponseFaultRule, readResponseFaultRule } from '../../response-faults.ts'
import type { SourceText } from '../../source-text.ts'
import { type CallbackFaultRule, readCallbackFaultRule } from './callback-faults.ts'
import type { CallbackFaultRuleFile } from './planned-fault-schema.ts'
import type { ResponseFaultRuleFile } from './response-fault-schema.ts'
import type { Rule } from './rules.ts'
import type { ScenarioFile } from './scenario-schema.ts'

export interface WireFaults {
  callbacks: CallbackFaultRule[]
  answers: ResponseFaultRule[]
}

/** Skips faults of a wrong shape, which are reported already. */
export function readWireFaults(
  file: Partial<ScenarioFile>,
  source: SourceText,
  isSound: (path: Path) => boolean,
  service: Service,
): WireFaults {
  const list = <T>(value: unknown): T[] => (Array.isArray(value) ? value : [])
  const scenario = file.name ?? ''
  const faults: WireFaults = { callbacks: [], answers: [] }
  for (const [index, fault] of list<CallbackFaultRuleFile>(file.callbacks?.faults).entries()) {
    if (!isSound(['callbacks', 'faults', index])) continue
    faults.callbacks.push(readCallbackFaultRule(fault, index, scenario, source, service.kinds))
  }
  for (const [index, fault] of list<ResponseFaultRuleFile>(file.faults).entries()) {
    if (!isSound(['faults', index])) continue
    faults.answers.push(readResponseFaultRule(fault, index, scenario, source, service.operations))
  }
  return faults
}

export function mergeWireFaults(layers: readonly WireFaults[]): WireFaults {
  const merge = <T extends { name: string }>(all: T[]) =>
    all.filter((fault, i) => all.findIndex((other) => other.name === fault.name) === i)
  return {
    callbacks: merge(layers.flatMap((layer) => layer.callbacks)),
    answers: merge(layers.flatMap((layer) => layer.answers)),
  }
}

/** A wrong signature needs signed callbacks. */
export function unsignedProblems(
  rules: readonly Rule[],
  faults: WireFaults,
  { assumptions, chosenBy }: { assumptions: Assumptions; chosenBy: Readonly<Record<string, ChosenBy>> },
): Problem[] {
  const id = 'callback-signature'
  // A seed must not decide whether a scenario is valid.
  const isDrawn = chosenBy[id] === 'drawn'
  if (assumptions[id] !== 'none' && !isDrawn) return []
  const why = isDrawn ? 'whether callbacks are signed is drawn here' : 'callbacks are not signed here'
  const wrong = [
    ...rules.filter(({ then }) => !then.refuse && then.faults.callback?.signature),
    ...faults.callbacks.filter(({ then }) => then.signature),
  ]
  return wrong.map(({ file, line, name }) => ({
    file,
    line,
    column: 1,
    path: 'callbacks',
    message: `${quote(name)} wants a wrong signature, and ${why}. Add assumptions: { callback-signature: standard-webhooks }.`,
  }))
}
