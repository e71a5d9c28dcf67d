/** Operations: which rules and faults fired. */
import * as z from 'zod'
import type { FaultSummary, RailSort, RailSummary, RuleSummary } from '../../../core/model/rule-summaries.ts'
import type { World } from '../../../core/world.ts'
import {
  type Nearness,
  nearestToCallbackFaults,
  nearestToFaults,
  nearestToRails,
  nearestToRules,
} from '../../../inspect/idle-rules.ts'
import { type Answered, operation } from '../declared-operation.ts'
import { hitsShape } from './scenario-answers.ts'

const readHits = operation({
  method: 'GET',
  path: '/scenario/hits',
  summary: 'Which rules and faults fired, and what came nearest to the others',
  answer: hitsShape,
  list: {
    name: 'hits',
    columns: ['what', 'name', 'hits', 'on', 'when', 'nth', 'file', 'line', 'inherited'],
    rows: hitRows,
  },
  run: (c) => hits(c.env.world),
})

const clearHits = operation({
  method: 'DELETE',
  path: '/scenario/hits',
  summary: 'Count from nothing again',
  answer: () => z.object({ cleared: z.literal(true) }),
  async run(c) {
    return await c.env.world.perform({ command: 'clear-hits' })
  },
})

type Summary = Pick<RuleSummary | FaultSummary | RailSummary, 'name' | 'file' | 'line' | 'inherited'>
const sorts: readonly RailSort[] = ['limit', 'fee', 'float', 'cut-off', 'maintenance']

/** Which rules and faults fired. */
export type Hits = ReturnType<typeof hits>

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
  // What is inherited is there to be used or not; a scenario's own rules and faults are there to fire.
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

/** All of them in one list, the busiest first. */
function hitRows({ rules, rails, faults }: Answered<typeof hitsShape>) {
  return [
    ...rules.map(({ rule, ...one }) => ({ what: 'rule', name: rule, ...one })),
    ...rails.map(({ rail, sort, ...one }) => ({ what: sort, name: rail, when: null, nth: null, ...one })),
    ...faults.map(({ fault, ...one }) => ({ what: 'fault', name: fault, ...one })),
  ].sort((a, b) => b.hits - a.hits)
}

function withNearest<T extends Summary, What extends string>(
  idle: readonly T[],
  what: What,
  find: (idle: readonly T[]) => Nearness[],
) {
  const found = find(idle)
  return idle.map(({ name, file, line }, i) => ({ rule: name, what, file, line, ...(found[i] as Nearness) }))
}

export const hitOperations = [readHits, clearHits] as const
