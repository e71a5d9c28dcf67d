/** Rules and faults that fired, and the nearest cases for those that never did. */
import { must } from '../core/model/must.ts'
import type { FaultSummary, RailSort, RailSummary, RuleSummary } from '../core/model/rule-summaries.ts'
import type { World } from '../core/world.ts'
import {
  type Nearness,
  nearestToCallbackFaults,
  nearestToFaults,
  nearestToRails,
  nearestToRules,
} from './questions/idle-rules.ts'

type Summary = Pick<RuleSummary | FaultSummary | RailSummary, 'name' | 'file' | 'line' | 'inherited'>
const sorts: readonly RailSort[] = ['limit', 'fee', 'float', 'cut-off', 'maintenance']

export function hits(world: World) {
  const { scenario, store } = world.core
  const hitsOf = (name: string) => store.counters.current(`rule:${name}`)
  const counted = ({ name, on, when, nth, file, line, inherited }: RuleSummary | FaultSummary) => ({
    hits: hitsOf(name),
    on,
    when: when ?? null,
    nth: nth ?? null,
    file,
    line,
    inherited,
  })
  // Inherited rules may be used or not; a scenario's own rules and faults are there to fire.
  const idle = <T extends Summary>(list: readonly T[]) =>
    list.filter(({ name, inherited }) => !inherited && hitsOf(name) === 0)
  return {
    scenario: scenario.name,
    rules: scenario.rules.map((rule) => ({ rule: rule.name, ...counted(rule) })),
    rails: scenario.railEntries.map(({ name, ...entry }) => ({ rail: name, hits: hitsOf(name), ...entry })),
    faults: [...scenario.faults, ...scenario.callbackFaults].map((fault) => ({ fault: fault.name, ...counted(fault) })),
    neverFired: [
      ...withNearest(idle(scenario.rules), 'rule', (list) => nearestToRules(world, list)),
      ...withNearest(idle(scenario.faults), 'fault', (list) => nearestToFaults(world, list)),
      ...withNearest(idle(scenario.callbackFaults), 'callback fault', (list) => nearestToCallbackFaults(world, list)),
      ...sorts.flatMap((sort) =>
        withNearest(idle(scenario.railEntries.filter((one) => one.sort === sort)), sort, (list) =>
          nearestToRails(world.core, list),
        ),
      ),
    ],
  }
}

function withNearest<T extends Summary, What extends string>(
  idle: readonly T[],
  what: What,
  find: (idle: readonly T[]) => Nearness[],
) {
  const found = find(idle)
  return idle.map(({ name, file, line }, i) => ({ rule: name, what, file, line, ...must(found[i]) }))
}
