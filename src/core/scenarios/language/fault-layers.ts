/** Merges the faults of answers and callbacks from all files of a scenario. */
import type { Assumptions, ChosenBy } from '../../model/assumption.ts'
import { type Path, type Problem, printPath, quote } from '../../model/problems.ts'
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
  const names = new Map<string, number>()
  // Rules and faults are counted by name, so names must be unique within a file.
  for (const [index, rule] of list<{ name?: unknown }>(file.rules).entries()) {
    if (typeof rule?.name === 'string') names.set(rule.name, source.position(source.offsetOf(['rules', index])).line)
  }
  const once = (name: string, line: number, path: Path) => {
    const first = names.get(name)
    if (first === undefined) names.set(name, line)
    else
      source.report(
        source.offsetOf(path),
        printPath(path),
        `${quote(name)} is already a name on line ${first}. Give it a name that says the difference.`,
      )
  }
  for (const [index, fault] of list<CallbackFaultRuleFile>(file.callbacks?.faults).entries()) {
    if (!isSound(['callbacks', 'faults', index])) continue
    const read = readCallbackFaultRule(fault, index, scenario, source, service.kinds)
    once(read.name, read.line, ['callbacks', 'faults', index, 'name'])
    faults.callbacks.push(read)
  }
  for (const [index, fault] of list<ResponseFaultRuleFile>(file.faults).entries()) {
    if (!isSound(['faults', index])) continue
    const read = readResponseFaultRule(fault, index, scenario, source, service.operations)
    once(read.name, read.line, ['faults', index, 'name'])
    faults.answers.push(read)
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
