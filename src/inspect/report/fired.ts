/** The scenarios of a run: which of their rules and faults fired, and which never did. */
import { zonedText } from '../../core/model/calendar.ts'
import type { ScenarioStretch, StretchEntry, TestRun } from '../../core/model/test-run.ts'
import { stretchNow } from '../../core/stretches.ts'
import type { World } from '../../core/world.ts'

/** Its rules stand for outcomes that a request may ask for, so nobody expects all of them to fire. */
const ORDINARY = 'default'

export interface ScenarioInForce {
  scenario: string
  seed: number
  /** Null: since the world began. */
  since: string | null
  until: string
  assumptions: { id: string; value: string; default: string; question: string }[]
}

export interface Fired extends StretchEntry {
  scenario: string
  why: string | null
}

export type NeverFired = readonly { rule: string; what: string; why: string }[]

export function stretchesOf({ core }: World, run: TestRun | undefined): ScenarioStretch[] {
  const stored = core.store.runs.stretches(run?.id)
  return run?.end ? stored : [...stored, stretchNow(core)]
}

export function inForce({ core }: World, stretches: readonly ScenarioStretch[]): ScenarioInForce[] {
  return stretches.map(({ scenario, seed, sinceUs, untilUs, assumptions }) => ({
    scenario,
    seed,
    since: sinceUs === null ? null : zonedText(sinceUs, core.scenario.zone),
    until: zonedText(untilUs, core.scenario.zone),
    assumptions: Object.entries(assumptions).flatMap(([id, value]) => {
      const known = core.service.assumptions[id]
      return known ? [{ id, value, default: known.alternatives[0], question: known.question }] : []
    }),
  }))
}

/** Each once, those that never fired last. Leaves out unused rules of the default scenario. */
export function firedIn(world: World, stretches: readonly ScenarioStretch[], neverFired: NeverFired): Fired[] {
  const found = new Map<string, Fired>()
  for (const { scenario, entries } of stretches)
    for (const entry of entries) {
      const key = JSON.stringify([scenario, entry.what, entry.name])
      found.set(key, { scenario, ...entry, hits: entry.hits + (found.get(key)?.hits ?? 0), why: null })
    }
  const reason = ({ scenario, what, name }: Fired) =>
    scenario === world.core.scenario.name
      ? (neverFired.find((one) => one.rule === name && one.what.replace(' ', '-') === what)?.why ?? null)
      : null
  return [...found.values()]
    .filter(({ scenario, hits }) => hits > 0 || scenario !== ORDINARY)
    .map((one) => (one.hits > 0 ? one : { ...one, why: reason(one) }))
    .sort((a, b) => b.hits - a.hits)
}
